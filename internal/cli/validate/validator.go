package validate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// validate processes a document as a server does; for v1beta1, as the servers
// that had it did.
func (j *validator) validate(d *manifest.Document) {
	i, old := newItem(d), webhookconfig.Deprecation(d.Kind)
	c, warnings, err := registration.Decode(d.JSON, j.mode)
	if err != nil && old == "" && d.Kind.GroupVersion() != registrationv1.SchemeGroupVersion {
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
	c.SetNamespace("")
	registration.Default(c)
	i.Name = cmp.Or(c.GetName(), c.GetGenerateName())
	if problems := registration.Validate(c); len(problems) > 0 {
		i.refuseAsInvalid(problems)
		return
	}
	for _, w := range registration.Warnings(c) {
		at, _, _ := strings.Cut(w, ":")
		i.warn(at, w)
	}
	j.create(i, c)
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
// configuration exists: a file may be among the inputs twice.
func (j *validator) create(i *item, c registration.Configuration) {
	if c.GetName() == "" {
		return
	}
	id := identity{kind: i.Kind, name: c.GetName()}
	first, taken := j.created[id]
	switch {
	case !taken:
		j.created[id] = created{c, i.document.Position}
		return
	case equality.Semantic.DeepEqual(first.Configuration, c):
		j.items = j.items[:len(j.items)-1]
		return
	}
	resource := registrationv1.Resource(strings.ToLower(i.Kind) + "s")
	exists := apierrors.NewAlreadyExists(resource, i.Name)
	reason, detail := string(exists.ErrStatus.Reason), "it is taken by "+first.at.String()
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
