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

// webhook compares the expectation with each webhook of the name.
func (c *checker) webhook(i int, want *webhook) {
	field := fmt.Sprintf("webhooks[%d].", i)
	for _, w := range want.target.webhooks {
		if len(want.target.webhooks) > 1 {
			c.webhookLabel = c.label(w)
		}
		c.compareWebhook(field, want, w)
		c.webhookLabel = ""
	}
}

// compareWebhook compares one webhook. If it was unexpectedly called, or not
// called, nothing else is reported.
func (c *checker) compareWebhook(field string, want *webhook, w *admission.Webhook) {
	calls := c.callsOf(w)
	switch name := shown(want.target.text); {
	case want.called && len(calls) == 0:
		why := strings.Join(c.reasons(w), "; ")
		c.fail(field+"called", "true", "false", "want true, got false: %s was not called%s",
			name, afterColon(why))
	case !want.called && len(calls) > 0:
		c.fail(field+"called", "false", "true", "want false, got true: %s was called", name)
	case want.called:
		c.calls(field, want, calls)
	case want.why != nil:
		c.notCalledReason(field+"why", want.why, w)
	}
}

func (c *checker) notCalledReason(field string, want *regexp.Regexp, w *admission.Webhook) {
	found := c.reasons(w)
	if !slices.ContainsFunc(found, want.MatchString) {
		got := strings.Join(found, "; ")
		c.fail(field, want.String(), got, "want one that matches %s, got %s",
			quoted(want.String()), quoted(got))
	}
}

// calls compares the calls of a webhook, of which there is at least one.
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

// times also reports why an expected call was skipped.
func (c *checker) times(field string, want *int32, calls []admission.Call) {
	got := len(calls)
	if want == nil || int(*want) == got {
		return
	}
	why := ""
	if int(*want) > got {
		why = strings.Join(c.skipped(calls[0].Webhook), "; ")
	}
	c.fail(field, strconv.Itoa(int(*want)), strconv.Itoa(got), "want %d, got %d%s", *want,
		got, afterColon(why))
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
	c.fail(field, want, got, "want %s, got %s%s", quoted(want), quoted(got), afterColon(why))
}
