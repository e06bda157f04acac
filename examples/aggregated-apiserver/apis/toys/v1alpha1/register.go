package v1alpha1

import (
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys"
)

// Version is the name of this version.
const Version = "v1alpha1"

// GroupVersion returns the group with this version.
func GroupVersion() schema.GroupVersion {
	return schema.GroupVersion{Group: toys.GroupName, Version: Version}
}

// AddToScheme adds the types of this version, their defaults and their
// conversions from and to package toys.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion(), &Robot{}, &RobotList{})
	metav1.AddToGroupVersion(scheme, GroupVersion())
	addDefaults(scheme)
	return errors.Join(
		toys.AddConversion(scheme, toHub),
		toys.AddConversion(scheme, fromHub),
		toys.AddConversion(scheme, listToHub),
		toys.AddConversion(scheme, listFromHub),
	)
}
