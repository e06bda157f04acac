package request

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
)

// Details are what a request can be besides the creation of an object. The maps
// are copied.
type Details struct {
	// Operation is Create, Update or Delete. The default is Create.
	Operation apiadmission.Operation
	// Namespace is where the object is. The default is Namespace.
	Namespace string
	// Version is that of a widget. The default is v1.
	Version string
	// Labels are those of the object, and OldLabels those of the old one, both
	// besides its NumberLabel.
	Labels, OldLabels map[string]string
	DryRun            bool
}

func (d Details) withDefaults() Details {
	if d.Operation == "" {
		d.Operation = apiadmission.Create
	}
	if d.Namespace == "" {
		d.Namespace = Namespace
	}
	if d.Version == "" {
		d.Version = WidgetKind().Version
	}
	return d
}

// PodOf returns a request for a pod.
func PodOf(number int, d Details) (*Attributes, apiadmission.ObjectInterfaces) {
	d = d.withDefaults()
	create := func(labels map[string]string) runtime.Object {
		pod := newPod(number, labels)
		pod.Namespace = d.Namespace
		return pod
	}
	return d.attributes(number, create, PodKind(), PodResource()), typed()
}

// WidgetOf returns a request for a widget.
func WidgetOf(number int, d Details) (*Attributes, apiadmission.ObjectInterfaces) {
	d = d.withDefaults()
	kind, resource := WidgetKind(), WidgetResource()
	kind.Version, resource.Version = d.Version, d.Version
	create := func(labels map[string]string) runtime.Object {
		widget := newWidget(number, labels)
		widget.SetNamespace(d.Namespace)
		convertWidget(widget, d.Version)
		return widget
	}
	return d.attributes(number, create, kind, resource), custom()
}

// Exec returns the request for a command in a pod: CONNECT to pods/exec.
func Exec(number int, d Details) (*Attributes, apiadmission.ObjectInterfaces) {
	d = d.withDefaults()
	options := &corev1.PodExecOptions{
		Stdout: true, Container: execContainer, Command: []string{"date"},
	}
	return &Attributes{Attributes: apiadmission.NewAttributesRecord(options, nil, ExecKind(),
		d.Namespace, Named(number), PodResource(), "exec", apiadmission.Connect, nil, false,
		alice())}, typed()
}

const execContainer = "web"

// ExecKind is the kind of the options of pods/exec.
func ExecKind() schema.GroupVersionKind {
	return corev1.SchemeGroupVersion.WithKind("PodExecOptions")
}

// attributes are those of a request for what create returns.
func (d Details) attributes(
	number int, create func(labels map[string]string) runtime.Object,
	kind schema.GroupVersionKind, resource schema.GroupVersionResource,
) *Attributes {
	var object, old, options runtime.Object
	switch d.Operation {
	case apiadmission.Update:
		object, old, options = create(d.Labels), create(d.OldLabels), &metav1.UpdateOptions{}
	case apiadmission.Delete:
		old, options = create(d.OldLabels), &metav1.DeleteOptions{}
	default:
		object, options = create(d.Labels), &metav1.CreateOptions{}
	}
	return &Attributes{Attributes: apiadmission.NewAttributesRecord(object, old, kind,
		d.Namespace, Named(number), resource, "", d.Operation, options, d.DryRun, alice())}
}

func alice() user.Info {
	return &user.DefaultInfo{Name: "alice", Groups: []string{"users", "system:authenticated"}}
}
