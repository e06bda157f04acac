package validate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/internal/manifest"
)

// rules are those of package registration or policy.
type rules[T object] struct {
	// versions are those that decode knows, and deprecation is the warning of one.
	versions    []string
	deprecation func(schema.GroupVersionKind) string

	decode      func([]byte, registration.FieldValidation) (T, []string, error)
	setDefaults func(T)
	validate    func(T) field.ErrorList
	warnings    func(T) []string
}

// validateAs processes a document as a server does; for webhook configurations in
// v1beta1, as the servers that had it did.
func validateAs[T object](j *validator, d *manifest.Document, as rules[T]) {
	i, old := newItem(d), as.deprecation(d.Kind)
	o, warnings, err := as.decode(d.JSON, j.mode)
	if err != nil && !slices.Contains(as.versions, d.Kind.Version) {
		j.problems = append(j.problems, d.Wrap("apiVersion", err))
		return
	}
	j.items = append(j.items, i)
	if old != "" {
		i.warn("apiVersion", old)
	}
	if err != nil {
		i.refuseToDecode(err)
		return
	}
	for _, w := range warnings {
		i.warn(quotedField(w), w)
	}
	// Servers do this before they validate. They also complete a generated
	// name, which is random and therefore omitted here.
	o.SetNamespace("")
	as.setDefaults(o)
	i.Name = cmp.Or(o.GetName(), o.GetGenerateName())
	if problems := as.validate(o); len(problems) > 0 {
		i.refuseAsInvalid(problems)
		return
	}
	for _, w := range as.warnings(o) {
		if w != old {
			at, _, _ := strings.Cut(w, ":")
			i.warn(at, w)
		}
	}
	j.create(i, o)
}

// refuseAsInvalid records validation errors.
func (i *item) refuseAsInvalid(problems field.ErrorList) {
	var causes []string
	var refusals []refusal
	for _, p := range problems {
		refusals = append(refusals, refusal{
			Type: string(p.Type), Field: p.Field, Detail: p.Detail, BadValue: shownValue(p),
			Message: p.Error(),
		})
		// kubectl drops duplicates.
		if text := p.Error(); !slices.Contains(causes, text) {
			causes = append(causes, text)
		}
	}
	before := "\n* "
	if len(causes) == 1 {
		before = ""
	}
	i.refuse(fmt.Sprintf("The %s %q is invalid: %s", i.Kind, i.Name,
		before+strings.Join(causes, before)), refusals...)
}

// shownValue returns the invalid value if it is part of the message.
func shownValue(p *field.Error) any {
	switch p.Type {
	case field.ErrorTypeInvalid, field.ErrorTypeTypeInvalid, field.ErrorTypeNotSupported,
		field.ErrorTypeDuplicate, field.ErrorTypeTooMany, field.ErrorTypeNotFound, field.ErrorTypeTooFew:
		if _, omitted := p.BadValue.(field.OmitValueType); !omitted {
			return p.BadValue
		}
	}
	return nil
}

// refuseToDecode records a decoding error.
func (i *item) refuseToDecode(err error) {
	const reason = "BadRequest"
	parts := []error{err}
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		parts = strict.Errors()
	}
	var refusals []refusal
	for _, part := range parts {
		refusals = append(refusals,
			refusal{Type: reason, Field: i.document.FieldOf(part), Message: part.Error()})
	}
	i.refuse(i.fromServer(reason, fmt.Sprintf("%s in version %q cannot be handled as a %s: %v",
		i.Kind, i.document.Kind.Version, i.Kind, err)), refusals...)
}

// create records an error if the name exists. It drops the item if the very
// object exists: a file may be among the inputs twice.
func (j *validator) create(i *item, c object) {
	if c.GetName() == "" {
		i.object = c
		return
	}
	id := identity{kind: i.Kind, name: c.GetName()}
	first, taken := j.created[id]
	switch {
	case !taken:
		i.object = c
		j.created[id] = created{c, i.document.Position}
		return
	case equality.Semantic.DeepEqual(first.object, c):
		j.items = j.items[:len(j.items)-1]
		return
	}
	plural, _ := meta.UnsafeGuessKindToResource(i.document.Kind)
	exists := apierrors.NewAlreadyExists(plural.GroupResource(), i.Name)
	reason, detail := string(exists.ErrStatus.Reason), "it is already defined in "+first.at.String()
	i.refuse(i.fromServer(reason, exists.Error()), refusal{
		Type: reason, Field: "metadata.name", Detail: detail, BadValue: i.Name,
		Message: exists.Error(),
	})
	i.Errors[0].position += ": " + detail
}

// fromServer returns kubectl's text for an error about the whole request.
func (i *item) fromServer(reason, text string) string {
	source := i.File
	if source == manifest.StandardInput {
		source = "STDIN"
	}
	return fmt.Sprintf("Error from server (%s): error when creating %q: %s", reason, source, text)
}

// quotedField returns the field in a warning such as `unknown field "a.b"`.
func quotedField(warning string) string {
	_, quoted, _ := strings.Cut(warning, `"`)
	at, _, _ := strings.Cut(quoted, `"`)
	return at
}
