package registry

import (
	"cmp"
	"fmt"
	"maps"
	"strconv"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/utils/ptr"

	"example.com/gatehouse/internal/apiserver/scheme"
)

const (
	nameField      = "metadata.name"
	namespaceField = "metadata.namespace"
)

// getAttrs returns the labels and fields by which clients select objects.
func (r Resource) getAttrs(object runtime.Object) (labels.Set, fields.Set, error) {
	m := accessor(object)
	set := fields.Set{nameField: m.GetName()}
	if r.NamespaceScoped {
		set[namespaceField] = m.GetNamespace()
	}
	if r.selectableFields != nil {
		maps.Copy(set, r.selectableFields(object))
	}
	return m.GetLabels(), set, nil
}

var _ storage.AttrFunc = Resource{}.getAttrs

// addFieldLabels makes a scheme accept the selectable fields of all Resources.
// Every scheme accepts name and namespace.
func addFieldLabels(s scheme.Schemes) error {
	for _, r := range Resources() {
		if r.selectableFields == nil {
			continue
		}
		_, known, err := r.getAttrs(s.MustNew(r.GroupVersionKind))
		if err != nil {
			return err
		}
		convert := func(field, value string) (string, string, error) {
			field = preferredField(field)
			if !known.Has(field) && field != namespaceField {
				return "", "", fmt.Errorf("field label not supported: %s", field)
			}
			return field, value, nil
		}
		for _, version := range r.Versions() {
			err := s.Scheme.AddFieldLabelConversionFunc(version.WithKind(r.Kind), convert)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// preferredField returns the name of a field in the preferred version. Only
// events have different names in different versions.
func preferredField(field string) string {
	if rest, ok := strings.CutPrefix(field, "regarding."); ok {
		return "involvedObject." + rest
	}
	if field == "reportingController" {
		return "reportingComponent"
	}
	return field
}

// The functions below implement Resource.selectableFields.

func namespaceFields(o runtime.Object) fields.Set {
	n := o.(*corev1.Namespace)
	return fields.Set{"name": n.Name, "status.phase": string(n.Status.Phase)}
}

func podFields(o runtime.Object) fields.Set {
	p := o.(*corev1.Pod)
	return fields.Set{
		"spec.nodeName":            p.Spec.NodeName,
		"spec.restartPolicy":       string(p.Spec.RestartPolicy),
		"spec.schedulerName":       p.Spec.SchedulerName,
		"spec.serviceAccountName":  p.Spec.ServiceAccountName,
		"spec.hostNetwork":         strconv.FormatBool(p.Spec.HostNetwork),
		"status.phase":             string(p.Status.Phase),
		"status.podIP":             p.Status.PodIP,
		"status.nominatedNodeName": p.Status.NominatedNodeName,
	}
}

func secretFields(o runtime.Object) fields.Set {
	return fields.Set{"type": string(o.(*corev1.Secret).Type)}
}

func serviceFields(o runtime.Object) fields.Set {
	spec := o.(*corev1.Service).Spec
	return fields.Set{"spec.clusterIP": spec.ClusterIP, "spec.type": string(spec.Type)}
}

func nodeFields(o runtime.Object) fields.Set {
	unschedulable := o.(*corev1.Node).Spec.Unschedulable
	return fields.Set{"spec.unschedulable": strconv.FormatBool(unschedulable)}
}

func eventFields(o runtime.Object) fields.Set {
	e := o.(*corev1.Event)
	involved := e.InvolvedObject
	return fields.Set{
		"involvedObject.kind":            involved.Kind,
		"involvedObject.namespace":       involved.Namespace,
		"involvedObject.name":            involved.Name,
		"involvedObject.uid":             string(involved.UID),
		"involvedObject.apiVersion":      involved.APIVersion,
		"involvedObject.resourceVersion": involved.ResourceVersion,
		"involvedObject.fieldPath":       involved.FieldPath,
		"reason":                         e.Reason,
		"reportingComponent":             e.ReportingController,
		"source":                         cmp.Or(e.Source.Component, e.ReportingController),
		"type":                           e.Type,
	}
}

// replicaFields are for ReplicaSets and ReplicationControllers.
func replicaFields(o runtime.Object) fields.Set {
	replicas := fieldOf(o, "Status").FieldByName("Replicas").Int()
	return fields.Set{"status.replicas": strconv.FormatInt(replicas, 10)}
}

func jobFields(o runtime.Object) fields.Set {
	return fields.Set{"status.successful": strconv.Itoa(int(o.(*batchv1.Job).Status.Succeeded))}
}

// signerFields are for CertificateSigningRequests and ClusterTrustBundles.
func signerFields(o runtime.Object) fields.Set {
	return fields.Set{"spec.signerName": fieldOf(o, "Spec").FieldByName("SignerName").String()}
}

func podCertificateFields(o runtime.Object) fields.Set {
	spec := o.(*certificatesv1.PodCertificateRequest).Spec
	return fields.Set{
		"spec.signerName": spec.SignerName, "spec.podName": spec.PodName,
		"spec.nodeName": string(spec.NodeName),
	}
}

func sliceFields(o runtime.Object) fields.Set {
	spec := o.(*resourcev1.ResourceSlice).Spec
	return fields.Set{
		resourcev1.ResourceSliceSelectorNodeName: ptr.Deref(spec.NodeName, ""),
		resourcev1.ResourceSliceSelectorDriver:   spec.Driver,
	}
}
