// +k8s:validation-gen=TypesWithField=None
// +k8s:validation-gen-input=k8s.io/apimachinery/pkg/apis/meta/v1
// +k8s:validation-gen-scheme-registry=nil

// Package meta has the generated validation of
// metadata and conditions; see package declared.
package meta
