package output

import (
	"bytes"
	"fmt"
	"io"
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
	fmt.Fprintf(&text, "%s  %s\n", t.verdict(v.Response), message.Escaped(v.Reference()))
	if err := writeCalls(&text, v.Response.Calls); err != nil {
		return err
	}
	if s := v.Response.Status; s != nil {
		fmt.Fprintf(&text, "  %s %s\n", t.colors.Bad("error:"), shownText(s.Message))
	}
	if by := explain.Denier(v.Response); by != "" {
		fmt.Fprintf(&text, "  denied by %s, not by a webhook\n", message.Escaped(by))
	}
	for _, w := range v.Response.Warnings {
		fmt.Fprintf(&text, "  %s %s\n", t.colors.Notable("warning:"), shownText(w))
	}
	return command.Write(t.out, text.Bytes())
}

func (t *table) End() error { return nil }

func writeCalls(out io.Writer, calls []admission.Call) error {
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
			rounded(c.Duration), mutated(c), outcome(c))
	}
	return w.Flush()
}

func (t *table) verdict(r *admission.Response) string {
	if r.Allowed {
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
// shows nowhere else.
func outcome(c *admission.Call) string {
	if c.Err == nil || c.Rejects() {
		return c.Outcome.String()
	}
	return c.Outcome.String() + ": " + strings.Join(strings.Fields(shownText(c.Err.Error())), " ")
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
