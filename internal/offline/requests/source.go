package requests

import (
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/manifest"
)

// Source is a document with an object in it.
type Source struct {
	*manifest.Document
	// Object is the decoded object, without defaults. It is never modified.
	Object runtime.Object
}
