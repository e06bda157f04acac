package expect

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/gatehouse/admission"
)

// webhook compares what is expected of one webhook, or of each of those of a name.
func (c *checker) webhook(i int, want *webhook) {
	field := fmt.Sprintf("webhooks[%d].", i)
	for _, w := range want.target.webhooks {
		if len(want.target.webhooks) > 1 {
			c.who = c.label(w)
		}
		c.one(field, want, w)
		c.who = ""
	}
}

// one compares a webhook. Whether it is called at all comes first: the rest would only
// repeat that.
func (c *checker) one(field string, want *webhook, w *admission.Webhook) {
	calls := c.callsOf(w)
	switch name := shown(want.target.text); {
	case want.called && len(calls) == 0:
		why := strings.Join(c.reasons(w), "; ")
		c.fail(field+"called", "true", "false", "want true, got false: %s is not called%s", name, after(why))
	case !want.called && len(calls) > 0:
		c.fail(field+"called", "false", "true", "want false, got true: %s is called", name)
	case want.called:
		c.calls(field, want, calls)
	case want.why != nil:
		c.why(field+"why", want.why, w)
	}
}

func (c *checker) why(field string, want *regexp.Regexp, w *admission.Webhook) {
	found := c.reasons(w)
	if !slices.ContainsFunc(found, want.MatchString) {
		got := strings.Join(found, "; ")
		c.fail(field, want.String(), got, "want one that matches %s, got %s", quoted(want.String()), quoted(got))
	}
}

// calls compares what a webhook did in its calls, of which there are some.
func (c *checker) calls(field string, w *webhook, calls []admission.Call) {
	c.times(field+"times", w.times, calls)
	c.outcome(field+"outcome", w.outcome, &calls[len(calls)-1])
	c.patch(field+"patch", w.patch, calls)
	var warnings []string
	annotations := map[string]string{}
	for i := range calls {
		warnings = append(warnings, calls[i].Warnings...)
		maps.Copy(annotations, calls[i].AuditAnnotations)
	}
	c.warnings(field+"warnings", w.warnings, warnings)
	own := func(key string) (string, bool) { value, ok := annotations[key]; return value, ok }
	c.annotations(field+"auditAnnotations", w.annotations, own)
}

// times also says why there was no other call, if one was considered.
func (c *checker) times(field string, want *int32, calls []admission.Call) {
	got := len(calls)
	if want == nil || int(*want) == got {
		return
	}
	why := ""
	if int(*want) > got {
		why = strings.Join(c.skipped(calls[0].Webhook), "; ")
	}
	c.fail(field, strconv.Itoa(int(*want)), strconv.Itoa(got), "want %d, got %d%s", *want, got, after(why))
}

func (c *checker) outcome(field, want string, last *admission.Call) {
	got := last.Outcome.String()
	if want == "" || want == got {
		return
	}
	why := ""
	if last.Err != nil {
		why = c.safe(last.Err.Error())
	}
	c.fail(field, want, got, "want %s, got %s%s", quoted(want), quoted(got), after(why))
}
