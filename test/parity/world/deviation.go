package world

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"example.com/gatehouse/test/parity/scenario"
)

// comparison is two observations of a step, on their way to Compare.
type comparison struct {
	side      Side
	step      *scenario.Step
	want, got Observation
}

// deviation is a difference that is meant to be. It must be as narrow as can be:
// what it lets pass is compared by nobody.
type deviation struct {
	// name and why are those of the row in docs/parity.md.
	name, why string
	applies   func(*comparison) bool
	// adjust makes equal what is meant to differ.
	adjust func(*comparison)
}

// deviations are those that scenarios can hit.
func deviations() []deviation {
	return []deviation{{
		name:    "over",
		why:     "a request whose own context is over ends with 504, and not with 500 or as if nothing were, depending on phase and policy",
		applies: isOver,
		adjust: func(c *comparison) {
			c.got.Error = c.want.Error
			// They count whether the chain returned an error.
			c.want.Metrics, c.got.Metrics = withoutSteps(c.want.Metrics), withoutSteps(c.got.Metrics)
		},
	}, {
		name: "write-back",
		why:  "an object that cannot be converted back after the last mutating webhook is an internal error with a status, and not an error without one",
		applies: func(c *comparison) bool {
			return c.want.denied() && c.want.Error.Status == "" && c.want.Error.Type != "panic" &&
				c.got.Error.Type == "*errors.StatusError" && c.got.Error.Text == "Internal error occurred: "+c.want.Error.Text
		},
		adjust: func(c *comparison) { c.got.Error = c.want.Error },
	}, {
		name:    "trace",
		why:     "a request that the mutating phase refuses leaves its object as it was, and not as the last conversion left it",
		applies: leavesNoTrace,
		adjust:  func(c *comparison) { c.got.Object = c.want.Object },
	}, {
		name:    "quoted",
		why:     "an error about a patched object that cannot be decoded does not quote the object",
		applies: quotesObject,
		adjust:  func(c *comparison) { c.got.Error = c.want.Error },
	}, {
		name: "panic",
		why:  "a patch on which json-patch panics is an internal error; nothing that follows can be compared",
		applies: func(c *comparison) bool {
			return c.want.Error.Type == "panic" && c.got.Error.Text == "Internal error occurred: patch cannot be applied: "+c.want.Error.Text
		},
		adjust: func(c *comparison) { c.got = c.want },
	}}
}

// quotations are the texts of errors of decoding that quote the object, and what gatehouse
// says instead.
var quotations = []struct {
	quoting *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`parsing time "(?s:.*)" as ("[^"]*"): (?s:.*)$`), "parsing time as $1: not in that form"},
	{regexp.MustCompile(`time: (?:invalid|missing unit in) duration (?s:.*)$`), "time: invalid duration"},
	{regexp.MustCompile(`(cannot unmarshal number) \S+ (into Go)`), "$1 $2"},
	{regexp.MustCompile(`unexpected GroupVersion string: (?s:.*)$`), "unexpected GroupVersion string"},
	{regexp.MustCompile(`(Object '(?:Kind|apiVersion)' is missing in) '(?s:.*)'$`), "$1 'the patched object'"},
}

// quotesObject is about errors that differ in nothing but a quotation.
func quotesObject(c *comparison) bool {
	want, got := c.want.Error, c.got.Error
	for _, q := range quotations {
		if text := q.quoting.ReplaceAllString(want.Text, q.instead); text == want.Text || text != got.Text {
			continue
		}
		cause := func(f Failure) string { return strings.TrimPrefix(f.Text, "Internal error occurred: ") }
		status := strings.ReplaceAll(want.Status, inJSON(cause(want)), inJSON(cause(got)))
		return want.Type == got.Type && status == got.Status
	}
	return false
}

// inJSON is a text as it stands in a string of JSON.
func inJSON(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil {
		return text
	}
	return string(encoded[1 : len(encoded)-1])
}

// leavesNoTrace is about denials after which gatehouse's object is what it was
// when the mutating webhooks got it, and upstream's is not.
func leavesNoTrace(c *comparison) bool {
	return c.side.careful() && c.want.denied() && c.got.denied() && len(c.want.ValidatingCalls) == 0 &&
		c.want.Object != c.got.Object && c.got.Object == c.got.entered
}

func isOver(c *comparison) bool {
	const text = "Timeout: request did not complete within requested timeout"
	return c.side.careful() && c.step.Request.Deadline.Duration != 0 &&
		c.got.Error.Text == text && strings.Contains(c.got.Error.Status, `"code":504`) && c.want.Error != c.got.Error
}

// withoutSteps leaves out the metrics of plugins and of the chain.
func withoutSteps(series []string) []string {
	return slices.DeleteFunc(slices.Clone(series), func(s string) bool {
		return strings.HasPrefix(s, admissionFamilies+"step_") || strings.HasPrefix(s, admissionFamilies+"controller_")
	})
}
