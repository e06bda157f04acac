package sample

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/admission"
)

// updated is the annotation that an UPDATE adds.
const updated = "gatehouse/updated"

// stored returns the object as an API server would have stored it.
func (s *subject) stored() (runtime.Object, error) {
	object := s.object.DeepCopyObject()
	m, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	m.SetName(nameOf(object))
	m.SetNamespace(s.at.Namespace)
	m.SetUID(uid(s.at.Resource.String(), m.GetNamespace(), m.GetName()))
	m.SetResourceVersion("1")
	m.SetCreationTimestamp(metav1.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC))
	return object, nil
}

// changed returns a copy of an object with one more annotation.
func changed(object runtime.Object) (runtime.Object, error) {
	object = object.DeepCopyObject()
	m, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	annotations := map[string]string{updated: "true"}
	for key, value := range m.GetAnnotations() {
		annotations[key] = value
	}
	m.SetAnnotations(annotations)
	return object, nil
}

// uid returns a UID derived from the names of an object.
func uid(of ...string) types.UID {
	sum := sha256.Sum256(fmt.Append(nil, of))
	return types.UID(
		fmt.Sprintf("%x-%x-4%x-8%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16]))
}

// nameOf returns the name of an object, or one generated from its generateName.
func nameOf(object runtime.Object) string {
	m, err := meta.Accessor(object)
	if err != nil {
		return ""
	}
	if m.GetName() == "" && m.GetGenerateName() != "" {
		return m.GetGenerateName() + "sample"
	}
	return cmp.Or(m.GetName(), "sample")
}

// nameIn returns the name of the object of a request.
func nameIn(r *admission.Request) string {
	object := r.Object
	if object == nil {
		object = r.OldObject
	}
	if r.Name != "" || object == nil {
		return r.Name
	}
	return nameOf(object)
}
