package audit

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"example.com/gatehouse/internal/auditlog/loops"
	"example.com/gatehouse/internal/auditlog/tally"
	"example.com/gatehouse/internal/message"
)

// text returns the report as text.
func (r *Report) text() []byte {
	var out bytes.Buffer
	r.writeLog(&out)
	r.writeWebhooks(&out)
	r.writePolicies(&out)
	r.writeObjects(&out)
	r.writeLoops(&out)
	r.writeRecord(&out)
	fmt.Fprintln(&out, "\nNot in the log:")
	for _, text := range r.Remarks {
		fmt.Fprintf(&out, "  %s\n", text)
	}
	return out.Bytes()
}

// writeLog says what was read.
func (r *Report) writeLog(out io.Writer) {
	l := r.Log
	fmt.Fprintf(out, "%s in %s, %s that may change something or that webhooks received",
		message.Count(l.Events, "event"), message.Count(l.Files, "file"),
		message.Count(r.Requests, "request"))
	if !l.First.IsZero() {
		fmt.Fprintf(out, ",\nfrom %s to %s", shownTime(l.First), shownTime(l.Last))
	}
	fmt.Fprintln(out)
	if l.Broken > 0 {
		fmt.Fprintf(out, "%s not read:\n", message.Count(l.Broken, "part"))
		for _, p := range l.Problems {
			fmt.Fprintf(out, "  %s\n", message.Escaped(p.String()))
		}
		if more := l.Broken - len(l.Problems); more > 0 {
			fmt.Fprintf(out, "  and %d more\n", more)
		}
	}
}

func shownTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// writeTable writes a table after an empty line, if it has rows.
func writeTable[T any](out io.Writer, title string, rows []T, row func(T) []any) {
	if len(rows) == 0 {
		return
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\n%s\n", strings.ReplaceAll(title, "|", "\t"))
	for _, each := range rows {
		var cells []string
		for _, cell := range row(each) {
			cells = append(cells, message.Escaped(fmt.Sprint(cell)))
		}
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	_ = table.Flush() // a Buffer does not fail
}

func (r *Report) writeWebhooks(out io.Writer) {
	title := "WEBHOOK|PHASE|CALLS|CHANGES|ROUND 1|CHANGES|DENIED|FAILED OPEN|FAILED CLOSED|SLOW"
	writeTable(out, title, r.Webhooks, func(w tally.Webhook) []any {
		calls := []any{w.Calls, w.Changes, w.Again, w.AgainChanges}
		if w.Phase != "mutating" {
			calls = []any{"?", "-", "-", "-"}
		}
		return slices.Concat([]any{w.Name(), w.Phase}, calls,
			[]any{w.Denials, w.FailedOpen, w.FailedClosed, w.Slow})
	})
	if len(r.Idle) > 0 {
		fmt.Fprintln(out, "\nNever changed or denied anything:")
		for _, name := range r.Idle {
			fmt.Fprintf(out, "  %s\n", message.Escaped(name))
		}
	}
	writeTable(out, "SLOW REQUESTS: WEBHOOKS|REQUESTS|MEAN|LONGEST", r.Latency, func(l tally.Latency) []any {
		mean := l.Total / time.Duration(l.Requests)
		return []any{l.Phase, l.Requests, mean.Round(time.Millisecond), l.Longest.Round(time.Millisecond)}
	})
}

func (r *Report) writePolicies(out io.Writer) {
	writeTable(out, "POLICY|BINDING|DENIED|AUDITED|WARNED", r.Policies, func(p tally.Policy) []any {
		return []any{p.Policy, p.Binding, p.Denials, p.Failures, p.Warned}
	})
	shown := r.Annotations[:min(len(r.Annotations), manyRows)]
	writeTable(out, "ANNOTATION|EVENTS", shown, func(a tally.Annotation) []any {
		return []any{a.Owner + "/" + a.Key, a.Events}
	})
}

// manyRows bounds the rows of a table that has no bound of its own.
const manyRows = 20

func (r *Report) writeObjects(out io.Writer) {
	const most = 10
	shown := r.Objects[:min(len(r.Objects), most)]
	writeTable(out, "OBJECT|WRITES|WRITERS", shown, func(o tally.Object) []any {
		var writers []string
		for _, w := range o.Writers {
			writers = append(writers, fmt.Sprintf("%s %d", writerName(w.User, w.Manager, w.Webhook), w.Writes))
		}
		if o.Others > 0 {
			writers = append(writers, fmt.Sprintf("others %d", o.Others))
		}
		return []any{o.Resource + " " + objectName(o.Namespace, o.Name), o.Writes,
			strings.Join(writers, ", ")}
	})
}

func objectName(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// writerName names a webhook, or a user with its field manager.
func writerName(user, manager, webhook string) string {
	switch {
	case webhook != "":
		return "webhook " + webhook
	case manager == "":
		return user
	}
	return user + " (" + manager + ")"
}

func (r *Report) writeLoops(out io.Writer) {
	if len(r.Loops) == 0 {
		fmt.Fprintln(out, "\nNo component repeatedly undoes the change of a webhook.")
		return
	}
	for i := range r.Loops {
		writeLoop(out, &r.Loops[i])
	}
}

// writeLoop writes a paragraph about a loop.
func writeLoop(out io.Writer, l *loops.Loop) {
	fmt.Fprintf(out, "\nLOOP: %s\n", message.Escaped(subject(l)))
	fmt.Fprintf(out, "  in %s\n", message.Escaped(where(l)))
	for _, path := range l.Paths {
		fmt.Fprintf(out, "  at %s\n", message.Escaped(path))
	}
	fmt.Fprintf(out, "  %s, %s an hour: from %s (audit ID %s)\n    to %s (audit ID %s)\n",
		message.Count(l.Times, "time"), rate(l.PerHour), shownTime(l.First.Time),
		message.Escaped(l.First.AuditID), shownTime(l.Last.Time), message.Escaped(l.Last.AuditID))
	object := objectOf(l)
	if object == "" {
		return
	}
	fmt.Fprintf(out, "  see gatehouse audit LOG --object %s\n", message.Escaped(object))
	if l.Request != nil {
		fmt.Fprintln(out, "  -o json has a request for gatehouse run that repeats it")
	}
}

// where says in which objects a loop is.
func where(l *loops.Loop) string {
	text := l.Resource + " " + objectName(l.Namespace, l.Name)
	if l.Objects > 1 {
		text += " and " + message.Count(l.Objects-1, "more object")
	}
	return text
}

// objectOf returns the first object of a loop as --object takes it; empty if its name is not
// known.
func objectOf(l *loops.Loop) string {
	if l.Name == "" {
		return ""
	}
	resource, _, _ := strings.Cut(l.Resource, "/")
	return resource + "/" + objectName(l.Namespace, l.Name)
}

// subject says what a loop is.
func subject(l *loops.Loop) string {
	switch l.Kind {
	case loops.Repeated:
		return "webhook " + l.Webhook + " makes the same patch on each update," +
			" and the log does not show what undoes it"
	case loops.Doubled:
		return "webhook " + l.Webhook + " makes the same patch again in the second round" +
			" of a request: it does not recognize its own change"
	}
	var undoers []string
	for _, p := range l.Undoers {
		if name := writerName(p.User, p.Manager, p.Webhook); !slices.Contains(undoers, name) {
			undoers = append(undoers, name)
		}
	}
	return "webhook " + l.Webhook + " repeats its change, which is undone by " + strings.Join(undoers, ", ")
}

// rate returns a number with the digits that matter.
func rate(perHour float64) string {
	switch {
	case perHour == 0:
		return "more than once"
	case perHour < 10:
		return fmt.Sprintf("%.1f", perHour)
	}
	return fmt.Sprintf("%.0f", perHour)
}
