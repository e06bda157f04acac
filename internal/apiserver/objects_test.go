package apiserver

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/internal/apiserver/registry"
	"example.com/gatehouse/internal/testutil/testtable"
)

// find returns the row of a resource.
func find(t *testing.T, plural string) registry.Resource {
	t.Helper()
	for _, r := range registry.Resources() {
		if r.Plural == plural {
			return r
		}
	}
	t.Fatalf("%s is not in the table", plural)
	return registry.Resource{}
}

// TestGeneration patches the sample of a resource and looks whether that
// counts.
func TestGeneration(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		plural, patch string
		first, then   int64
	}
	rows := []test{
		{row{"other webhooks", "R-002: the webhooks are what counts"}, "mutatingwebhookconfigurations", `{"webhooks":[]}`, 1, 2},
		{row{"same webhooks", "R-002: an update that changes nothing does not count"}, "mutatingwebhookconfigurations", `{"webhooks":[{"name":"a.example.com","sideEffects":"None","admissionReviewVersions":["v1"],"clientConfig":{"url":"https://127.0.0.1/"}}],"metadata":{"annotations":{"a":"b"}}}`, 1, 1},
		{row{"label", "R-002: metadata does not count"}, "validatingwebhookconfigurations", `{"metadata":{"labels":{"a":"b"}}}`, 1, 1},
		{row{"client's own", "R-002: clients cannot set it"}, "validatingwebhookconfigurations", `{"metadata":{"generation":7}}`, 1, 1},
		{row{"other policy", "its spec counts"}, "validatingadmissionpolicies", `{"spec":{"failurePolicy":"Ignore"}}`, 1, 2},
		{row{"policy's status", "status does not count"}, "validatingadmissionpolicies", `{"status":{"observedGeneration":3}}`, 1, 1},
		{row{"other binding", "its spec counts"}, "mutatingadmissionpolicybindings", `{"spec":{"policyName":"b"}}`, 1, 2},
		{row{"deployment", "its spec counts, as rollouts rely on"}, "deployments", `{"spec":{"replicas":3}}`, 1, 2},
		{row{"deployment's annotation", "a rollout copies them"}, "deployments", `{"metadata":{"annotations":{"a":"b"}}}`, 1, 2},
		{row{"deployment's status", "status does not count"}, "deployments", `{"status":{"replicas":3}}`, 1, 1},
		{row{"pod", "pods count since v1.33"}, "pods", `{"spec":{"activeDeadlineSeconds":3}}`, 1, 2},
		{row{"job", "as most specs do"}, "jobs", `{"spec":{"suspend":true}}`, 1, 2},
		{row{"template", "of which there is no spec"}, "podtemplates", `{"template":{"metadata":{"labels":{"b":"c"}}}}`, 1, 2},
		{row{"slice", "of which there is no spec"}, "endpointslices", `{"ports":[{"port":81}]}`, 1, 2},
		{row{"slice's label", "it names the service of the slice"}, "endpointslices", `{"metadata":{"labels":{"kubernetes.io/service-name":"b"}}}`, 1, 2},
		{row{"slice's annotation", "annotations do not count"}, "endpointslices", `{"metadata":{"annotations":{"a":"b"}}}`, 1, 1},
		{row{"class", "nothing of it counts but that it is there"}, "priorityclasses", `{"description":"a"}`, 1, 1},
		{row{"configmap", "most resources do not count at all"}, "configmaps", `{"data":{"c":"d"}}`, 0, 0},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		client, name, got := reach(t, shared, find(t, r.plural)), own(t), must[*unstructured.Unstructured](t)
		object := sample(t, find(t, r.plural), name)
		object.SetGeneration(5)
		created := got(client.Create(t.Context(), object, metav1.CreateOptions{}))
		patched := got(client.Patch(t.Context(), name, types.MergePatchType, []byte(r.patch), metav1.PatchOptions{}))
		if created.GetGeneration() != r.first || patched.GetGeneration() != r.then {
			t.Errorf("generation was %d, then %d; want %d, then %d", created.GetGeneration(), patched.GetGeneration(), r.first, r.then)
		}
	})
}

// TestGenerationOfNothing is R-002: an empty list is another one than none,
// though both are stored alike.
func TestGenerationOfNothing(t *testing.T) {
	t.Parallel()
	for _, plural := range []string{"mutatingwebhookconfigurations", "validatingwebhookconfigurations"} {
		client, got := reach(t, shared, find(t, plural)), must[*unstructured.Unstructured](t)
		object := sample(t, find(t, plural), own(t))
		delete(object.Object, "webhooks")
		object = got(client.Create(t.Context(), object, metav1.CreateOptions{}))
		object.Object["webhooks"] = []any{}
		if updated := got(client.Update(t.Context(), object, metav1.UpdateOptions{})); updated.GetGeneration() != 2 {
			t.Errorf("%s: generation is %d, want 2", plural, updated.GetGeneration())
		}
	}
}

