package apiserver

import (
	"fmt"
	"strconv"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
)

// The fields that clients may select objects by.

const (
	nameField      = "metadata.name"
	namespaceField = "metadata.namespace"
)

// attributes returns what selectors see of an object.
func (r resource) attributes(object runtime.Object) (labels.Set, fields.Set, error) {
	m := metadata(object)
	set := fields.Set{nameField: m.GetName()}
	if r.scope == namespaced {
		set[namespaceField] = m.GetNamespace()
	}
	for field, value := range r.fields {
		set[field] = value(object)
	}
	return m.GetLabels(), set, nil
}

var _ storage.AttrFunc = resource{}.attributes

// addFieldLabels has a scheme accept the fields of the table in selectors. Kinds
// with none are selected by name and namespace without.
func addFieldLabels(scheme *runtime.Scheme) error {
	for _, r := range resources() {
		if r.fields == nil {
			continue
		}
		for _, version := range r.versions() {
			if err := scheme.AddFieldLabelConversionFunc(version.WithKind(r.kind), r.convertField); err != nil {
				return err
			}
		}
	}
	return nil
}

// convertField returns what a field of a version is called in the database. The
// newer of the two kinds of events has new names.
func (r resource) convertField(field, value string) (string, string, error) {
	if rest, ok := strings.CutPrefix(field, "regarding."); ok {
		field = "involvedObject." + rest
	}
	if field == "reportingController" {
		field = "reportingComponent"
	}
	if _, known := r.fields[field]; known || field == nameField || field == namespaceField {
		return field, value, nil
	}
	return "", "", fmt.Errorf("field label not supported: %s", field)
}

type selectable = map[string]func(runtime.Object) string

// by makes a field of a function of a Go type.
func by[T runtime.Object](value func(T) string) func(runtime.Object) string {
	return func(object runtime.Object) string { return value(object.(T)) }
}

func namespaceFields() selectable {
	return selectable{
		"name":         by(func(n *corev1.Namespace) string { return n.Name }),
		"status.phase": by(func(n *corev1.Namespace) string { return string(n.Status.Phase) }),
	}
}

func podFields() selectable {
	return selectable{
		"spec.nodeName":            by(func(p *corev1.Pod) string { return p.Spec.NodeName }),
		"spec.restartPolicy":       by(func(p *corev1.Pod) string { return string(p.Spec.RestartPolicy) }),
		"spec.schedulerName":       by(func(p *corev1.Pod) string { return p.Spec.SchedulerName }),
		"spec.serviceAccountName":  by(func(p *corev1.Pod) string { return p.Spec.ServiceAccountName }),
		"spec.hostNetwork":         by(func(p *corev1.Pod) string { return strconv.FormatBool(p.Spec.HostNetwork) }),
		"status.phase":             by(func(p *corev1.Pod) string { return string(p.Status.Phase) }),
		"status.podIP":             by(func(p *corev1.Pod) string { return p.Status.PodIP }),
		"status.nominatedNodeName": by(func(p *corev1.Pod) string { return p.Status.NominatedNodeName }),
	}
}

func secretFields() selectable {
	return selectable{"type": by(func(s *corev1.Secret) string { return string(s.Type) })}
}

func serviceFields() selectable {
	return selectable{
		"spec.clusterIP": by(func(s *corev1.Service) string { return s.Spec.ClusterIP }),
		"spec.type":      by(func(s *corev1.Service) string { return string(s.Spec.Type) }),
	}
}

func nodeFields() selectable {
	return selectable{"spec.unschedulable": by(func(n *corev1.Node) string { return strconv.FormatBool(n.Spec.Unschedulable) })}
}

func eventFields() selectable {
	of := func(field func(corev1.ObjectReference) string) func(runtime.Object) string {
		return by(func(e *corev1.Event) string { return field(e.InvolvedObject) })
	}
	return selectable{
		"involvedObject.kind":            of(func(r corev1.ObjectReference) string { return r.Kind }),
		"involvedObject.namespace":       of(func(r corev1.ObjectReference) string { return r.Namespace }),
		"involvedObject.name":            of(func(r corev1.ObjectReference) string { return r.Name }),
		"involvedObject.uid":             of(func(r corev1.ObjectReference) string { return string(r.UID) }),
		"involvedObject.apiVersion":      of(func(r corev1.ObjectReference) string { return r.APIVersion }),
		"involvedObject.resourceVersion": of(func(r corev1.ObjectReference) string { return r.ResourceVersion }),
		"involvedObject.fieldPath":       of(func(r corev1.ObjectReference) string { return r.FieldPath }),
		"reason":                         by(func(e *corev1.Event) string { return e.Reason }),
		"reportingComponent":             by(func(e *corev1.Event) string { return e.ReportingController }),
		"source":                         by(sourceOf),
		"type":                           by(func(e *corev1.Event) string { return e.Type }),
	}
}

func sourceOf(e *corev1.Event) string {
	if e.Source.Component == "" {
		return e.ReportingController
	}
	return e.Source.Component
}

// replicaFields are those of ReplicaSets and their predecessor.
func replicaFields() selectable {
	return selectable{"status.replicas": func(o runtime.Object) string {
		return strconv.FormatInt(section(o, "Status").FieldByName("Replicas").Int(), 10)
	}}
}

func jobFields() selectable {
	return selectable{"status.successful": by(func(j *batchv1.Job) string { return strconv.Itoa(int(j.Status.Succeeded)) })}
}
