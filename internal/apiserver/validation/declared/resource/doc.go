// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-input=k8s.io/api/resource/v1

// Package resource has the generated validation of
// k8s.io/api/resource/v1; see package declared.
package resource

import "k8s.io/apimachinery/pkg/runtime"

// localSchemeBuilder receives what is generated.
var localSchemeBuilder runtime.SchemeBuilder
