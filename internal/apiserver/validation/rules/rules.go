package rules

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validate validates a new object or, if old is not nil, the update of old.
func Validate(object, old runtime.Object) field.ErrorList {
	errs := validate(object)
	if old == nil || len(errs) == 0 {
		return errs
	}
	known := map[string]bool{}
	for _, err := range validate(old) {
		known[err.Error()] = true
	}
	return slices.DeleteFunc(errs, func(err *field.Error) bool { return known[err.Error()] })
}

func validate(object runtime.Object) field.ErrorList {
	w := walker{all: byType()}
	value := reflect.ValueOf(withClaims(object)).Elem()
	w.apply(value, nil)
	for i := range value.NumField() {
		f := value.Type().Field(i)
		if f.Name != "TypeMeta" && f.Name != "ObjectMeta" && f.Name != "Status" {
			w.walk(value.Field(i), field.NewPath(jsonName(f)))
		}
	}
	return w.errs
}

// withClaims returns a StatefulSet whose pod template has the volumes of the claim
// templates, as its pods will, and other objects as they are.
func withClaims(object runtime.Object) runtime.Object {
	set, ok := object.(*appsv1.StatefulSet)
	if !ok {
		return object
	}
	set = set.DeepCopy()
	spec := &set.Spec.Template.Spec
	for _, claim := range set.Spec.VolumeClaimTemplates {
		has := func(v corev1.Volume) bool { return v.Name == claim.Name }
		if !slices.ContainsFunc(spec.Volumes, has) {
			source := corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}
			spec.Volumes = append(spec.Volumes, corev1.Volume{Name: claim.Name, VolumeSource: source})
		}
	}
	return set
}

// check returns what is wrong with the value to which a pointer points.
type check func(pointer any, path *field.Path) field.ErrorList

// rule is a check of the values of a type.
type rule struct {
	of    reflect.Type
	check check
}

// byType returns all rules.
var byType = sync.OnceValue(func() map[reflect.Type][]check {
	all := map[reflect.Type][]check{}
	for _, r := range slices.Concat(
		enumRules(), podRules(), containerRules(), volumeRules(), schedulingRules(), workloadRules(),
		networkRules(), configRules(), storageRules(), clusterRules(), deviceRules(),
	) {
		all[r.of] = append(all[r.of], r.check)
	}
	return all
})

// leaves are the types whose fields are not validated separately.
var leaves = []reflect.Type{
	reflect.TypeFor[resource.Quantity](), reflect.TypeFor[intstr.IntOrString](),
	reflect.TypeFor[metav1.Time](), reflect.TypeFor[metav1.MicroTime](),
	reflect.TypeFor[runtime.RawExtension](), reflect.TypeFor[metav1.FieldsV1](),
}

// walker collects the errors of an object.
type walker struct {
	all  map[reflect.Type][]check
	errs field.ErrorList
}

func (w *walker) apply(v reflect.Value, path *field.Path) {
	for _, check := range w.all[v.Type()] {
		w.errs = append(w.errs, check(v.Addr().Interface(), path)...)
	}
}

// walk applies the rules to a value, which is addressable, and all values in it.
func (w *walker) walk(v reflect.Value, path *field.Path) {
	if slices.Contains(leaves, v.Type()) {
		return
	}
	if v.Kind() != reflect.Pointer {
		w.apply(v, path)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			w.walk(v.Elem(), path)
		}
	case reflect.Slice:
		for i := range v.Len() {
			w.walk(v.Index(i), path.Index(i))
		}
	case reflect.Map:
		w.walkMap(v, path)
	case reflect.Struct:
		w.walkFields(v, path)
	}
}

// walkMap walks through copies, because the values of a map are not addressable.
func (w *walker) walkMap(v reflect.Value, path *field.Path) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		return strings.Compare(a.String(), b.String())
	})
	for _, key := range keys {
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(v.MapIndex(key))
		w.walk(value, path.Key(key.String()))
	}
}

func (w *walker) walkFields(v reflect.Value, path *field.Path) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch name := jsonName(f); {
		case !f.IsExported(), skipped(v.Type(), f.Name):
		case name == "":
			w.walk(v.Field(i), path)
		default:
			w.walk(v.Field(i), path.Child(name))
		}
	}
}

// skipped reports whether kube-apiserver does not validate a field of a type.
func skipped(of reflect.Type, name string) bool {
	return of == reflect.TypeFor[appsv1.StatefulSetSpec]() && name == "VolumeClaimTemplates" ||
		of == reflect.TypeFor[batchv1.JobTemplateSpec]() && name == "ObjectMeta"
}

// jsonName returns the name of a field in JSON, or "" for an embedded one.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// fieldByJSON returns a field of a struct. It panics if there is none: a rule has
// a wrong name.
func fieldByJSON(v reflect.Value, name string) reflect.Value {
	for i := range v.NumField() {
		if jsonName(v.Type().Field(i)) == name {
			return v.Field(i)
		}
	}
	panic(fmt.Sprintf("%s has no field %q", v.Type(), name))
}
