package parity

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubernetesscheme "k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/test/internal/parity/harness"
	"example.com/gatehouse/test/internal/parity/scenario"
)

// ofTypes is the source of scenarios about types that encode or decode
// themselves.
const ofTypes = "types"

// samples are two values of each type of k8s.io/api and apiextensions that
// encodes or decodes itself, as a client may write them.
var samples = map[string][2]string{
	"intstr.IntOrString":              {`8080`, `"http"`},
	"resource.Quantity":               {`"1500m"`, `2e3`},
	"runtime.RawExtension":            {`{"b":1,"a":{"c":[1, 2],"c":"<"}}`, `{ "x" : "\u00e9" }`},
	"v1.FieldsV1":                     {`{"f:b":{},"f:a":{"f:c":{ }}}`, `{ "f:a" : {} }`},
	"v1.JSON":                         {`{"b":1,"a":[1.0, true]}`, `[ "<" ]`},
	"v1.JSONSchemaPropsOrArray":       {`{"type":"string"}`, `[{"type":"string"}, {}]`},
	"v1.JSONSchemaPropsOrBool":        {`true`, `{"type":"string"}`},
	"v1.JSONSchemaPropsOrStringArray": {`["a", "b"]`, `{"required":["a"]}`},
	"v1.MicroTime":                    {`"2026-01-02T03:04:05.678901Z"`, `"2026-01-02T03:04:05.6Z"`},
	"v1.Time":                         {`"2026-01-02T03:04:05Z"`, `"2026-01-02T04:04:05.678+01:00"`},
}

// field is where a type that encodes or decodes itself is.
type field struct {
	root   schema.GroupVersionKind
	path   []string // names of JSON, and 0 for elements of lists
	custom string   // the type
	parent reflect.Type
}

// perType is in how many types of parents each type is tried.
const perType = 12

// TestPatchesOfTypes finds every such type, puts a value of it into an object,
// and applies every kind of patch to it, above it and below it.
func TestPatchesOfTypes(t *testing.T) {
	h := newHarness(t)
	patched := 0
	h.Watch(func(side harness.Side, o *harness.Observation) {
		if side == harness.Upstream && hasKey(o.Request, "patch.webhook.admission.k8s.io/round_0_index_1") {
			patched++
		}
	})
	found := map[string]int{}
	for _, f := range selfEncoding(t) {
		sample, known := samples[f.custom]
		if !known {
			t.Errorf("%s of %v has no sample", f.custom, f.root)
			continue
		}
		found[f.custom]++
		s := f.scenario(sample)
		differences, err := h.Run(t.Context(), &s)
		if err != nil {
			t.Fatalf("%v %v: %v", f.root, f.path, err)
		}
		compared.add(ofTypes, len(s.Steps), len(differences))
		for _, d := range differences {
			t.Errorf("%v /%s: %s", f.root, strings.Join(f.path, "/"), d)
		}
	}
	for custom := range samples {
		if found[custom] == 0 {
			t.Errorf("no field of type %s was found", custom)
		}
	}
	compared.say("types: %d patches were applied, to fields of %d types", patched, len(found))
	if patched < 500 {
		t.Errorf("only %d patches were applied", patched)
	}
}

// selfEncoding returns fields of every type that encodes or decodes itself, of
// all kinds that have metadata.
func selfEncoding(t *testing.T) []field {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{kubernetesscheme.AddToScheme, apiextensionsv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	var all []field
	for kind, typ := range scheme.AllKnownTypes() {
		if meta, has := typ.FieldByName("ObjectMeta"); has && meta.Type == reflect.TypeFor[metav1.ObjectMeta]() {
			f := field{root: kind}
			f.walk(typ, nil, &all)
		}
	}
	slices.SortFunc(all, func(a, b field) int {
		return strings.Compare(a.custom+a.root.String()+strings.Join(a.path, "/"), b.custom+b.root.String()+strings.Join(b.path, "/"))
	})
	return spread(all)
}

// spread returns some fields of each type, in different types of parents.
func spread(all []field) []field {
	type pair struct {
		custom string
		parent reflect.Type
	}
	seen, many := map[pair]bool{}, map[string]int{}
	return slices.DeleteFunc(all, func(f field) bool {
		p := pair{f.custom, f.parent}
		if seen[p] || many[f.custom] == perType {
			return true
		}
		seen[p] = true
		many[f.custom]++
		return false
	})
}

// walk adds the fields below a type. It does not enter recursive types again.
func (f field) walk(t reflect.Type, above []reflect.Type, all *[]field) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	marshaler, unmarshaler := reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler]()
	if p := reflect.PointerTo(t); p.Implements(marshaler) || p.Implements(unmarshaler) {
		f.custom = t.String()
		*all = append(*all, f)
		return
	}
	switch t.Kind() {
	case reflect.Slice:
		f.path = append(slices.Clip(f.path), "0")
		f.walk(t.Elem(), above, all)
	case reflect.Map:
		f.path = append(slices.Clip(f.path), "k")
		f.walk(t.Elem(), above, all)
	case reflect.Struct:
		if slices.Contains(above, t) {
			return
		}
		above = append(slices.Clip(above), t)
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			next := f
			next.parent = t
			if name != "" && name != "-" {
				next.path = append(slices.Clip(f.path), name)
			}
			if name != "-" {
				next.walk(t.Field(i).Type, above, all)
			}
		}
	}
}

