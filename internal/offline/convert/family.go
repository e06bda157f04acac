package convert

import (
	"errors"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// family is a kind with all its versions.
type family struct {
	kind string
	// resource is the plural that all versions have. It is empty for kinds that
	// are not resources, such as Scale.
	resource string
	// versions are in the order of Equivalents.
	versions []version
	// hub makes an object of the version through which all conversions go.
	hub func() runtime.Object
}

// version is one of a family's versions.
type version struct {
	gv schema.GroupVersion
	// prototype is a nil pointer of the Go type.
	prototype runtime.Object
	// toHub sets the fields of the hub that differs says are not carried over.
	// It may take from both and changes only the hub. Nil if there are none.
	toHub func(from, hub runtime.Object) error
	// fromHub is the way back, for which the same is true.
	fromHub func(hub, to runtime.Object) error
	// settle writes into the hub what this version takes for granted and others
	// do not. Nil if all versions agree.
	settle func(hub runtime.Object)
	// differs are the JSON paths of the fields that only this version has, or
	// only the hub, or that the two have in different types. Empty says that
	// both have the same shape.
	differs []string
}

// same is a version of the hub's shape and meaning, or the hub itself.
func same(gv schema.GroupVersion, prototype runtime.Object) version {
	return version{gv: gv, prototype: prototype}
}

// special is a version that needs functions of its own. Either may be nil.
func special[V, H runtime.Object](gv schema.GroupVersion, toHub func(V, H) error, fromHub func(H, V) error) version {
	var prototype V
	v := same(gv, prototype)
	if toHub != nil {
		v.toHub = func(from, hub runtime.Object) error { return toHub(from.(V), hub.(H)) }
	}
	if fromHub != nil {
		v.fromHub = func(hub, to runtime.Object) error { return fromHub(hub.(H), to.(V)) }
	}
	return v
}

// but says in which fields a version differs from the hub.
func (v version) but(paths ...string) version {
	v.differs = paths
	return v
}

// settled says what a version takes for granted.
func settled[H runtime.Object](v version, settle func(H)) version {
	v.settle = func(hub runtime.Object) { settle(hub.(H)) }
	return v
}

// convert is Convert for two versions of the family.
func (f *family) convert(object runtime.Object, source, target *version) (runtime.Object, error) {
	if reflect.ValueOf(object).IsNil() {
		return nil, errors.New("there is no object")
	}
	from := object.DeepCopyObject()
	if source == target {
		return from, nil
	}
	hub, err := f.enter(from, source)
	if err != nil {
		return nil, err
	}
	to := target.empty()
	carry(to, hub)
	if target.fromHub != nil {
		if err := target.fromHub(hub, to); err != nil {
			return nil, err
		}
	}
	return to, nil
}

// enter makes the hub of an object, which is given away.
func (f *family) enter(from runtime.Object, source *version) (runtime.Object, error) {
	hub := f.hub()
	carry(hub, from)
	if source.toHub != nil {
		if err := source.toHub(from, hub); err != nil {
			return nil, err
		}
	}
	if source.settle != nil {
		source.settle(hub)
	}
	return hub, nil
}

func (v *version) empty() runtime.Object {
	return reflect.New(reflect.TypeOf(v.prototype).Elem()).Interface().(runtime.Object)
}

// table returns all families.
func table() []family {
	var all []family
	for _, some := range [][]family{workloads(), scales(), batches(), policies(), roles(), leases(), storages(), ingresses(), networks(), autoscalers(), events()} {
		all = append(all, some...)
	}
	return all
}
