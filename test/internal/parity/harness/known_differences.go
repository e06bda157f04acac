package harness

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// comparison has the two observations of a step that Compare will compare.
type comparison struct {
	side      Side
	step      *scenario.Step
	want, got Observation
}

// knownDifference is an intended difference between the sides. It must be narrow,
// because Compare ignores everything that it permits.
type knownDifference struct {
	// name and why are those of the row in docs/parity.md.
	name, why string
	applies   func(*comparison) bool
	// adjust makes the intended difference equal.
	adjust func(*comparison)
}

// knownDifferences are those that scenarios can hit.
func knownDifferences() []knownDifference {
	return []knownDifference{{
		name:    "over",
		why:     "a request whose own context has ended ends with 504, and not with 500 or as if nothing were, depending on phase and policy",
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
	}, {
		name: "checks",
		why:  "conditions that several webhooks have are evaluated once for an object, and so are their checks of the authorizer",
		applies: func(c *comparison) bool {
			want, got := c.want.HostCalls.Authorizations, c.got.HostCalls.Authorizations
			return thrifty(want, got) && slices.Equal(distinct(want), distinct(got))
		},
		adjust: func(c *comparison) { c.got.HostCalls.Authorizations = c.want.HostCalls.Authorizations },
	}, {
		name: "look-ups",
		why:  "a namespace is looked up once for a request, and only for webhooks whose rules match",
		applies: func(c *comparison) bool {
			want, got := &c.want.HostCalls, &c.got.HostCalls
			return thrifty(want.CachedNamespaces, got.CachedNamespaces) && thrifty(want.LiveNamespaces, got.LiveNamespaces)
		},
		adjust: func(c *comparison) {
			c.got.HostCalls.CachedNamespaces, c.got.HostCalls.LiveNamespaces = c.want.HostCalls.CachedNamespaces, c.want.HostCalls.LiveNamespaces
		},
	}}
}

// quotations are decoding errors that quote the object, and gatehouse's text
// instead.
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

// quotesObject reports whether the errors differ only in a quotation.
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

// inJSON returns a text as the content of a JSON string.
func inJSON(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil {
		return text
	}
	return string(encoded[1 : len(encoded)-1])
}

// leavesNoTrace reports whether, after a denial, gatehouse's object is
// unchanged and upstream's is not.
func leavesNoTrace(c *comparison) bool {
	return c.side.careful() && c.want.denied() && c.got.denied() && len(c.want.ValidatingCalls) == 0 &&
		c.want.Object != c.got.Object && c.got.Object == c.got.entered
}

// isOver reports whether the request's context ended on both sides, before or
// during the call.
func isOver(c *comparison) bool {
	const text = "Timeout: request did not complete within requested timeout"
	return c.side.careful() && c.want.over && c.got.over &&
		c.got.Error.Text == text && strings.Contains(c.got.Error.Status, `"code":504`) && c.want.Error != c.got.Error
}

// withoutSteps leaves out the metrics of plugins and of the chain.
func withoutSteps(series []string) []string {
	return slices.DeleteFunc(slices.Clone(series), func(s string) bool {
		return strings.HasPrefix(s, admissionFamilies+"step_") || strings.HasPrefix(s, admissionFamilies+"controller_")
	})
}

// thrifty reports whether a side makes only calls that upstream makes, each at
// most as often, and in the order of upstream's first calls.
func thrifty(want, got []string) bool {
	left := map[string]int{}
	for _, asked := range want {
		left[asked]++
	}
	for _, asked := range got {
		if left[asked]--; left[asked] < 0 {
			return false
		}
	}
	common := slices.DeleteFunc(distinct(want), func(asked string) bool { return !slices.Contains(got, asked) })
	return slices.Equal(common, distinct(got))
}

// distinct returns every text once, where it is first.
func distinct(list []string) []string {
	var once []string
	for _, text := range list {
		if !slices.Contains(once, text) {
			once = append(once, text)
		}
	}
	return once
}
