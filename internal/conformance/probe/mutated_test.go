package probe_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type mutatedCase struct {
	testtable.Row
	// mutating is the webhook a, and change the configuration of the validating
	// webhook b.
	mutating http.Handler
	change   func(*registrationv1.ValidatingWebhook)
	// want are the labels and the image pull policy of the pod that b is asked
	// about.
	want []string
	why  string
}

// TestMutated is about what validating webhooks are asked.
func TestMutated(t *testing.T) {
	t.Parallel()
	adds := `[{"op":"add","path":"/metadata/labels/team","value":"a"},{"op":"add","path":"/spec/containers/-","value":{"name":"proxy","image":"proxy"}}]`
	patching := func(patch string) http.Handler {
		return probetest.Handler(func(_ probe.Review, response map[string]any) {
			response["patchType"], response["patch"] = "JSONPatch", []byte(patch)
		})
	}
	denying := probetest.Handler(func(_ probe.Review, response map[string]any) { response["allowed"] = false })
	selecting := func(operator metav1.LabelSelectorOperator) func(*registrationv1.ValidatingWebhook) {
		return func(w *registrationv1.ValidatingWebhook) {
			w.ObjectSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "team", Operator: operator}}}
		}
	}
	all := func(*registrationv1.ValidatingWebhook) {}
	testtable.Run(t, []mutatedCase{
		{testtable.Row{"patched", "it is asked about what is stored, with the defaults of what was added"}, patching(adds), all, []string{"app=web team=a Always"}, ""},
		{testtable.Row{"selected now", "it is called because of the patch"}, patching(adds), selecting(metav1.LabelSelectorOpExists), []string{"app=web team=a Always"}, ""},
		{testtable.Row{"not selected any more", "it is not called because of the patch"}, patching(adds), selecting(metav1.LabelSelectorOpDoesNotExist), nil, "CREATE pods/web in shop: "},
		{testtable.Row{"unchanged", "there is nothing to add"}, probetest.Good(), all, []string{"app=web "}, ""},
		{testtable.Row{"denied", "nothing else could be asked"}, denying, all, []string{"app=web "}, ""},
		{testtable.Row{"silent", "the mutating webhook is left out"}, silent(func(probe.Review) bool { return true }), all, []string{"app=web "}, ""},
	}, func(t *testing.T, tc mutatedCase) {
		mux := http.NewServeMux()
		mux.Handle("/a", tc.mutating)
		mux.Handle("/b", probetest.Good())
		c := probetest.New(t, mux, []runtime.Object{probetest.Mutating("a", "/a"), probetest.Validating("b", "/b", tc.change)},
			probetest.Pod(admissionv1.Create))
		var got []string
		for _, x := range c.Webhooks[1].Exchanges {
			got = append(got, seenPod(x.Review.Object()))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
		if why := c.Webhooks[1].WhyUnvisited; !strings.HasPrefix(why, tc.why) || tc.why == "" && why != "" {
			t.Errorf("unvisited because %q, want %q", why, tc.why)
		}
	})
}

// seenPod returns the labels of a pod, and the pull policy of its last
// container.
func seenPod(pod map[string]any) string {
	metadata, _ := pod["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	text := ""
	for _, key := range []string{"app", "team"} {
		if value, ok := labels[key].(string); ok {
			text += key + "=" + value + " "
		}
	}
	spec, _ := pod["spec"].(map[string]any)
	containers, _ := spec["containers"].([]any)
	last, _ := containers[len(containers)-1].(map[string]any)
	policy, _ := last["imagePullPolicy"].(string)
	return text + policy
}
