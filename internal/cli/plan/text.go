package plan

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/cli-runtime/pkg/printers"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
)

// text prints each plan at once:
//
//	CREATE pods/web in shop by ann: 1 of 2 webhooks
//	  ROUND   PHASE        ORDER   WEBHOOK                   TIMEOUT   FAILUREPOLICY
//	  0       validating   1       policy/pods.example.com   10s       Fail
//	  not called:
//	    mutating   labels/labels.example.com   rules: no rule matches: …
type text struct {
	out      io.Writer
	colors   command.Palette
	webhooks []*admission.Webhook
	printed  int
}

// Print writes a block, after an empty line if it is not the first.
func (t *text) Print(v *session.Result) error {
	item := itemOf(v, t.webhooks)
	var out bytes.Buffer
	if t.printed > 0 {
		fmt.Fprintln(&out)
	}
	t.printed++
	fmt.Fprintf(&out, "%s by %s: %s\n", message.Escaped(item.Operation+" "+v.Reference()),
		message.Escaped(item.User), item.summary())
	if err := item.writeVisits(&out); err != nil {
		return err
	}
	if again := item.again(); len(again) > 0 {
		fmt.Fprintf(&out, "  round 1, if a later webhook changes the object: %s\n",
			message.Escaped(strings.Join(again, ", ")))
	}
	if !item.Allowed {
		fmt.Fprintf(&out, "  %s: %s\n", t.colors.Bad("denied"), message.Shown(item.Message, "    "))
	}
	if err := item.writeOthers(&out); err != nil {
		return err
	}
	return command.Write(t.out, out.Bytes())
}

// End does nothing.
func (t *text) End() error { return nil }

// summary counts the webhooks that are called, among all.
func (item *Item) summary() string {
	visited := map[Name]bool{}
	for i := range item.Visits {
		visited[item.Visits[i].Name] = true
	}
	return fmt.Sprintf("%d of %s", len(visited),
		message.Count(len(visited)+len(item.NotVisited), "webhook"))
}

func (item *Item) again() []string {
	var names []string
	for i := range item.Visits {
		if v := &item.Visits[i]; v.Again {
			names = append(names, v.full())
		}
	}
	return names
}

// full returns CONFIGURATION/WEBHOOK.
func (n *Name) full() string { return n.Configuration + "/" + n.Webhook }

func (item *Item) writeVisits(out io.Writer) error {
	if len(item.Visits) == 0 {
		return nil
	}
	faulty := slices.ContainsFunc(item.Visits, func(v Visit) bool { return v.Fault != "" })
	w := printers.GetNewTabWriter(out)
	head := "  ROUND\tPHASE\tORDER\tWEBHOOK\tTIMEOUT\tFAILUREPOLICY"
	if faulty {
		head += "\tFAULT\tOUTCOME"
	}
	fmt.Fprintln(w, head)
	for i := range item.Visits {
		v := &item.Visits[i]
		row := fmt.Sprintf("  %d\t%s\t%d\t%s\t%ds\t%s", v.Round, v.Phase, v.Order,
			message.Escaped(v.full()), v.TimeoutSeconds, message.Escaped(v.FailurePolicy))
		if faulty {
			row += "\t" + message.Escaped(cmp.Or(v.Fault, "-")) + "\t" + cmp.Or(v.Outcome, "-")
		}
		fmt.Fprintln(w, row)
	}
	return w.Flush()
}

// writeOthers writes a line for each webhook that is not called: the hint, or
// else the reason, after the stage.
func (item *Item) writeOthers(out io.Writer) error {
	if len(item.NotVisited) == 0 {
		return nil
	}
	fmt.Fprintln(out, "  not called:")
	w := printers.GetNewTabWriter(out)
	for i := range item.NotVisited {
		n := &item.NotVisited[i]
		why := strings.Join(strings.Fields(cmp.Or(n.Hint, n.Reason)), " ")
		fmt.Fprintf(w, "    %s\t%s\t%s: %s\n", n.Phase, message.Escaped(n.full()), n.Stage,
			message.Escaped(why))
	}
	return w.Flush()
}
