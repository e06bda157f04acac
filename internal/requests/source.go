package requests

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/manifest"
)

// Source is a document with an object in it.
type Source struct {
	*manifest.Document
	// Object is the object as it was decoded. It is never modified.
	Object runtime.Object
}

// Made is a request and the document that asked for it.
type Made struct {
	*admission.Request
	From *manifest.Document
}

// named names an object as kubectl does, for messages.
func named(resource fmt.Stringer, namespace, name string) string {
	text := fmt.Sprintf("%s/%s", resource, name)
	if namespace != "" {
		text += " in " + namespace
	}
	return text
}