// TestPut is about what a PUT may do that most may not.
func TestPut(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		plural string
		// exists says whether the object does; the PUT states no
		// resourceVersion.
		exists bool
		want   metav1.StatusReason
	}
	rows := []test{
		{row{"force configmap", "most resources can be replaced unseen"}, "configmaps", true, ""},
		{row{"force lease", "two holders of a lease would not notice each other"}, "leases", true, metav1.StatusReasonInvalid},
		{row{"force configuration", "R-002"}, "mutatingwebhookconfigurations", true, metav1.StatusReasonInvalid},
		{row{"force policy", "as configurations"}, "mutatingadmissionpolicies", true, metav1.StatusReasonInvalid},
		{row{"force binding", "as configurations"}, "validatingadmissionpolicybindings", true, metav1.StatusReasonInvalid},
		{row{"create policy", "as configurations"}, "validatingadmissionpolicies", false, metav1.StatusReasonNotFound},
		{row{"create lease", "as kube-apiserver lets clients"}, "leases", false, ""},
		{row{"create configmap", "most resources are not created by PUT"}, "configmaps", false, metav1.StatusReasonNotFound},
		{row{"create configuration", "R-002"}, "validatingwebhookconfigurations", false, metav1.StatusReasonNotFound},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		served := find(t, r.plural)
		client, name := reach(t, shared, served), own(t)
		if r.exists {
			must[*unstructured.Unstructured](t)(client.Create(t.Context(), sample(t, served, name), metav1.CreateOptions{}))
		}
		_, err := client.Update(t.Context(), sample(t, served, name), metav1.UpdateOptions{})
		if r.want == "" && err != nil {
			t.Errorf("rejected: %v", err)
		} else if r.want != "" {
			wantReason(t, err, r.want)
		}
	})
}

// TestRejected is about what the server does not take, in its words.
func TestRejected(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		plural, name, set string
		want              string
	}
	rows := []test{
		{row{"name", "the metadata of every resource is validated"}, "configmaps", "A", "",
			`ConfigMap "A" is invalid: metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of`},
		{row{"namespace with a dot", "a namespace's name is part of DNS names"}, "namespaces", "a.b", "",
			`Namespace "a.b" is invalid: metadata.name: Invalid value: "a.b": must not contain dots`},
		{row{"label", "labels are metadata too"}, "pods", "a", "a/",
			`Pod "a" is invalid: [metadata.labels: Invalid value: "a/": name part must be non-empty, `},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		object := sample(t, find(t, r.plural), r.name)
		object.SetLabels(nil)
		if r.set != "" {
			object.SetLabels(map[string]string{r.set: ""})
		}
		_, err := reach(t, shared, find(t, r.plural)).Create(t.Context(), object, metav1.CreateOptions{})
		if got := testtable.Text(err); !strings.HasPrefix(got, r.want) {
			t.Errorf("got %q, want %q…", got, r.want)
		}
	})
}

func TestFieldValidation(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		mode, want string
	}
	rows := []test{
		{row{"strict", "typing errors are to be found by who asks for it"}, metav1.FieldValidationStrict,
			`ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "datum"`},
		{row{"ignore", "clients of newer versions go on working"}, metav1.FieldValidationIgnore, ""},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		served := find(t, "configmaps")
		object := sample(t, served, own(t))
		object.Object["datum"] = "x"
		_, err := reach(t, shared, served).Create(t.Context(), object, metav1.CreateOptions{FieldValidation: r.mode})
		if got := testtable.Text(err); got != r.want {
			t.Errorf("got %q, want %q", got, r.want)
		}
	})
}

// TestNamespaceLabel creates a namespace with a generated name.
func TestNamespaceLabel(t *testing.T) {
	t.Parallel()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: own(t) + "-"}}
	created := must[*corev1.Namespace](t)(typed(t, shared).CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}))
	want := map[string]string{corev1.LabelMetadataName: created.Name}
	if diff := cmp.Diff(want, created.Labels); diff != "" || created.Name == "" {
		t.Errorf("labels of %q (-want, +got):\n%s", created.Name, diff)
	}
}

// TestDefaults looks at one of the many fields that package defaults knows.
func TestDefaults(t *testing.T) {
	t.Parallel()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "a"}}}}
	created := must[*corev1.Pod](t)(typed(t, shared).CoreV1().Pods(own(t)).Create(t.Context(), pod, metav1.CreateOptions{}))
	if got := created.Spec.Containers[0].ImagePullPolicy; got != corev1.PullAlways {
		t.Errorf("got image pull policy %q, want %q", got, corev1.PullAlways)
	}
}
