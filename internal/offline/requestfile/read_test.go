package requestfile_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/testutil/testtable"
)

// readCase is a document that can be read, and what it says.
type readCase struct {
	row
	input string
	want  []string
}

const (
	podText    = `object: object /v1, Kind=Pod {"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"}}`
	storedText = `oldObject: oldObject /v1, Kind=Pod {"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"}}`
)

// readCases are in the format alone.
func readCases() []readCase {
	return []readCase{
		{row{"object", "the shortest request there is is a CREATE"}, head + pod, []string{"operation: CREATE", podText}},
		{row{"two objects", "they are an UPDATE without an operation field"}, head + pod + stored,
			[]string{"operation: UPDATE", podText, storedText}},
		{row{"said", "what is the default may be said"}, head + "operation: UPDATE\n" + pod + stored,
			[]string{"operation: UPDATE", podText, storedText}},
		{row{"delete", "webhooks see what goes (S-217)"}, head + "operation: DELETE\n" + stored, []string{"operation: DELETE", storedText}},
		{row{"collection", "its members have no names for webhooks (S-217)"}, head + "operation: DELETE\ncollection: true\n" + stored,
			[]string{"operation: DELETE", "collection: true", storedText}},
		{row{"connect", "S-364: the object is the options of the connection"},
			head + "operation: CONNECT\nname: web\nobject: {apiVersion: v1, kind: PodExecOptions}\n",
			[]string{"operation: CONNECT", "name: web", `object: object /v1, Kind=PodExecOptions {"apiVersion":"v1","kind":"PodExecOptions"}`}},
		{row{"path", "every part of it can be said"},
			head + "resource: pods\nsubResource: status\nnamespace: shop\nname: web\n" + pod + stored,
			[]string{"operation: UPDATE", "resource: pods", "subresource: status", "namespace: shop", "name: web", podText, storedText}},
		{row{"merge patch", "it is an UPDATE of what is stored (S-362)"}, head + stored + "patch: {type: merge, content: {a: null}}\n",
			[]string{"operation: UPDATE", storedText, `patch: merge {"a":null}`}},
		{row{"strategic patch", "the content is not looked into"}, head + stored + "patch: {type: strategic, content: {$patch: delete}}\n",
			[]string{"operation: UPDATE", storedText, `patch: strategic {"$patch":"delete"}`}},
		{row{"JSON patch", "it is a list"}, head + stored + "patch: {type: json, content: [{op: remove, path: /a}]}\n",
			[]string{"operation: UPDATE", storedText, `patch: json [{"op":"remove","path":"/a"}]`}},
		{row{"apply", "S-362: without a stored object it creates"}, head + "patch: {type: apply, force: true, content: {apiVersion: v1, kind: Pod}}\n",
			[]string{"operation: CREATE", `patch: apply {"apiVersion":"v1","kind":"Pod"}`, "force: true",
				`applied: patch.content /v1, Kind=Pod {"apiVersion":"v1","kind":"Pod"}`}},
		{row{"apply to something", "S-362: otherwise it updates"}, head + stored + "patch: {type: apply, content: {apiVersion: v1, kind: Pod}}\n",
			[]string{"operation: UPDATE", storedText, `patch: apply {"apiVersion":"v1","kind":"Pod"}`,
				`applied: patch.content /v1, Kind=Pod {"apiVersion":"v1","kind":"Pod"}`}},
		{row{"user", "it is taken as it is: no group is added"},
			head + pod + "userInfo: {username: ann, uid: a-1, groups: [sellers], extra: {team: [tea]}}\n",
			[]string{"operation: CREATE", podText, `user: {"username":"ann","uid":"a-1","groups":["sellers"],"extra":{"team":["tea"]}}`}},
		{row{"options of a write", "S-216: webhooks see them"}, head + pod + "dryRun: true\noptions: {fieldManager: me, fieldValidation: Warn}\n",
			[]string{"operation: CREATE", podText, "dryRun: true", `options: {"fieldManager":"me","fieldValidation":"Warn"}`}},
		{row{"options of a deletion", "a grace period of 0 is one"},
			head + "operation: DELETE\n" + stored + "options: {gracePeriodSeconds: 0, propagationPolicy: Orphan, preconditions: {uid: u, resourceVersion: '7'}}\n",
			[]string{"operation: DELETE", storedText,
				`options: {"gracePeriodSeconds":0,"propagationPolicy":"Orphan","preconditions":{"uid":"u","resourceVersion":"7"}}`}},
		{row{"JSON", "the format is not YAML's alone"},
			`{"apiVersion":"gatehouse/v1alpha1","kind":"AdmissionRequest","object":{"apiVersion":"v1","kind":"Pod","n":1.0}}`,
			[]string{"operation: CREATE", `object: object /v1, Kind=Pod {"apiVersion":"v1","kind":"Pod","n":1.0}`}},
	}
}

