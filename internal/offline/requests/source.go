package requests

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/manifest"
)

// Source is a document with an object in it.
type Source struct {
	*manifest.Document
	// Object is the object as it was decoded. It is never modified.
	Object runtime.Object
}

// named names an object as kubectl does, for messages.
func named(resource fmt.Stringer, namespace, name string) string {
	text := fmt.Sprintf("%s/%s", resource, name)
	if namespace != "" {
		text += " in " + namespace
	}
	return text
}
