package fields

import (
	"errors"
	"fmt"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// maxMatchConditions is how many conditions a webhook or a policy may have
//
const maxMatchConditions = 64

// Compile returns the error of an expression, as cel.Check does.
type Compile func(expression string) error

// Conditions applies R-036 to the conditions of a webhook or of a policy. Names
// have to differ within the list only.
func Conditions(
	conditions []registrationv1.MatchCondition, at *field.Path, compile Compile,
) field.ErrorList {
	var problems field.ErrorList
	if n := len(conditions); n > maxMatchConditions {
		problems = append(problems, field.TooMany(at, n, maxMatchConditions))
	}
	seen := map[string]bool{}
	for i, c := range conditions {
		problems = append(problems,
			condition(c.Expression, at.Index(i).Child("expression"), compile)...)
		problems = append(problems, conditionName(c.Name, at.Index(i).Child("name"))...)
		if c.Name != "" && seen[c.Name] {
			problems = append(problems, field.Duplicate(at.Index(i).Child("name"), c.Name))
		}
		seen[c.Name] = true
	}
	return problems
}

func conditionName(name string, at *field.Path) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(at, "")}
	}
	return Invalid(at, name, validation.IsQualifiedName(name))
}

// condition applies.
//
// Compat: R-051: the expression is trimmed first, so positions in the message
// count from the first character that is no space; the engine compiles it as it
// was written.
func condition(text string, at *field.Path, compile Compile) field.ErrorList {
	text = strings.TrimSpace(text)
	if text == "" {
		return field.ErrorList{field.Required(at, "")}
	}
	if err := compile(text); err != nil {
		return field.ErrorList{ExpressionError(text, err, at)}
	}
	return nil
}

// ExpressionError returns the compiler's error as an error of a field.
func ExpressionError(text string, err error, at *field.Path) *field.Error {
	var problem *apiservercel.Error
	if !errors.As(err, &problem) {
		return field.InternalError(at, fmt.Errorf("unsupported error type: %w", err))
	}
	switch problem.Type {
	case apiservercel.ErrorTypeRequired:
		return field.Required(at, problem.Detail)
	case apiservercel.ErrorTypeInvalid:
		return field.Invalid(at, text, problem.Detail)
	case apiservercel.ErrorTypeInternal:
		return field.InternalError(at, problem)
	default:
		return field.InternalError(at, fmt.Errorf("unsupported error type: %w", err))
	}
}
