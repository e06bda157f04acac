package defaults

import (
	"math/rand/v2"
	"reflect"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// generator makes random objects of any type. It is a plain generator of random
// numbers: a pod has so many fields that drawing each from a property test,
// which could make a failure smaller, would take minutes.
type generator struct {
	*rand.Rand
	// full says that every field is set, so that nothing is left to be.
	full bool
}

// value sets a value and everything in it.
func (g generator) value(v reflect.Value) {
	if special, ok := g.special(v.Interface()); ok {
		v.Set(reflect.ValueOf(special))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			g.value(v.Field(i))
		}
		if g.full {
			agreed(v.Addr().Interface())
		}
	case reflect.Pointer:
		if g.flip() {
			v.Set(reflect.New(v.Type().Elem()))
			g.value(v.Elem())
		}
	case reflect.Slice:
		g.slice(v)
	case reflect.Map:
		g.oneEntry(v)
	case reflect.String:
		v.SetString(g.word())
	case reflect.Bool:
		v.SetBool(g.flip())
	case reflect.Int32, reflect.Int64:
		v.SetInt(g.number())
	case reflect.Uint8:
		v.SetUint(uint64(g.number()))
	default:
		panic("no random value is known for " + v.Type().String())
	}
}

// agreed has the fields that are one say the same, as full objects do.
func agreed(part any) {
	switch p := part.(type) {
	case *corev1.PodSpec:
		p.DeprecatedServiceAccount = p.ServiceAccountName
	case *corev1.PodStatus:
		p.PodIP = p.PodIPs[0].IP
	}
}

func (g generator) slice(v reflect.Value) {
	size := 1
	if !g.full {
		size = g.IntN(3)
	}
	v.Set(reflect.MakeSlice(v.Type(), size, 2))
	for i := range size {
		g.value(v.Index(i))
	}
}

func (g generator) oneEntry(v reflect.Value) {
	if !g.flip() {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	g.value(key)
	g.value(value)
	v.SetMapIndex(key, value)
}

// special is for types with unexported fields, and those of which a random one
// says nothing.
func (g generator) special(v any) (any, bool) {
	switch v.(type) {
	case metav1.TypeMeta:
		return metav1.TypeMeta{}, true
	case metav1.ObjectMeta:
		return g.metadata(), true
	case metav1.Time:
		return metav1.Unix(g.number(), 0), true
	case metav1.MicroTime:
		return metav1.NewMicroTime(time.Unix(g.number(), 0)), true
	case resource.Quantity:
		return *resource.NewMilliQuantity(g.number(), resource.DecimalSI), true
	case intstr.IntOrString:
		if g.full || g.flip() {
			return intstr.FromInt32(int32(g.number())), true
		}
		return intstr.FromString(g.word()), true
	case runtime.RawExtension:
		return runtime.RawExtension{Raw: []byte(`{"a":1}`)}, true
	case corev1.ResourceList:
		return g.resources(), true
	case corev1.Affinity, corev1.SecurityContext, corev1.TopologySpreadConstraint, corev1.PodDNSConfig:
		// Large, and no defaults within.
		return reflect.Zero(reflect.TypeOf(v)).Interface(), true
	}
	return nil, false
}

func (g generator) metadata() metav1.ObjectMeta {
	m := metav1.ObjectMeta{Name: g.word()}
	if g.flip() {
		m.Labels = map[string]string{g.word(): g.word(), corev1.LabelMetadataName: m.Name}
	}
	return m
}

// resources has one name if the object is full, so that no list lacks what
// another has.
func (g generator) resources() corev1.ResourceList {
	if g.full {
		return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}
	}
	list := corev1.ResourceList{}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, "hugepages-2Mi", "example.com/gpu"} {
		if g.flip() {
			list[name] = *resource.NewMilliQuantity(g.number(), resource.DecimalSI)
		}
	}
	return list
}

// word is often one that has a meaning in the API.
func (g generator) word() string {
	words := []string{
		"a", "b:latest", "ClientIP", "ClusterIP", "LoadBalancer", "NodePort", "RollingUpdate", "Recreate",
		"OnDelete", "Container", "ExactCount", "All", "User", "Group", "ServiceAccount", "Exempt", "Limited",
	}
	if !g.full {
		words = append(words, "None", "", "", "")
	}
	return words[g.IntN(len(words))]
}

func (g generator) flip() bool {
	return g.full || g.IntN(2) == 0
}

// number is rarely zero, and never in a full object.
func (g generator) number() int64 {
	if !g.full && g.IntN(4) == 0 {
		return 0
	}
	return 1 + g.Int64N(100)
}