// scenario has a request for each patch. The name of the object selects the
// patch.
func (f *field) scenario(sample [2]string) scenario.Scenario {
	s := scenario.Scenario{Name: f.custom, Why: "types that encode themselves are patched like others"}
	w := anyone("hook", "/patch")
	again := anyone("again", "/label")
	again.ReinvocationPolicy = new(registrationv1.IfNeededReinvocationPolicy)
	s.Mutating = mutatingWith(again, w)
	s.Validating = validatingWith(anyone("validating", "/allow"))
	s.Answers = map[string][]scenario.Answer{
		"/label": patching(`{"op":"add","path":"/metadata/labels","value":{"a":"b"}}`),
		"/allow": allowing(),
	}
	for i, patch := range f.patches(sample) {
		name := fmt.Sprintf("x%d", i)
		s.Answers["/patch"] = append(s.Answers["/patch"], scenario.Answer{
			When: &scenario.When{Path: "/metadata/name", Is: fmt.Appendf(nil, "%q", name)}, Allowed: true, Patch: "[" + patch + "]",
		})
		q := requestFor(metav1.GroupVersionKind(f.root))
		q.Name, q.Object = name, f.object(name, sample[0])
		s.Steps = append(s.Steps, scenario.Step{Request: q})
	}
	return s
}

// object is an object of the kind in which the field has a value.
func (f *field) object(name, value string) *runtime.RawExtension {
	content := value
	for _, step := range slices.Backward(f.path[1:]) {
		if step == "0" {
			content = "[" + content + "]"
		} else {
			content = fmt.Sprintf("{%q:%s}", step, content)
		}
	}
	metadata := fmt.Sprintf(`"name":%q,"namespace":"shop"`, name)
	if f.path[0] == "metadata" {
		return objectOf(metav1.GroupVersionKind(f.root), fmt.Sprintf(`"metadata":{%s,%s`, metadata, content[1:]))
	}
	return objectOf(metav1.GroupVersionKind(f.root), fmt.Sprintf(`"metadata":{%s},%q:%s`, metadata, f.path[0], content))
}

// patches are operations at the field, above it and below it.
func (f *field) patches(sample [2]string) []string {
	at := "/" + strings.Join(f.path, "/")
	parent := at[:strings.LastIndexByte(at, '/')]
	op := func(op, path, rest string) string { return fmt.Sprintf(`{"op":%q,"path":%q%s}`, op, path, rest) }
	value := func(v string) string { return `,"value":` + v }
	return []string{
		op("replace", at, value(sample[0])), op("replace", at, value(sample[1])),
		op("replace", at, value("  "+sample[0])), op("add", at, value(`{ "b" : "<&>" , "a" : 1.0 }`)),
		op("replace", at, value(`"<text>"`)), op("replace", at, value(`-1.50`)), op("replace", at, value("null")), op("replace", at, ""),
		op("add", at+"/x", value(`{ "y" : [ ] }`)), op("add", at+"/-", value(`"z"`)), op("add", at+"/0", value("1")), op("remove", at+"/0", ""),
		op("add", at+"/a", value("7")), op("remove", at+"/a", ""), op("replace", at+"/b", value(`" "`)),
		op("remove", at, ""), op("test", at, value(sample[0])) + "," + op("add", "/metadata/annotations", value(`{"t":"1"}`)),
		op("copy", parent+"/copied", fmt.Sprintf(`,"from":%q`, at)), op("move", "/moved", fmt.Sprintf(`,"from":%q`, at)),
		op("add", at, value(sample[1])) + "," + op("add", at+"/b", value("1")) + "," + op("remove", at, "") + "," + op("add", at, value(sample[0])),
	}
}
