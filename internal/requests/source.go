package requests

import (
	"fmt"
	"strings"

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

// arguments are what callers of package request know as arguments, in the words of
// whoever wrote the request. The longest come first.
type arguments []struct{ argument, word string }

// flagged is for requests that were made of manifests and flags.
func flagged() arguments {
	return arguments{
		{"Endpoint.Subresource", "--subresource"},
		{"Endpoint.Namespace", "--namespace"},
		{"Endpoint.Name", "--name"},
		{"By.GracePeriodSeconds", "--grace-period"},
		{"By.PropagationPolicy", "--cascade"},
		{"By.FieldManager", "--field-manager"},
		{"By.FieldValidation", "--field-validation"},
		{"By.DryRun", "--dry-run"},
	}
}

// written is for requests in files.
func written() arguments {
	return arguments{
		{"Endpoint.Subresource", "subResource"},
		{"Endpoint.Namespace", "namespace"},
		{"Endpoint.Name", "name"},
		{"By.GracePeriodSeconds", "options.gracePeriodSeconds"},
		{"By.PropagationPolicy", "options.propagationPolicy"},
		{"By.Preconditions", "options.preconditions"},
		{"By.FieldManager", "options.fieldManager"},
		{"By.FieldValidation", "options.fieldValidation"},
		{"By.DryRun", "dryRun"},
		{"By.User", "userInfo"},
		{"By", "options"},
	}
}

// translate returns what an error of package request is about, and the error in
// the words of the author. Its innermost text begins with the argument at fault.
func (a arguments) translate(err error) (argument, text string) {
	text = err.Error()
	for _, w := range a {
		if rest, ok := strings.CutPrefix(text, w.argument); ok && !continues(rest) {
			return w.argument, w.word + rest
		}
	}
	argument, _, _ = strings.Cut(text, ":")
	return argument, text
}

// continues reports whether a name goes on.
func continues(rest string) bool {
	return rest != "" && !strings.ContainsRune(": .", rune(rest[0]))
}

// named names an object as kubectl does, for messages.
func named(resource fmt.Stringer, namespace, name string) string {
	text := fmt.Sprintf("%s/%s", resource, name)
	if namespace != "" {
		text += " in " + namespace
	}
	return text
}
