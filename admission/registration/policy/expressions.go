package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration/internal/fields"
	"example.com/gatehouse/internal/cel"
)

// The limits of audit annotations. The second is in bytes.
const (
	maxAnnotations     = 20
	maxValueExpression = 5 * 1024
)

// expressions validates what a policy has expressions for. The variables come
// first: the checker learns their types.
type expressions struct {
	checker *cel.PolicyChecker
	known   known
}

// check returns the error of an expression. shown is the value in the error.
func (e expressions) check(
	use cel.Use, expression, shown string, stored bool, at *field.Path,
) field.ErrorList {
	if err := e.checker.Check(use, expression, stored); err != nil {
		return field.ErrorList{fields.ExpressionError(shown, err, at)}
	}
	return nil
}

// variables applies validateVariable to each variable. A variable sees those
// before it. One that does not compile is declared all the same.
//
// Compat: two variables may have one name: the later one replaces the type of
// the earlier one. A variable is a stored expression only if a validation of the
// old policy has the same expression.
func (e expressions) variables(
	variables []registrationv1.Variable, at *field.Path,
) field.ErrorList {
	var problems field.ErrorList
	for i, v := range variables {
		problems = append(problems, variableName(v.Name, at.Index(i).Child("name"))...)
		expression := at.Index(i).Child("expression")
		if strings.TrimSpace(v.Expression) == "" {
			problems = append(problems, field.Required(expression, "expression is not specified"))
			continue
		}
		err := e.checker.Variable(v.Name, v.Expression, e.known.validations[v.Expression])
		if err != nil {
			problems = append(problems, fields.ExpressionError(v.Expression, err, expression))
		}
	}
	return problems
}

func variableName(name string, at *field.Path) field.ErrorList {
	if strings.TrimSpace(name) == "" {
		return field.ErrorList{field.Required(at, "name is not specified")}
	}
	if !identifier.MatchString(name) || slices.Contains(reservedWords(), name) {
		return field.ErrorList{field.Invalid(at, name, "must be a valid CEL identifier")}
	}
	return nil
}

// identifier matches an identifier of CEL, or a reserved word.
var identifier = regexp.MustCompile(`^[A-Za-z_][0-9A-Za-z_]*$`)

// reservedWords returns the words that are no identifiers of CEL.
func reservedWords() []string {
	return []string{
		"as", "break", "const", "continue", "else", "false", "for", "function", "if",
		"import", "in", "let", "loop", "namespace", "null", "package", "return", "true",
		"var", "void", "while",
	}
}

// validation applies validateValidation. Unlike matchConditions, expressions are
// not trimmed before they are compiled.
func (e expressions) validation(v *registrationv1.Validation, at *field.Path) field.ErrorList {
	return slices.Concat(
		e.condition(v.Expression, at.Child("expression")),
		e.messageExpression(v.MessageExpression, at.Child("messageExpression")),
		message(v.Message, at.Child("message")),
		fields.OneOf(at.Child("reason"), v.Reason, metav1.StatusReasonForbidden,
			metav1.StatusReasonInvalid, metav1.StatusReasonRequestEntityTooLarge),
	)
}

func (e expressions) condition(text string, at *field.Path) field.ErrorList {
	if strings.TrimSpace(text) == "" {
		return field.ErrorList{field.Required(at, "expression is not specified")}
	}
	return e.check(cel.Validation, text, text, e.known.validations[text], at)
}

func (e expressions) messageExpression(text string, at *field.Path) field.ErrorList {
	switch {
	case text == "":
		return nil
	case strings.TrimSpace(text) == "":
		return field.ErrorList{field.Invalid(at, text, "must be non-empty if specified")}
	}
	return e.check(cel.Message, text, text, e.known.messages[text], at)
}

// message allows line breaks at the beginning and the end only.
func message(text string, at *field.Path) field.ErrorList {
	trimmed := strings.TrimSpace(text)
	switch {
	case text != "" && trimmed == "":
		return field.ErrorList{field.Invalid(at, text, "must be non-empty if specified")}
	case strings.ContainsAny(trimmed, "\n\r"):
		return field.ErrorList{field.Invalid(at, text, "must not contain line breaks")}
	}
	return nil
}

// annotations applies validateAuditAnnotation to each annotation of the policy
// with the name, and limits their number.
func (e expressions) annotations(
	annotations []registrationv1.AuditAnnotation, name string, at *field.Path,
) field.ErrorList {
	var problems field.ErrorList
	if len(annotations) > maxAnnotations {
		problems = append(problems, field.Invalid(at, untagged(annotations),
			fmt.Sprintf("must not have more than %d auditAnnotations", maxAnnotations)))
	}
	seen := map[string]bool{}
	for i, a := range annotations {
		key := at.Index(i).Child("key")
		problems = append(problems, annotationKey(name, a.Key, key)...)
		problems = append(problems,
			e.valueExpression(a.ValueExpression, at.Index(i).Child("valueExpression"))...)
		if seen[a.Key] {
			problems = append(problems, field.Duplicate(key, a.Key))
		}
		seen[a.Key] = true
	}
	return problems
}

// untaggedAnnotation is an annotation without the names of the API.
type untaggedAnnotation struct{ Key, ValueExpression string }

// untagged returns the value that an error about all annotations has.
//
// Compat: the server's message has the Go names of its internal type instead of
// the names of the API.
func untagged(annotations []registrationv1.AuditAnnotation) []untaggedAnnotation {
	values := make([]untaggedAnnotation, len(annotations))
	for i, a := range annotations {
		values[i] = untaggedAnnotation{a.Key, a.ValueExpression}
	}
	return values
}

// annotationKey requires a qualified name, the prefix of which is the policy.
func annotationKey(policy, key string, at *field.Path) field.ErrorList {
	if policy == "" {
		return field.ErrorList{field.Invalid(at, key, "requires metadata.name be non-empty")}
	}
	qualified := policy + "/" + key
	return fields.Invalid(at, qualified, validation.IsQualifiedName(qualified))
}

// valueExpression applies the rules of an audit annotation's expression.
//
// Compat: it is trimmed before it is compiled, but the value in the error is
// not; a long expression is reported as missing.
func (e expressions) valueExpression(text string, at *field.Path) field.ErrorList {
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "":
		return field.ErrorList{field.Required(at, "valueExpression is not specified")}
	case len(trimmed) > maxValueExpression:
		return field.ErrorList{field.Required(at,
			fmt.Sprintf("must not exceed %d bytes in length", maxValueExpression))}
	}
	return e.check(cel.Annotation, trimmed, text, e.known.annotations[text], at)
}
