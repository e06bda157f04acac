package validate

import (
	"fmt"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// judgement is what a client would be told that creates the configuration in one
// document.
type judgement struct {
	*manifest.Document
	// name is metadata.name, or else generateName, or empty if the document
	// cannot be decoded.
	name string
	// message is what kubectl prints instead of "created"; empty if that is what
	// it prints.
	message string
	// errors are what the message consists of.
	errors   []finding
	warnings []finding
}

// finding is one thing that is said about a document.
type finding struct {
	position manifest.Position
	// field is empty if it is about the whole document.
	field string
	// reason is what API errors call it, for example FieldValueInvalid.
	reason string
	// text is the whole of it; detail and value, where there are any, are parts
	// of text.
	text   string
	detail string
	value  any
	// elsewhere says what is at fault besides, if that is in another document.
	elsewhere string
}

func (v *judgement) valid() bool { return v.message == "" }

// judge takes a document through the steps of a server; one in v1beta1, through
// those of the servers that had it.
func (j *judge) judge(d *manifest.Document) {
	v := &judgement{Document: d}
	c, warnings, err := registration.Decode(d.JSON, j.mode)
	if err != nil && webhookconfig.Deprecation(d.Kind) == "" && d.Kind.GroupVersion() != registrationv1.SchemeGroupVersion {
		j.problems = append(j.problems, d.Wrap("apiVersion", err))
		return
	}
	j.judgements = append(j.judgements, v)
	if old := webhookconfig.Deprecation(d.Kind); old != "" {
		v.warn("apiVersion", old)
	}
	if err != nil {
		v.refuseToDecode(err)
		return
	}
	for _, w := range warnings {
		v.warn(quotedField(w), w)
	}
	// What servers do before they validate. They also make up the end of a
	// generated name, which is different every time and left out here.
	c.SetNamespace("")
	registration.Default(c)
	if v.name = c.GetName(); v.name == "" {
		v.name = c.GetGenerateName()
	}
	if problems := registration.Validate(c); len(problems) > 0 {
		v.refuse(problems)
		return
	}
	for _, w := range registration.Warnings(c) {
		at, _, _ := strings.Cut(w, ":")
		v.warn(at, w)
	}
	j.create(v, c)
}

// refuse is for what can be decoded and is invalid.
func (v *judgement) refuse(problems field.ErrorList) {
	seen := map[string]bool{}
	var causes []string
	for _, p := range problems {
		v.errors = append(v.errors, finding{
			position: v.At(p.Field),
			field:    p.Field,
			reason:   string(p.Type),
			text:     p.Error(),
			detail:   p.Detail,
			value:    shownValue(p),
		})
		// kubectl drops repetitions.
		if text := p.Error(); !seen[text] {
			seen[text] = true
			causes = append(causes, text)
		}
	}
	before := "\n* "
	if len(causes) == 1 {
		before = ""
	}
	v.message = fmt.Sprintf("The %s %q is invalid: %s", v.Kind.Kind, v.name, before+strings.Join(causes, before))
}

// shownValue returns the value at fault if it is part of the message.
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

// refuseToDecode is for what a server cannot make an object of, or must not.
func (v *judgement) refuseToDecode(err error) {
	const reason = "BadRequest"
	v.message = v.fromServer(reason, fmt.Sprintf("%s in version %q cannot be handled as a %s: %v",
		v.Kind.Kind, v.Kind.Version, v.Kind.Kind, err))
	parts := []error{err}
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		parts = strict.Errors()
	}
	for _, part := range parts {
		at := manifest.FieldOf(part)
		v.errors = append(v.errors, finding{position: v.At(at), field: at, reason: reason, text: part.Error()})
	}
}

// create refuses a name that is taken.
func (j *judge) create(v *judgement, c registration.Configuration) {
	if c.GetName() == "" {
		return
	}
	id := identity{kind: v.Kind.Kind, name: c.GetName()}
	first, taken := j.created[id]
	if !taken {
		j.created[id] = v.Position
		return
	}
	resource := registrationv1.Resource(strings.ToLower(v.Kind.Kind) + "s")
	exists := apierrors.NewAlreadyExists(resource, v.name)
	v.message = v.fromServer(string(exists.ErrStatus.Reason), exists.Error())
	v.errors = append(v.errors, finding{
		position: v.At("metadata.name"),
		field:    "metadata.name",
		reason:   string(exists.ErrStatus.Reason),
		text:     exists.Error(),
		value:    v.name,

		elsewhere: "it is taken by " + first.String(),
	})
}

// fromServer returns how kubectl prints an error that is about the request as a
// whole.
func (v *judgement) fromServer(reason, text string) string {
	source := v.File
	if source == manifest.StandardInput {
		source = "STDIN"
	}
	return fmt.Sprintf("Error from server (%s): error when creating %q: %s", reason, source, text)
}

func (v *judgement) warn(at, text string) {
	v.warnings = append(v.warnings, finding{position: v.At(at), field: at, text: text})
}

// quotedField returns the field in a warning such as `unknown field "a.b"`.
func quotedField(warning string) string {
	_, quoted, _ := strings.Cut(warning, `"`)
	at, _, _ := strings.Cut(quoted, `"`)
	return at
}
