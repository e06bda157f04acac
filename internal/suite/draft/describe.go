package draft

import (
	"encoding/json"
	"slices"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/offline/webhookconfig"
	"example.com/gatehouse/internal/suite/suitefile"
)

// DescribesCluster reports whether objects of a kind describe the cluster. Such
// samples become no cases: a case for one of them needs an AdmissionRequest.
func DescribesCluster(kind schema.GroupVersionKind) bool {
	return webhookconfig.Is(kind) || slices.Contains([]schema.GroupVersionKind{
		namespaceKind(),
		apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"),
		rbacv1.SchemeGroupVersion.WithKind("Role"),
		rbacv1.SchemeGroupVersion.WithKind("ClusterRole"),
		rbacv1.SchemeGroupVersion.WithKind("RoleBinding"),
		rbacv1.SchemeGroupVersion.WithKind("ClusterRoleBinding"),
	}, kind)
}

func namespaceKind() schema.GroupVersionKind { return corev1.SchemeGroupVersion.WithKind("Namespace") }

// describe adds the description of the cluster, with namespaces in short form.
func (d *Draft) describe(f *Frame) {
	d.Test.Recursive = f.Recursive
	for _, path := range f.Configurations {
		d.Test.Configurations = append(d.Test.Configurations, quoted(path))
	}
	for _, o := range f.Described {
		if o.Kind != namespaceKind() {
			d.Test.Configurations = append(d.Test.Configurations, o.JSON)
			continue
		}
		// The document has been decoded before.
		var namespace metav1.PartialObjectMetadata
		_ = json.Unmarshal(o.JSON, &namespace)
		d.Test.Namespaces = append(d.Test.Namespaces,
			suitefile.Namespace{Name: namespace.Name, Labels: namespace.Labels})
	}
}
