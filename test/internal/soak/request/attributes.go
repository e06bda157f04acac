package request

import (
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
)

// Attributes are those of a request, and remember what was annotated. Make them
// with Pod, Widget and the like, or around those of others.
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
	return PodOf(number, Details{Labels: labels})
}

// Widget is Pod for a custom resource without a Go type.
func Widget(number int, labels map[string]string) (*Attributes, apiadmission.ObjectInterfaces) {
	return WidgetOf(number, Details{Labels: labels})
}

// Either returns a pod for even numbers and a widget for odd ones.
func Either(number int, labels map[string]string) (*Attributes, apiadmission.ObjectInterfaces) {
	if number%2 == 0 {
		return Pod(number, labels)
	}
	return Widget(number, labels)
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

// ContainerKey is the name under which Labels has the container of
// PodExecOptions.
const ContainerKey = "container"

// Labels returns the labels of the object as it is now, nil if it has no
// metadata. They are not to be changed. Of PodExecOptions, which have none, it
// returns the container if it is not the one that Exec has chosen.
func (a *Attributes) Labels() map[string]string {
	switch object := a.GetObject().(type) {
	case metav1.Object:
		return object.GetLabels()
	case *corev1.PodExecOptions:
		if object.Container != execContainer {
			return map[string]string{ContainerKey: object.Container}
		}
	}
	return nil
}
