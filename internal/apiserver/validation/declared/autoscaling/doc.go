// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-input=k8s.io/api/autoscaling/v2

// Package autoscaling has the generated validation of
// k8s.io/api/autoscaling/v2; see package declared.
package autoscaling

import "k8s.io/apimachinery/pkg/runtime"

// localSchemeBuilder receives what is generated.
var localSchemeBuilder runtime.SchemeBuilder
