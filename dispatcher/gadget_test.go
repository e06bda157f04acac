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

// gadget is a kind with two versions and an internal one, which no webhook ever
// sees. v1 calls the color "color", v2 calls it "paint" and cannot say "plaid".
type gadget struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Color string
	Size  int
}

type gadgetV1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Color             string `json:"color,omitempty"`
	Size              int    `json:"size,omitempty"`
}

type gadgetV2 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Paint             string `json:"paint,omitempty"`
	Size              int    `json:"size,omitempty"`
}

func (g *gadget) DeepCopyObject() runtime.Object   { c := *g; c.ObjectMeta = *g.DeepCopy(); return &c }
func (g *gadgetV1) DeepCopyObject() runtime.Object { c := *g; c.ObjectMeta = *g.DeepCopy(); return &c }
func (g *gadgetV2) DeepCopyObject() runtime.Object { c := *g; c.ObjectMeta = *g.DeepCopy(); return &c }

const toys = "toys.example.com"

var (
	toysV1     = schema.GroupVersion{Group: toys, Version: "v1"}
	toysV2     = schema.GroupVersion{Group: toys, Version: "v2"}
	gadgetKind = toysV1.WithKind("Gadget")
)

// gadgetRequest is a request at the v1 endpoint.
func gadgetRequest(object *gadget) request {
	return request{kind: gadgetKind, resource: toysV1.WithResource("gadgets"), object: object}
}

// gadgetObjects know gadgets. They default a missing size to 1 and count the
// conversions to each version.
type gadgetObjects struct {
	apiadmission.ObjectInterfaces
	toV1, toV2 atomic.Int32
}

func newGadgetObjects() *gadgetObjects {
	g := &gadgetObjects{}
	s := runtime.NewScheme()
	s.AddKnownTypeWithName(schema.GroupVersionKind{Group: toys, Version: runtime.APIVersionInternal, Kind: "Gadget"}, &gadget{})
	s.AddKnownTypeWithName(gadgetKind, &gadgetV1{})
	s.AddKnownTypeWithName(toysV2.WithKind("Gadget"), &gadgetV2{})
	s.AddTypeDefaultingFunc(&gadgetV1{}, func(o any) { defaultSize(&o.(*gadgetV1).Size) })
	s.AddTypeDefaultingFunc(&gadgetV2{}, func(o any) { defaultSize(&o.(*gadgetV2).Size) })
	g.addConversions(s)

	mapper := runtime.NewEquivalentResourceRegistryWithIdentity(func(r schema.GroupResource) string { return r.Resource })
	for _, gv := range []schema.GroupVersion{toysV1, toysV2} {
		mapper.RegisterKindFor(gv.WithResource("gadgets"), "", gv.WithKind("Gadget"))
	}
	// A version that the mapper knows and nobody can convert to.
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

func (g *gadgetObjects) addConversions(s *runtime.Scheme) {
	add := func(from, to any, f conversion.ConversionFunc) {
		if err := s.AddConversionFunc(from, to, f); err != nil {
			panic(err)
		}
	}
	add((*gadget)(nil), (*gadgetV1)(nil), func(a, b any, _ conversion.Scope) error {
		g.toV1.Add(1)
		in, out := a.(*gadget), b.(*gadgetV1)
		out.ObjectMeta, out.Color, out.Size = *in.DeepCopy(), in.Color, in.Size
		return nil
	})
	add((*gadgetV1)(nil), (*gadget)(nil), func(a, b any, _ conversion.Scope) error {
		in, out := a.(*gadgetV1), b.(*gadget)
		out.ObjectMeta, out.Color, out.Size = *in.DeepCopy(), in.Color, in.Size
		if in.Color == "invisible" {
			return errors.New("nobody has seen this color")
		}
		return nil
	})
	add((*gadget)(nil), (*gadgetV2)(nil), func(a, b any, _ conversion.Scope) error {
		g.toV2.Add(1)
		in, out := a.(*gadget), b.(*gadgetV2)
		out.ObjectMeta, out.Paint, out.Size = *in.DeepCopy(), in.Color, in.Size
		if in.Color == "plaid" {
			return errors.New("v2 has no plaid")
		}
		return nil
	})
	add((*gadgetV2)(nil), (*gadget)(nil), func(a, b any, _ conversion.Scope) error {
		in, out := a.(*gadgetV2), b.(*gadget)
		out.ObjectMeta, out.Color, out.Size = *in.DeepCopy(), in.Paint, in.Size
		return nil
	})
}
