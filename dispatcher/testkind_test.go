package dispatcher_test

import (
	"errors"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
)

// testKind is a kind with two versions and an internal one, which no webhook
// ever sees. v1 calls the color "color", v2 calls it "paint" and cannot say
// "plaid".
type testKind struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Color string
	Size  int
}

type testKindV1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Color             string `json:"color,omitempty"`
	Size              int    `json:"size,omitempty"`
}

type testKindV2 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Paint             string `json:"paint,omitempty"`
	Size              int    `json:"size,omitempty"`
}

func (g *testKind) DeepCopyObject() runtime.Object { c := *g; c.ObjectMeta = *g.DeepCopy(); return &c }
func (g *testKindV1) DeepCopyObject() runtime.Object {
	c := *g
	c.ObjectMeta = *g.DeepCopy()
	return &c
}
func (g *testKindV2) DeepCopyObject() runtime.Object {
	c := *g
	c.ObjectMeta = *g.DeepCopy()
	return &c
}

const toys = "toys.example.com"

var (
	toysV1      = schema.GroupVersion{Group: toys, Version: "v1"}
	toysV2      = schema.GroupVersion{Group: toys, Version: "v2"}
	testKindGVK = toysV1.WithKind("Gadget")
)

// testKindRequest is a request to the v1 endpoint.
func testKindRequest(object *testKind) request {
	return request{kind: testKindGVK, resource: toysV1.WithResource("gadgets"), object: object}
}

// testKindInterfaces know gadgets. They default a missing size to 1 and count
// the conversions to each version.
type testKindInterfaces struct {
	apiadmission.ObjectInterfaces
	toV1, toV2 atomic.Int32
}

func newTestKindInterfaces() *testKindInterfaces {
	g := &testKindInterfaces{}
	s := runtime.NewScheme()
	s.AddKnownTypeWithName(schema.GroupVersionKind{Group: toys, Version: runtime.APIVersionInternal, Kind: "Gadget"}, &testKind{})
	s.AddKnownTypeWithName(testKindGVK, &testKindV1{})
	s.AddKnownTypeWithName(toysV2.WithKind("Gadget"), &testKindV2{})
	s.AddTypeDefaultingFunc(&testKindV1{}, func(o any) { defaultSize(&o.(*testKindV1).Size) })
	s.AddTypeDefaultingFunc(&testKindV2{}, func(o any) { defaultSize(&o.(*testKindV2).Size) })
	g.addConversions(s)

	mapper := runtime.NewEquivalentResourceRegistryWithIdentity(func(r schema.GroupResource) string { return r.Resource })
	for _, gv := range []schema.GroupVersion{toysV1, toysV2} {
		mapper.RegisterKindFor(gv.WithResource("gadgets"), "", gv.WithKind("Gadget"))
	}
	// A version that the mapper knows and the convertor does not.
	mapper.RegisterKindFor(schema.GroupVersionResource{Group: toys, Version: "v3", Resource: "gadgets"}, "", schema.GroupVersionKind{})
	g.ObjectInterfaces = &apiadmission.RuntimeObjectInterfaces{
		ObjectCreater: s, ObjectTyper: s, ObjectDefaulter: s, ObjectConvertor: s, EquivalentResourceMapper: mapper,
	}
	return g
}

func defaultSize(size *int) {
	if *size == 0 {
		*size = 1
	}
}

func (g *testKindInterfaces) addConversions(s *runtime.Scheme) {
	add := func(from, to any, f conversion.ConversionFunc) {
		if err := s.AddConversionFunc(from, to, f); err != nil {
			panic(err)
		}
	}
	add((*testKind)(nil), (*testKindV1)(nil), func(a, b any, _ conversion.Scope) error {
		g.toV1.Add(1)
		in, out := a.(*testKind), b.(*testKindV1)
		out.ObjectMeta, out.Color, out.Size = *in.DeepCopy(), in.Color, in.Size
		return nil
	})
	add((*testKindV1)(nil), (*testKind)(nil), func(a, b any, _ conversion.Scope) error {
		in, out := a.(*testKindV1), b.(*testKind)
		out.ObjectMeta, out.Color, out.Size = *in.DeepCopy(), in.Color, in.Size
		if in.Color == "invisible" {
			return errors.New("unknown color")
		}
		return nil
	})
	add((*testKind)(nil), (*testKindV2)(nil), func(a, b any, _ conversion.Scope) error {
		g.toV2.Add(1)
		in, out := a.(*testKind), b.(*testKindV2)
		out.ObjectMeta, out.Paint, out.Size = *in.DeepCopy(), in.Color, in.Size
		if in.Color == "plaid" {
			return errors.New("v2 has no plaid")
		}
		return nil
	})
	add((*testKindV2)(nil), (*testKind)(nil), func(a, b any, _ conversion.Scope) error {
		in, out := a.(*testKindV2), b.(*testKind)
		out.ObjectMeta, out.Color, out.Size = *in.DeepCopy(), in.Paint, in.Size
		return nil
	})
}
