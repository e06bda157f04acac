package webhooktest

import (
	"fmt"
	"sync"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/admissiontest"
)

// wanted is a namespace whose objects are labelled.
func wanted() Option { return Namespace("shop", map[string]string{"labels": "wanted"}) }

type passRow struct {
	row
	request Request
	want    Want
}

// TestRequestsAndWants passes: each row is one way to ask, or one thing to
// want.
func TestRequestsAndWants(t *testing.T) {
	t.Parallel()
	s := New(t, Objects(labeler, policy), wanted(),
		Handler(answer(label), "label.example.com"), Handler(answer(told), "policies/policy.example.com"))
	typed := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "colours"}, Data: map[string]string{"sky": "blue"}}
	loose := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "colours"}}}
	changed := "{apiVersion: v1, kind: ConfigMap, metadata: {name: colours}, data: {sky: grey}}"
	sky := applycorev1.ConfigMap("colours", "default").WithData(map[string]string{"sky": "green"})
	blue := Allowed().Object("data: {sky: blue}")
	said := func(text string) Want {
		return Denied().Message("^admission webhook .* denied the request: " + text + "$")
	}
	rows := []passRow{
		{row{"create text", "the shortest way to write an object"}, Create(configMap), blue},
		{row{"create bytes", "what was read from a file"}, Create([]byte(configMap)), blue},
		{row{"create typed", "it has no apiVersion and kind in Go"}, Create(typed), blue},
		{row{"create unstructured", "types need not be known"}, Create(loose), Allowed().Object(loose)},
		{row{"part typed", "what is not set is not wanted"}, Create(pod("web")).In("other"), Allowed().Object(pod("web"))},
		{row{"part typed, deep", "neither is what is empty in it"}, Create(pod("web")).In("other"), Allowed().Object(&corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": ""}},
			Spec: corev1.PodSpec{
				HostNetwork: false, Hostname: "", TerminationGracePeriodSeconds: new(int64(0)), Volumes: []corev1.Volume{}, SecurityContext: &corev1.PodSecurityContext{},
				Containers: []corev1.Container{{Name: "web", TerminationMessagePath: "/dev/termination-log"}},
			},
		})},
		{row{"update", "two objects of two forms"}, Update(typed, changed).Named("colours"), Allowed().Object("data: {sky: grey}")},
		{row{"JSON patch", "the object is made by the patch"}, Patch(configMap, types.JSONPatchType, `[{op: replace, path: /data/sky, value: red}]`), Allowed().Object("data: {sky: red}")},
		{row{"merge patch", "as a Go value"}, Patch(typed, types.MergePatchType, map[string]any{"data": nil}), Allowed().Object("data: null")},
		{row{"strategic merge patch", "its type has another name here"}, Patch(configMap, types.StrategicMergePatchType, "data: {sea: blue}"), Allowed().Object("data: {sky: blue, sea: blue}")},
		{row{"apply that creates", "an apply configuration is no runtime.Object"}, Apply(nil, sky).FieldManager("painter"), Allowed().Object("data: {sky: green}")},
		{row{"apply by force", "it updates, and takes what others own"}, Apply(owned, sky).FieldManager("painter").Force(), Allowed().Object("data: {sky: green}")},
		{row{"delete", "there is no object in the end"}, Delete(configMap).Named("colours"), Allowed()},
		{row{"delete with options", "webhooks see the options"},
			Delete(`{apiVersion: v1, kind: ConfigMap, metadata: {name: options}}`).DeleteOptions(metav1.DeleteOptions{GracePeriodSeconds: new(int64(7))}),
			said(`.*"gracePeriodSeconds":7.*`),
		},
		{row{"delete collection", "webhooks see no name"}, DeleteCollection(configMap), said("no name")},
		{row{"connect", "the object is the options"},
			Connect(&corev1.PodExecOptions{Command: []string{"sh"}}).Named("web").In("other"),
			Allowed().Called("policy.example.com"),
		},
		{row{"file", "its request says all about itself"}, FromFile("testdata/delete.yaml"), Allowed().NotCalled("label.example.com", "^namespaceSelector: ")},
		{row{"subresource", "the object alone does not tell"}, Update(pod("web"), pod("web")).Resource("pods").Subresource("status"), Allowed().Called("policies/policy.example.com")},
		{row{"dry run", "webhooks are told"}, Create(named("dry-run")).DryRun(), said("true")},
		{row{"no dry run", "nor are they told it otherwise"}, Create(named("dry-run")), said("false")},
		{row{"field manager and validation", "they are among the options"}, Create(named("options")).FieldManager("m").FieldValidation("Strict"), said(`.*"fieldManager":"m","fieldValidation":"Strict".*`)},
		{row{"as", "groups are completed as by kubectl --as"}, Create(named("user")).As("ann", "sellers"), said(`ann \[sellers system:authenticated\]`)},
		{row{"as user", "all about it is said"}, Create(named("user")).AsUser(authenticationv1.UserInfo{Username: "bob", Groups: []string{"x"}}), said(`bob \[x\]`)},
		{row{"no user", "there is a default user"}, Create(named("user")), said(`gatehouse \[system:authenticated\]`)},

		{row{"denial", "all that there is to it"}, Create(named("forbidden")), Denied().Code(403).Reason(metav1.StatusReasonForbidden).Message("no forbidden")},
		{row{"no warnings", "none at all is something to want"}, Create(configMap), Allowed().Warnings().Patch("[]").Called("policy.example.com")},
		{row{"everything about a change", "one request, all expectations"},
			Create(configMap).In("shop").As("ann"),
			Allowed().
				Warnings("replaced").
				Patch(`[{op: add, path: /metadata/labels, value: {by: ann}}]`).
				Object("metadata: {labels: {by: ann}, namespace: shop}").
				Golden("testdata/labelled.yaml").
				Called("label.example.com", "policy.example.com").
				Webhook(Webhook{
					Name: "labels/label.example.com", Times: 1, Outcome: admission.Allowed, Warnings: []string{"replaced"},
					Patch:            []map[string]any{{"op": "add", "path": "/metadata/labels"}},
					AuditAnnotations: map[string]*string{"by": new("^ann$"), "at": nil},
				}).
				Webhook(Webhook{Name: "policy.example.com", Warnings: []string{}, Patch: "[]"}).
				Rounds(2).
				AuditAnnotation("label.example.com/by", "^ann$").
				NoAuditAnnotation("label.example.com/at"),
		},
	}
	for _, r := range testtable.Checked(t, rows) {
		s.Run(t, Case{Name: r.Name(), Request: r.request, Want: r.want})
	}
}

