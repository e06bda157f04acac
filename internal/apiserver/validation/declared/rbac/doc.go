// +k8s:validation-gen=TypesWithField=TypeMeta
// +k8s:validation-gen-input=k8s.io/api/rbac/v1

// Package rbac has the generated validation of
// k8s.io/api/rbac/v1; see package declared.
package rbac

import "k8s.io/apimachinery/pkg/runtime"

// localSchemeBuilder receives what is generated.
var localSchemeBuilder runtime.SchemeBuilder
