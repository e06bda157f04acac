package source

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration"
)

// Parse reads one webhook configuration from JSON, as Files does: it accepts v1
// and v1beta1, rejects unknown and duplicate fields, applies defaults,
// validates as on creation (registration.Validate) and converts to v1. It drops
// a namespace, as API servers do. The configuration must have a name;
// generateName is not enough.
//
// Parse returns all problems. Each is about one field and names it: a
// *field.Error or an error with a method FieldPath. Only JSON that cannot be
// decoded at all gives one error without a field. If the configuration could be
// decoded, Parse returns it even if there are problems, so that the caller can
// read its name.
func Parse(object []byte) (registration.Configuration, []error) {
	c, problems, err := decode(object)
	if err != nil {
		return nil, append(problems, err)
	}
	// An API server drops the namespace before it validates.
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

// decode returns unknown and duplicate fields as problems and decodes the
// configuration without them.
func decode(object []byte) (c registration.Configuration, problems []error, err error) {
	c, _, err = registration.Decode(object, registration.Strict)
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		problems = strict.Errors()
		c, _, err = registration.Decode(object, registration.Ignore)
	}
	return c, problems, err
}
