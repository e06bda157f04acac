package audit

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/history"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
)

// History is the document that `gatehouse audit --object -o json` prints.
type History struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind AuditHistory.
	metav1.TypeMeta `json:",inline"`
	// Log says what was read.
	Log *auditlog.Stats `json:"log"`
	// Items are the requests, in order, and Dropped is the number of earlier ones that are
	// not among them.
	Items   []history.Entry `json:"items"`
	Dropped int             `json:"dropped,omitempty"`
}

// view is what is shown of an object.
type view struct {
	query  *history.Query
	object string
	field  *explain.Path
}

// parse reads the flags of --object.
func (o *options) parse() (*view, error) {
	if o.object == "" {
		if o.field != "" {
			return nil, fmt.Errorf("--field needs --object")
		}
		return nil, nil
	}
	query, err := history.ParseQuery(o.object)
	if err != nil {
		return nil, fmt.Errorf("--object %q: %w", o.object, err)
	}
	v := &view{query: query, object: o.object}
	if o.field != "" {
		path, err := explain.ParsePath(o.field)
		if err != nil {
			return nil, fmt.Errorf("--field: %w", err)
		}
		v.field = &path
	}
	return v, nil
}

// show reads the logs and prints what happened to an object.
func (o *options) show(ctx context.Context, cmd *cobra.Command, in auditlog.Input, v *view) error {
	command.Draining(ctx)
	h := history.New(v.query)
	stats, err := auditlog.Read(ctx, in, func(e *auditlog.Event) error {
		h.Add(e)
		return nil
	})
	if err != nil {
		return err
	}
	entries, err := h.Entries(explain.Redact(o.hidden...))
	if err != nil {
		return err
	}
	if len(entries) == 0 && ctx.Err() != nil {
		return ctx.Err()
	}
	if len(entries) == 0 {
		return &message.InputError{Err: fmt.Errorf(
			"--object %s: none of %s is about it", v.object, message.Count(stats.Events, "event"))}
	}
	noticeProblems(cmd, stats)
	if ctx.Err() != nil {
		message.Notice(cmd.ErrOrStderr(), "interrupted before the end of the logs")
	}
	if o.output == flags.JSON {
		return command.WriteJSON(cmd.OutOrStdout(), &History{
			TypeMeta: metav1.TypeMeta{APIVersion: command.APIVersion, Kind: "AuditHistory"},
			Log:      stats, Items: v.limited(entries), Dropped: h.Dropped,
		})
	}
	if o.output == htmlForm {
		return v.page(cmd, entries, h.Dropped)
	}
	return v.write(cmd, v.limited(entries), h.Dropped)
}

func noticeProblems(cmd *cobra.Command, stats *auditlog.Stats) {
	if stats.Broken > 0 {
		message.Notice(cmd.ErrOrStderr(), "%s of the logs not read, the first: %s",
			message.Count(stats.Broken, "part"), stats.Problems[0])
	}
}

// limited returns the entries limited to --field: those in which it was written.
func (v *view) limited(entries []history.Entry) []history.Entry {
	if v.field == nil {
		return entries
	}
	limited := []history.Entry{}
	for _, entry := range entries {
		entry.Explanation = entry.Explanation.ForPath(*v.field)
		if written(entry.Explanation) {
			limited = append(limited, entry)
		}
	}
	return limited
}

// written reports whether a request wrote one of the fields of an explanation, or cannot be
// explained.
func written(e *explain.Explanation) bool {
	for i := range e.Fields {
		if f := &e.Fields[i]; f.Writer.By != explain.ByStored || len(f.Earlier) > 0 {
			return true
		}
	}
	return len(e.Removed) > 0 || len(e.Fields) == 0 && len(e.Problems) > 0
}

// label says which request an entry is.
func label(e *history.Entry) []string {
	all := []string{shownTime(e.Time), e.Verb, "audit ID " + e.AuditID}
	if e.Manager != "" {
		all = append(all, "manager "+e.Manager)
	}
	return all
}

// write prints a tree for each request.
func (v *view) write(cmd *cobra.Command, entries []history.Entry, dropped int) error {
	var out bytes.Buffer
	if dropped > 0 {
		fmt.Fprintf(&out, "%s are left out.\n\n", message.Count(dropped, "earlier request"))
	}
	if len(entries) == 0 {
		fmt.Fprintln(&out, "No request in the log wrote the field.")
	}
	o := explain.TreeOptions{
		Color: command.Colors(cmd, cmd.OutOrStdout()).On(), Fields: v.field != nil,
	}
	for i := range entries {
		if i > 0 {
			out.WriteByte('\n')
		}
		e := &entries[i]
		fmt.Fprintln(&out, message.Escaped(strings.Join(label(e), "  ")))
		if err := e.Explanation.Tree(&out, o); err != nil {
			return err
		}
	}
	return command.Write(cmd.OutOrStdout(), out.Bytes())
}
