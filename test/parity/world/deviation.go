package world

import (
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
	}}
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
