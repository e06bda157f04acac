package cel

import (
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/wildconditions"
)

// FuzzCompile compiles any text. Nothing panics; there is a program or an
// error; what a server would store has a program; and a bounded evaluation has
// the value of the program, and at least its cost.
func FuzzCompile(f *testing.F) {
	for _, w := range wildconditions.All() {
		f.Add(w.Expression)
	}
	for _, expression := range []string{
		"true", "object.metadata.name == 'api'", "!(request.userInfo.username in ['a', \"b\"])", "has(object.metadata.labels) && object.metadata.labels.app == 'api'",
		"object.metadata.labels.`a.b` != r'\\x'", "object.metadata.labels['app'] == 'api' || oldObject == null", "object.spec.priority == -1 && object.spec.priority != 1.5",
		"authorizer.group('').resource('pods').check('get').allowed()", "object.spec.containers.all(c, c.name.matches('[a-z]+'))", "variables.x", "1 +", "'\\", "\"\"\"a\"\"\" in ['']", "b'a' == b\"\\377\"",
		"9223372036854775808 == 1u", "has(object)", "[1,2,3].map(x, x * 2).size() > 0 ? true : false", strings.Repeat("(", 60) + "true" + strings.Repeat(")", 60), strings.Repeat("!", 300) + "true",
	} {
		f.Add(expression)
	}
	var requests map[string]Variables
	f.Fuzz(func(t *testing.T, expression string) {
		if requests == nil {
			requests = variables(t)
		}
		p := compile(expression)
		if (p.Err == nil) == (p.Program == nil) {
			t.Fatalf("%q: a program: %v, beside the error %v", expression, p.Program != nil, p.Err)
		}
		if err := Check(expression, false); err == nil && p.Err != nil {
			t.Errorf("%q would be stored, but does not compile: %v", expression, p.Err)
		}
		if p.Err != nil || p.Bounded == nil {
			return
		}
		for name, vars := range requests {
			compareBounded(t, p, name, vars)
		}
	})
}
