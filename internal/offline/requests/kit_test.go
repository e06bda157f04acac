package requests_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/offline/defaults"
	"example.com/gatehouse/internal/offline/internalversion"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/merge"
	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/testutil/manifesttest"
	"example.com/gatehouse/internal/testutil/testtable"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

type row = testtable.Row

// gizmos is a custom resource with two versions that have a scale, and one
// without.
const gizmos = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gizmos.example.com}
spec:
  group: example.com
  names: {plural: gizmos, kind: Gizmo}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
  - name: v2
    served: true
    storage: false
    subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
  - name: v3
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`

// world is what the tests know of kinds.
type world struct {
	kinds  *kinds.Registry
	merger *merge.Merger
}

func newWorld(t *testing.T, options ...kinds.Option) *world {
	t.Helper()
	w := &world{kinds: kinds.New(options...)}
	object, err := w.kinds.Decode(manifesttest.Documents(t, "crd.yaml", gizmos)[0])
	if err != nil {
		t.Fatal(err)
	}
	crd := object.(*apiextensionsv1.CustomResourceDefinition)
	if err := w.kinds.AddCRD(crd); err != nil {
		t.Fatal(err)
	}
	if w.merger, err = merge.New(w.kinds.ObjectInterfaces(), crd); err != nil {
		t.Fatal(err)
	}
	return w
}

// settling are the options of a command without --no-defaulting.
func settling() []kinds.Option {
	return []kinds.Option{kinds.Defaulting(defaults.Scheme()), kinds.Roundtrip(internalversion.Normalize)}
}

// sources decodes what is no request.
func (w *world) sources(t *testing.T, file, text string) []requests.Source {
	t.Helper()
	var all []requests.Source
	for _, d := range manifesttest.Documents(t, file, text) {
		s := requests.Source{Document: d}
		if !requestfile.Is(d.Kind) {
			var err error
			if s.Object, err = w.kinds.Decode(d); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, s)
	}
	return all
}

// make returns the gist of the requests that documents ask for, a line for
// each.
func (w *world) make(t *testing.T, settings requests.Settings, text, stored string) (string, error) {
	t.Helper()
	maker := requests.New(w.kinds, w.merger, settings)
	made, err := maker.Make(w.sources(t, "in.yaml", text), w.sources(t, "old.yaml", stored))
	lines := make([]string, 0, len(made))
	for _, m := range made {
		lines = append(lines, gist(t, m.Request))
	}
	for _, s := range maker.Unused() {
		lines = append(lines, "unused "+s.Position.String())
	}
	return strings.Join(lines, "\n"), err
}

// gist is what matters of a request, as "OPERATION
// resource.version.group/subresource namespace/name Kind: object < old, options
// by user".
func gist(t *testing.T, m *admission.Request) string {
	t.Helper()
	at := m.Resource.Version
	if m.Resource.Group != "" {
		at += "." + m.Resource.Group
	}
	text := fmt.Sprintf("%s %s.%s", m.Operation, m.Resource.Resource, at)
	if m.Subresource != "" {
		text += "/" + m.Subresource
	}
	text += fmt.Sprintf(" %s/%s %s %s: %s", m.Namespace, m.Name, m.Kind.GroupVersion(), m.Kind.Kind, shape(t, m.Object))
	if m.OldObject != nil {
		text += " < " + shape(t, m.OldObject)
	}
	if m.Options != nil {
		text += ", " + shape(t, m.Options)
	}
	if m.DryRun {
		text += ", dry run"
	}
	return text + ", by " + m.User.Username
}

// shape is an object without what every object has.
func shape(t *testing.T, object runtime.Object) string {
	t.Helper()
	if object == nil {
		return "nothing"
	}
	raw, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		t.Fatal(err)
	}
	prune(fields)
	if raw, err = json.Marshal(fields); err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// prune takes away what is empty or said elsewhere.
func prune(fields map[string]any) {
	for _, name := range []string{"apiVersion", "managedFields", "creationTimestamp", "namespace"} {
		delete(fields, name)
	}
	for name, value := range fields {
		child, ok := value.(map[string]any)
		if ok {
			prune(child)
		}
		if value == nil || ok && len(child) == 0 {
			delete(fields, name)
		}
	}
}

// matchFile compares the gist of requests with a file, each request on a line.
func matchFile(t *testing.T, got string, path ...string) {
	t.Helper()
	file := filepath.Join(append([]string{"testdata"}, path...)...)
	got += "\n"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// ann is who asks, in the namespace shop.
func ann() requests.Settings {
	return requests.Settings{
		Namespace: "shop",
		By:        request.By{User: authenticationv1.UserInfo{Username: "ann"}},
	}
}

// with returns ann's settings after a change.
func with(change func(*requests.Settings)) requests.Settings {
	s := ann()
	change(&s)
	return s
}
