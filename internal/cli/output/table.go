package output

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"k8s.io/cli-runtime/pkg/printers"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
)

// table prints each object at once: the verdict, the called webhooks, and the
// messages for the client.
//
//	admitted  pods/web in shop
//	  PHASE      ROUND   INDEX   WEBHOOK                  TIME    MUTATED   OUTCOME
//	  mutating   0       0       label.example.com        2ms     yes       allowed
type table struct {
	out    io.Writer
	colors command.Palette
}

// Print writes a block.
func (t *table) Print(v *session.Result) error {
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s  %s\n", t.verdict(v), message.Escaped(v.Reference()))
	if err := writeCalls(&text, v); err != nil {
		return err
	}
	hints := hintsFor(v)
	// What a webhook that was not reached would have said is not known, so the
	// error is not the client's.
	if s := v.Response.Status; s != nil && (!v.Undecided() || len(hints) == 0) {
		fmt.Fprintf(&text, "  %s %s\n", t.colors.Bad("error:"), shownText(s.Message))
	}
	if by := explain.Denier(v.Response); by != "" {
		fmt.Fprintf(&text, "  denied by %s, not by a webhook\n", message.Escaped(by))
	}
	for _, hint := range hints {
		fmt.Fprintf(&text, "  hint: %s\n", message.Escaped(hint))
	}
	for _, w := range v.Response.Warnings {
		fmt.Fprintf(&text, "  %s %s\n", t.colors.Notable("warning:"), shownText(w))
	}
	return command.Write(t.out, text.Bytes())
}

func (t *table) End() error { return nil }

// hintsFor returns the hints for the calls, each once, with the webhook's name.
func hintsFor(v *session.Result) []string {
	var all []string
	for i := range v.Response.Calls {
		c := &v.Response.Calls[i]
		hint := v.Hint(c)
		if line := c.Webhook.Name + ": " + hint; hint != "" && !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	return all
}

func writeCalls(out io.Writer, v *session.Result) error {
	calls := v.Response.Calls
	if len(calls) == 0 {
		_, err := fmt.Fprintln(out, "  no webhook was called")
		return err
	}
	w := printers.GetNewTabWriter(out)
	fmt.Fprintln(w, "  PHASE\tROUND\tINDEX\tWEBHOOK\tTIME\tMUTATED\tOUTCOME")
	for i := range calls {
		c := &calls[i]
		fmt.Fprintf(w, "  %s\t%d\t%d\t%s\t%s\t%s\t%s\n", c.Webhook.Phase, c.Round, c.Index,
			message.Escaped(c.Webhook.Name),
			rounded(c.Duration), mutated(c), outcome(v, c))
	}
	return w.Flush()
}

func (t *table) verdict(v *session.Result) string {
	switch {
	case v.Undecided():
		return t.colors.Notable("unknown") + " "
	case v.Response.Allowed:
		return t.colors.Good("admitted")
	}
	return t.colors.Bad("denied") + "  "
}

// mutated returns the cell for a call; validating webhooks cannot mutate.
func mutated(c *admission.Call) string {
	switch {
	case c.Webhook.Phase == admission.Validating:
		return "-"
	case c.Changed:
		return "yes"
	default:
		return "no"
	}
}

// outcome adds the reason to a failure that did not end the request, because it
// shows nowhere else. That of a webhook that was not reached is in its hint.
func outcome(v *session.Result, c *admission.Call) string {
	if c.Err == nil || c.Rejects() || v.NotReached(c) {
		return v.Outcome(c)
	}
	return v.Outcome(c) + ": " + strings.Join(strings.Fields(shownText(c.Err.Error())), " ")
}

// shownText makes a webhook's text safe for a terminal: it indents further
// lines, and escapes characters that move the cursor or change the direction of
// text.
func shownText(text string) string { return message.Shown(text, "    ") }

// rounded rounds a duration to the digits that matter.
func rounded(d time.Duration) time.Duration {
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond)
	case d >= 10*time.Millisecond:
		return d.Round(time.Millisecond)
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond)
	default:
		return d.Round(10 * time.Microsecond)
	}
}
