package source

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration"
)

// Parse reads one webhook configuration as Files does, from JSON: v1 or v1beta1,
// without unknown or duplicate fields, defaulted, and valid as if it were to be
// created (registration.Validate), but for a namespace, which API servers drop.
// It must have a name, because here nobody generates one. The result is of v1.
//
// All problems are returned, unknown fields beside the others. Each is about one
// field and begins with it or names it: a *field.Error, or an error with a method
// FieldPath; only what cannot be read at all has one error without a field. A
// configuration that could be read is returned even beside problems, for the sake
// of its name.
func Parse(object []byte) (registration.Configuration, []error) {
	c, problems, err := decode(object)
	if err != nil {
		return nil, append(problems, err)
	}
	// An API server does this before it validates.
	c.SetNamespace("")
	registration.Default(c)
	if c.GetName() == "" && c.GetGenerateName() != "" {
		problems = append(problems, field.Required(field.NewPath("metadata", "name"), ""))
	}
	for _, problem := range registration.Validate(c) {
		problems = append(problems, problem)
	}
	return registration.Convert(c), problems
}

// decode goes on after unknown and duplicate fields, which are problems and no
// obstacle.
func decode(object []byte) (c registration.Configuration, problems []error, err error) {
	c, _, err = registration.Decode(object, registration.Strict)
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		problems = strict.Errors()
		c, _, err = registration.Decode(object, registration.Ignore)
	}
	return c, problems, err
}
