package mention_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/equivalence/mention"
)

// mentioned returns a line for each field that a policy with one expression mentions.
func mentioned(variables map[string]string, expression string) []string {
	p := &registrationv1.ValidatingAdmissionPolicy{}
	for name, text := range variables {
		p.Spec.Variables = append(p.Spec.Variables, registrationv1.Variable{Name: name, Expression: text})
	}
	p.Spec.Validations = []registrationv1.Validation{{Expression: expression}}
	var all mention.Set
	all.Policies([]runtime.Object{p}, nil)
	var lines []string
	for _, f := range all.Fields {
		line := string(f.Root) + "." + strings.Join(f.Path, ".")
		if len(f.Values) > 0 {
			line += fmt.Sprint(" ", f.Values)
		}
		if len(f.Patterns) > 0 {
			line += fmt.Sprint(" ~", f.Patterns)
		}
		if len(f.Sizes) > 0 {
			line += fmt.Sprint(" #", f.Sizes)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestExpressions(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why, expression string
		variables       map[string]string
		want            string
	}{
		{"a constant belongs to the field", "object.spec.replicas > 3", nil, "object.spec.replicas [3]"},
		{"a test for presence", "has(object.spec.x)", nil, "object.spec.x"},
		{"a list of constants", "request.namespace in ['a', 'b']", nil, "request.namespace [a b]"},
		{"an element of a loop", "object.spec.containers.all(c, c.image.startsWith('r/'))", nil,
			"object.spec.containers.*.image [r/]"},
		{"two lists in one", "(object.spec.a + object.spec.?b.orValue([])).exists(c, c.x == 'v')", nil,
			"object.spec.b.*.x [v]"},
		{"a filtered list", "object.spec.a.filter(c, c.on).all(c, c.x == 'v')", nil,
			"object.spec.a.*.x [v]"},
		{"a loop over constants", "['p', 'q'].exists(p, object.spec.s.startsWith(p))", nil,
			"object.spec.s [p q]"},
		{"a key with a slash", "object.metadata.labels['example.com/team'] == 'x'", nil,
			"object.metadata.labels.example.com/team [x]"},
		{"an optional key", "object.metadata.?labels[?'env'].orValue('') == 'x'", nil,
			"object.metadata.labels.env [ x]"},
		{"a pattern", "object.spec.s.matches('^a+$')", nil, "object.spec.s ~[^a+$]"},
		{"a size", "size(object.spec.list) <= 2", nil, "object.spec.list #[2]"},
		{"a variable", "variables.r > 5", map[string]string{"r": "object.spec.replicas"},
			"object.spec.replicas [5]"},
		{"a function between", "quantity(object.spec.q).isGreaterThan(quantity('2Gi'))", nil,
			"object.spec.q [2Gi]"},
		{"a bound variable", "object.spec.?s.optMap(x, x == 'v').orValue(true)", nil,
			"object.spec.s [v]"},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			if got := mentioned(row.variables, row.expression); !slices.Contains(got, row.want) {
				t.Errorf("%s\nmentions %q\nwant %q", row.expression, got, row.want)
			}
		})
	}
}