// looseCases can be read, although no schema would advise to write them.
func looseCases() []readCase {
	return []readCase{
		{row{"nulls", "they are as good as absent"}, head + pod + "oldObject: null\npatch: null\nuserInfo: null\noptions: null\nname: null\n",
			[]string{"operation: CREATE", podText}},
		{row{"in a list", "lists are opened like those of manifests"},
			"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: gatehouse/v1alpha1, kind: AdmissionRequest, object: {apiVersion: v1, kind: Pod}}\n",
			[]string{"operation: CREATE", `object: items[0].object /v1, Kind=Pod {"apiVersion":"v1","kind":"Pod"}`}},
		{row{"options of another operation", "package request knows which there are, and its errors name them"},
			head + pod + "options: {gracePeriodSeconds: 1}\n",
			[]string{"operation: CREATE", podText, `options: {"gracePeriodSeconds":1}`}},
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	testtable.Run(t, append(readCases(), looseCases()...), checkRead)
}

func checkRead(t *testing.T, tc readCase) {
	d := only(t, tc.input)
	if !requestfile.Is(d.Kind) {
		t.Fatalf("%s is said to be no request", d.Kind)
	}
	r, err := requestfile.Read(d)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tc.want, describe(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r.Document != d {
		t.Error("the request does not say where it was read")
	}
}

func TestIs(t *testing.T) {
	t.Parallel()
	for kind, want := range map[schema.GroupVersionKind]bool{
		{Group: "gatehouse", Version: "v1alpha1", Kind: "AdmissionRequest"}:                            true,
		{Group: "gatehouse", Version: "v2", Kind: "Anything"}:                                          true,
		{Group: "admission.k8s.io", Version: "v1", Kind: "AdmissionReview"}:                            true,
		{Group: "admission.k8s.io", Version: "v1beta1", Kind: "AdmissionReview"}:                       true,
		{Version: "v1", Kind: "AdmissionRequest"}:                                                      false,
		{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "ValidatingWebhookConfiguration"}: false,
		{Group: "gatehouse.example.com", Version: "v1alpha1", Kind: "AdmissionRequest"}:                false,
	} {
		if got := requestfile.Is(kind); got != want {
			t.Errorf("%s: got %t, want %t", kind, got, want)
		}
	}
}

// TestObjectsKnowTheirLines decodes what is in a request: the error is about
// the file that the author has before them.
func TestObjectsKnowTheirLines(t *testing.T) {
	t.Parallel()
	const input = `# two fields are misspelt
apiVersion: gatehouse/v1alpha1
kind: AdmissionRequest
oldObject:
  apiVersion: v1
  kind: Pod
object:
  apiVersion: v1
  kind: Pod
  spec:
    contianers: []
`
	r, err := requestfile.Read(only(t, input))
	if err != nil {
		t.Fatal(err)
	}
	err = r.Object.DecodeInto(&corev1.Pod{}, true)
	if want, got := `a.yaml: document 1 (line 11): object: unknown field "spec.contianers"`, testtable.Text(err); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if err = r.OldObject.DecodeInto(&corev1.Pod{}, true); err != nil {
		t.Error(err)
	}
}
