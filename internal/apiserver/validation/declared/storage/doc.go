// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-input=k8s.io/api/storage/v1

// Package storage has the generated validation of
// k8s.io/api/storage/v1; see package declared.
package storage

import "k8s.io/apimachinery/pkg/runtime"

// localSchemeBuilder receives what is generated.
var localSchemeBuilder runtime.SchemeBuilder
