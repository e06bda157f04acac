// Package v1 is the API group backups.example.com in the version that is
// stored: plans of what is to be backed up, and when.
//
// +kubebuilder:object:generate=true
// +groupName=backups.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group and version of the kinds in this package.
var GroupVersion = schema.GroupVersion{Group: "backups.example.com", Version: "v1"}

// AddToScheme adds the kinds in this package to a scheme.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Plan{}, &PlanList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
