package webhooktest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"example.com/gatehouse/internal/suite"
)

// mistakes returns the mistakes in a Want, with Go names in place of those of
// files.
func (w *Want) mistakes(cases *suite.Suite) error {
	var problems []error
	cases.Compile(&w.expect, func(field string, err error) {
		problems = append(problems, fmt.Errorf("%s: %w", w.goName(field), err))
	})
	return errors.Join(problems...)
}

// goName returns the Go name of a field.
func (w *Want) goName(field string) string {
	list, item, _ := strings.Cut(field, "[")
	index, name, inside := strings.Cut(item, "].")
	if i, err := strconv.Atoi(index); err == nil && inside {
		switch list {
		case "webhooks":
			return fmt.Sprintf("Webhook %q: %s", w.expect.Webhooks[i].Name, titled(name))
		case "policies":
			return fmt.Sprintf("Policy %q: %s", w.expect.Policies[i].Name, titled(name))
		}
	}
	if field == "auditAnnotations" {
		return "AuditAnnotation" // one call for each
	}
	return titled(field)
}

// titled returns the Go spelling of a field, without an index, which the error
// has.
func titled(field string) string {
	name, _, _ := strings.Cut(field, "[")
	return strings.ToUpper(name[:1]) + name[1:]
}
