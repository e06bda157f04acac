package parity

import (
	"fmt"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/parity/harness"
	"example.com/gatehouse/test/internal/parity/scenario"
)

// ofObjects is the source of scenarios about what patches do to objects.
const ofObjects = "objects"

// objectRow is an object and a patch of it.
type objectRow struct {
	row
	kind     metav1.GroupVersionKind
	object   string // without kind, apiVersion and name
	patch    string // its operations; the object is only sent if there are none
	defaults []scenario.GoValue
	writes   []scenario.GoValue // by an in-tree plugin
	// chained leaves out the patch on its own: what the defaulter writes last,
	// kube-apiserver cannot copy.
	chained bool
}

func kindOf(group, version, kind string) metav1.GroupVersionKind {
	return metav1.GroupVersionKind{Group: group, Version: version, Kind: kind}
}

func objectRows() []objectRow {
	var (
		pod        = kindOf("", "v1", "Pod")
		revision   = kindOf("apps", "v1", "ControllerRevision")
		claim      = kindOf("resource.k8s.io", "v1", "ResourceClaim")
		definition = kindOf("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
		widget     = kindOf("acme.example.com", "v1", "Widget")
	)
	const opaque = `"spec":{"devices":{"config":[{"opaque":{"driver":"d.example.com","parameters":{"b":1,"a":1}}}]}}`
	const schemas = `"spec":{"versions":[{"name":"v1","schema":{"openAPIV3Schema":{"type":"object","properties":{"a":{"default":{"b":1,"a":1}}}}}}]}`
	large := fmt.Sprintf(`"spec":{"text":%q}`, strings.Repeat("x", 400_000))
	return []objectRow{
		{row: row{"D1 blanks", "bytes are stored compact, so nothing changes"}, kind: revision, object: `"data":{"a":1}`, patch: `{"op":"replace","path":"/data","value":{ "a" : 1 }}`},
		{row: row{"D1 HTML", "it is stored escaped"}, kind: revision, object: `"data":{"a":1}`, patch: `{"op":"replace","path":"/data","value":{"a":"<"}}`},
		{row: row{"D1 order", "names are sorted where an operation leads"}, kind: revision, object: `"data":{"b":1,"a":2}`, patch: `{"op":"add","path":"/data/c","value":3}`},
		{row: row{"D1 twice", "the last one counts"}, kind: revision, object: `"data":{"a":1,"a":2}`, patch: `{"op":"replace","path":"/data/a","value":3}`},
		{row: row{"D1 opaque parameters", "the same in the middle of an object"}, kind: claim, object: opaque, patch: `{"op":"add","path":"/spec/devices/config/0/opaque/parameters/c","value": [ "<" ]}`},
		{row: row{"D1 the same opaque parameters", "a change of form is none of content"}, kind: claim, object: opaque, patch: `{"op":"replace","path":"/spec/devices/config/0/opaque/parameters","value":{ "b":1,"a":1 }}`},
		{row: row{"D1 managed fields", "of any object"}, kind: pod, object: `"managed":true`, patch: `{"op":"add","path":"/metadata/managedFields","value":[{"manager":"m","fieldsV1":{ "f:b":{},"f:a": {} }}]}`},
		{row: row{"D1 schemas", "JSON in a CustomResourceDefinition"}, kind: definition, object: schemas, patch: `{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties/a/default/c","value":{ "x" : "&" }}`},
		{row: row{"D1 custom", "a custom resource has no bytes"}, kind: widget, object: `"spec":{"b":1,"a":2}`, patch: `{"op":"add","path":"/spec/c","value":{ "b" : "<", "a" : 1.0 }}`},

		{row: row{"D2 slash", "the empty name is that of no field"}, kind: pod, object: `"spec":{}`, patch: `{"op":"add","path":"/","value":{}}`},
		{row: row{"D2 slash with a kind", "it is ignored all the same"}, kind: pod, object: `"spec":{}`, patch: `{"op":"add","path":"/","value":{"kind":"Pod","apiVersion":"v1"}}`},
		{row: row{"D2 slash in a custom resource", "it is a field like others"}, kind: widget, object: `"spec":{}`, patch: `{"op":"add","path":"/","value":{"a":1}}`},

		{row: row{"D3 Kelvin sign", "encoding/json takes it for a k"}, kind: pod, object: `"spec":{}`, patch: "{\"op\":\"add\",\"path\":\"/\u212aind\",\"value\":\"Nothing\"}"},
		{row: row{"D3 long s", "encoding/json takes it for an s"}, kind: pod, object: `"spec":{}`, patch: "{\"op\":\"add\",\"path\":\"/apiVer\u017fion\",\"value\":\"v9\"}"},
		{row: row{"D3 Kelvin sign in a custom resource", "the kind is what is written kind"}, kind: widget, object: `"spec":{}`, patch: "{\"op\":\"add\",\"path\":\"/\u212aind\",\"value\":7}"},
		{row: row{"D3 capitals", "they come before kind, so they do not count"}, kind: pod, object: `"spec":{}`, patch: `{"op":"add","path":"/KIND","value":"Nothing"}`},
		{row: row{"D3 capitals of another type", "an error all the same"}, kind: pod, object: `"spec":{}`, patch: `{"op":"add","path":"/KIND","value":7}`},

		{row: row{"another kind", "no conversion leads from the new kind to the old one"}, kind: pod, object: `"spec":{}`, patch: `{"op":"replace","path":"/kind","value":"ConfigMap"}`},
		{row: row{"unknown kind", "the patch cannot be applied"}, kind: pod, object: `"spec":{}`, patch: `{"op":"replace","path":"/kind","value":"Nothing"}`},

		{row: row{"D4 int", "JSON has no int: a copy panics"}, kind: widget, object: `"spec":{}`, patch: `{"op":"add","path":"/status","value":1}`, writes: []scenario.GoValue{{Field: "number", Value: "int"}}},
		{row: row{"D4 int in a large object", "it is patched as any other"}, kind: widget, object: large, patch: `{"op":"add","path":"/status","value":1}`, writes: []scenario.GoValue{{Field: "number", Value: "int"}}},

		{row: row{"D5 float", "read back as an int64 by the next patch"}, kind: widget, object: `"spec":{}`, patch: `{"op":"add","path":"/status","value":1}`, defaults: []scenario.GoValue{{Field: "number", Value: "float"}}},
		{row: row{"D5 int", "the same"}, kind: widget, object: `"spec":{}`, patch: `{"op":"add","path":"/status","value":1}`, defaults: []scenario.GoValue{{Field: "number", Value: "int"}}, chained: true},
		{row: row{"replaced element", "the others stay where they are"}, kind: widget, object: `"spec":{"list":[1,2]}`, patch: `{"op":"replace","path":"/spec/list/0","value":3}`},
		{row: row{"quoted name", "the text of the object has to escape it"}, kind: pod, object: `"spec":{}`, patch: `{"op":"add","path":"/metadata/labels/say \"hi\"","value":"1"}`},
		{row: row{"D6 time", "the next patch drops the nanoseconds"}, kind: pod, object: `"spec":{}`, patch: `{"op":"add","path":"/metadata/labels/d","value":"6"}`, defaults: []scenario.GoValue{{Field: "at", Value: "time"}}},
		{row: row{"D6 time in a custom resource", "it becomes a string"}, kind: widget, object: `"spec":{}`, patch: `{"op":"add","path":"/status","value":1}`, defaults: []scenario.GoValue{{Field: "at", Value: "time"}}, chained: true},

		{row: row{"D7 NaN", "the error names the type that holds the object"}, kind: widget, object: `"spec":{}`, patch: `{"op":"add","path":"/status","value":1}`, writes: []scenario.GoValue{{Field: "number", Value: "NaN"}}},
		{row: row{"D7 NaN by a defaulter", "the same, for the next webhook"}, kind: widget, object: `"spec":{}`, patch: `{"op":"add","path":"/status","value":1}`, defaults: []scenario.GoValue{{Field: "number", Value: "NaN"}}},
	}
}

// TestPatchesOfObjects takes each row alone and in a chain: between patches of
// labels, with reinvocation, and with validating webhooks behind it.
func TestPatchesOfObjects(t *testing.T) {
	h := newHarness(t)
	for _, tc := range testtable.Checked(t, objectRows()) {
		t.Run(tc.Name(), func(t *testing.T) {
			for _, chain := range []bool{false, true} {
				if tc.chained && !chain {
					continue
				}
				s := tc.scenario(chain)
				found, err := h.Run(t.Context(), &s, harness.Gatehouse, harness.Exact, harness.Explained)
				if err != nil {
					t.Fatal(err)
				}
				compared.add(ofObjects, 1, len(found))
				for _, d := range found {
					t.Errorf("chain %v: %s\n%s", chain, tc.Why(), d)
				}
			}
		})
	}
}

func (tc *objectRow) scenario(chain bool) scenario.Scenario {
	paths := []string{"/patch"}
	if chain {
		paths = []string{"/label", "/patch", "/another", "/patch", "/label"}
	}
	s := scenario.Scenario{Name: tc.Name(), Why: tc.Why(), Environment: scenario.Environment{
		Defaults: tc.defaults,
		Answers: map[string][]scenario.Answer{
			"/label":   patching(`{"op":"add","path":"/metadata/labels/c","value":"1"}`),
			"/another": patching(`{"op":"add","path":"/metadata/labels/c","value":"2"}`),
			"/patch":   patching(tc.patch),
			"/allow":   allowing(),
		},
	}}
	if tc.writes != nil {
		s.InTree = []scenario.InTree{{Writes: tc.writes}}
	}
	var webhooks []registrationv1.MutatingWebhook
	for i, path := range paths {
		w := anyone(fmt.Sprintf("hook%d", i), path)
		w.ReinvocationPolicy = new(registrationv1.IfNeededReinvocationPolicy)
		webhooks = append(webhooks, w)
	}
	s.Mutating = mutatingWith(webhooks...)
	s.Validating = validatingWith(anyone("validating", "/allow"))
	q := requestFor(tc.kind)
	q.Object = objectOf(tc.kind, `"metadata":{"name":"x","namespace":"shop","labels":{"a":"b"}},`+tc.object)
	s.Steps = []scenario.Step{{Request: q}}
	return s
}

// requestFor is a creation of an object called x, without the object.
func requestFor(kind metav1.GroupVersionKind) scenario.Request {
	q := scenario.Request{
		Operation: "CREATE", Kind: kind, Name: "x", Namespace: "shop",
		Resource: metav1.GroupVersionResource{Group: kind.Group, Version: kind.Version, Resource: strings.ToLower(kind.Kind) + "s"},
	}
	if kind.Kind == "Widget" {
		q.Form = scenario.Unstructured
	}
	return q
}

func objectOf(kind metav1.GroupVersionKind, members string) *runtime.RawExtension {
	apiVersion := metav1.GroupVersion{Group: kind.Group, Version: kind.Version}.String()
	return &runtime.RawExtension{Raw: fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,%s}`, apiVersion, kind.Kind, members)}
}
