package request

import (
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/authentication/user"
)

// Attributes are those of a request, and remember what was annotated. Make them
// with Pod or Widget, or around those of others.
type Attributes struct {
	apiadmission.Attributes

	mu    sync.Mutex
	noted []Annotation
}

// Annotation is an audit annotation that was added to a request.
type Annotation struct {
	Key, Value string
	// Level is the least level at which an audit event shows it.
	Level auditinternal.Level
}

// Pod returns the creation of a pod in Namespace, with these labels besides its
// NumberLabel, for one call of Admit and one of Validate. The map is copied.
func Pod(number int, labels map[string]string) (*Attributes, apiadmission.ObjectInterfaces) {
	return creation(newPod(number, labels), number, PodKind(), PodResource()), typed()
}

// Widget is Pod for a custom resource without a Go type.
func Widget(number int, labels map[string]string) (*Attributes, apiadmission.ObjectInterfaces) {
	return creation(newWidget(number, labels), number, WidgetKind(), WidgetResource()), custom()
}

// Either returns a pod for even numbers and a widget for odd ones.
func Either(number int, labels map[string]string) (*Attributes, apiadmission.ObjectInterfaces) {
	if number%2 == 0 {
		return Pod(number, labels)
	}
	return Widget(number, labels)
}

func creation(
	object runtime.Object, number int, kind schema.GroupVersionKind,
	resource schema.GroupVersionResource,
) *Attributes {
	asking := &user.DefaultInfo{Name: "alice", Groups: []string{"users", "system:authenticated"}}
	return &Attributes{Attributes: apiadmission.NewAttributesRecord(object, nil, kind,
		Namespace, Named(number),
		resource, "", apiadmission.Create, &metav1.CreateOptions{}, false, asking)}
}

// AddAnnotation implements apiadmission.Attributes.
func (a *Attributes) AddAnnotation(key, value string) error {
	return a.AddAnnotationWithLevel(key, value, auditinternal.LevelMetadata)
}

// AddAnnotationWithLevel implements apiadmission.Attributes.
func (a *Attributes) AddAnnotationWithLevel(key, value string, level auditinternal.Level) error {
	if err := a.Attributes.AddAnnotationWithLevel(key, value, level); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.noted = append(a.noted, Annotation{key, value, level})
	return nil
}

// Annotations returns what has been annotated so far, in that order. It belongs
// to the caller.
func (a *Attributes) Annotations() []Annotation {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.noted)
}

// Labels returns the labels of the object as it is now, nil if it has no
// metadata. They are not to be changed.
func (a *Attributes) Labels() map[string]string {
	if object, ok := a.GetObject().(metav1.Object); ok {
		return object.GetLabels()
	}
	return nil
}