// named returns an object by whose name told knows what to say.
func named(name string) string {
	return fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}}", name)
}

func pod(name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}}}
}

// owned is an object with a managed field.
const owned = `
apiVersion: v1
kind: ConfigMap
metadata:
  name: colours
  managedFields:
  - {manager: other, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:sky": {}}}}
data: {sky: blue}
`

// TestPolicies expects of policies what suites in files can expect.
func TestPolicies(t *testing.T) {
	t.Parallel()
	s := New(t, Files("testdata/policies"))
	sky := func(colour string) string {
		return fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {name: colours}, data: {sky: %s}}", colour)
	}
	s.Run(t,
		Case{"passed", Create(sky("blue")), Allowed().
			Policy(Policy{Name: "sky", Times: 1, Outcome: "passed"}).
			Policy(Policy{Name: "sky/everywhere", Outcome: "passed"})},
		Case{"failed", Create(sky("green")), Denied().Code(422).
			Policy(Policy{Name: "sky", Outcome: "failed", Message: "^the sky is blue$"})},
		Case{"not evaluated", Create(pod("web")), Allowed().
			Policy(Policy{Name: "sky", NotEvaluated: true, Why: "^rules: "})},
	)
}

// TestRunTwice runs more cases, at the same time as the first ones.
func TestRunTwice(t *testing.T) {
	t.Parallel()
	s := New(t, Objects(policy), Handler(answer(deny)))
	for i := range 2 {
		s.Run(t, Case{Name: fmt.Sprint(i), Request: Create(configMap).In(fmt.Sprintf("n%d", i)), Want: Denied()})
	}
}

// TestSerial has one case after the other ask, in order.
func TestSerial(t *testing.T) {
	t.Parallel()
	var asked []string
	s := New(t, Serial(), Objects(policy), Handler(remember(&asked)))
	var cases []Case
	for i := range 20 {
		cases = append(cases, Case{Name: fmt.Sprint(i), Request: Create(named(fmt.Sprint("n", i))), Want: Allowed()})
	}
	s.Run(t, cases...)
	// Parallel subtests would not even have begun.
	if len(asked) != 20 || asked[0] != "n0" || asked[19] != "n19" {
		t.Errorf("asked in the order %q", asked)
	}
}

// TestDo returns a response without comparing it.
func TestDo(t *testing.T) {
	t.Parallel()
	s := New(t, Objects(labeler, policy), wanted(), Handler(answer(deny)), Handler(answer(label), "label.example.com"))
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			r := s.Do(t, Create(configMap).In("shop").As("ann"))
			admissiontest.Denied(t, r, "ann may not CREATE")
			if labels := r.Object.(*corev1.ConfigMap).Labels; labels["by"] != "ann" {
				t.Errorf("got labels %v", labels)
			}
		})
	}
	wait.Wait()
}
