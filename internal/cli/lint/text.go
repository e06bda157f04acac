package lint

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/report/github"
)

// textOf returns the findings as text:
//
//	config/webhooks.yaml: document 1 (line 12): error: blocks-own-pods
//	  webhook policy/pods.example.com: The API server rejects the webhook's own pods
//	  while the webhook is down.
//	  …
//
// With annotate each is followed by a workflow command.
func textOf(r *Report, colors command.Palette, annotate bool) []byte {
	var out bytes.Buffer
	for i := range r.Findings {
		f := &r.Findings[i]
		f.write(&out, colors)
		if annotate && f.Silenced == "" {
			out.Write(github.Annotation(githubLevel(f.Level), f.File, f.Line, f.Rule,
				f.Subject+": "+f.Message+f.others()))
		}
		out.WriteByte('\n')
	}
	r.writeSkipped(&out)
	out.WriteString(r.summary() + "\n")
	return out.Bytes()
}

func (f *Finding) write(out *bytes.Buffer, colors command.Palette) {
	level := colors.Notable(f.Level)
	if f.Level == string(lint.Error) {
		level = colors.Bad(f.Level)
	}
	fmt.Fprintf(out, "%s: %s: %s\n", shown(f.position), level, f.Rule)
	fmt.Fprintf(out, "  %s: %s\n  %s\n", shown(f.Subject), f.Title, shown(f.Message))
	if f.Silenced != "" {
		f.writeOthers(out)
		fmt.Fprintf(out, "  silenced: %s\n", shown(f.Silenced))
		return
	}
	for _, e := range f.Evidence {
		fmt.Fprintf(out, "  %s\n", shown(e))
	}
	if p := f.proof(); len(p.Witnesses) > 0 {
		p.Witnesses[0].write(out, p.ID, len(p.Witnesses))
	}
	f.writeOthers(out)
	fmt.Fprintf(out, "  why: %s\n  fix: %s\n", f.Why, f.Fix)
}

// proof returns the first problem with a request to which something bad happens; the finding
// itself if there is none.
func (f *Finding) proof() *Problem {
	for i := range f.Others {
		if p := &f.Others[i]; f.passes() && p.Silenced == "" && !p.passes() {
			return p
		}
	}
	return &f.Problem
}

// passes reports whether nothing bad happens to the request that is shown.
func (p *Problem) passes() bool { return len(p.Witnesses) > 0 && p.Witnesses[0].Effect == "passes" }

// writeOthers writes a line for each problem with the same cause.
func (f *Finding) writeOthers(out *bytes.Buffer) {
	if len(f.Others) == 0 {
		return
	}
	fmt.Fprintf(out, "  with the same cause, %s:\n", shown(f.Cause))
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	proved := false
	for i := range f.Others {
		p := &f.Others[i]
		text := p.Title
		if p.Subject != f.Subject {
			text = fmt.Sprintf("%s (line %d)", p.Subject, p.Line)
		}
		if p.Silenced != "" && f.Silenced == "" {
			text += " Silenced: " + p.Silenced
		}
		fmt.Fprintf(table, "    %s\t%s\t%s\n", p.Level, p.Rule, message.Escaped(text))
		proved = proved || len(p.Witnesses) > 0
	}
	_ = table.Flush() // a Buffer does not fail
	if _, rest, ok := strings.Cut(f.ID, "/"); ok && proved {
		fmt.Fprintf(out, "  --witness RULE/%s prints the request of one\n", shown(rest))
	}
}

// others returns a sentence with the other problems: their rules, or their subjects if these
// are others. It is empty if there are none.
func (f *Finding) others() string {
	var all []string
	for i := range f.Others {
		p := &f.Others[i]
		switch {
		case p.Silenced != "":
		case p.Subject != f.Subject:
			all = append(all, p.Subject)
		default:
			all = append(all, p.Rule)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return " With the same cause, " + f.Cause + ": " + strings.Join(all, ", ") + "."
}

// write writes the first of count witnesses.
func (w *Witness) write(out *bytes.Buffer, id string, count int) {
	state := "all backends are healthy"
	var down []string
	for _, b := range slices.Sorted(maps.Keys(w.Down)) {
		down = append(down, b+" "+w.Down[b])
	}
	if len(down) > 0 {
		state = strings.Join(down, ", ")
	}
	fmt.Fprintf(out, "  witness: %s (%s)\n", w.Does, w.Request)
	fmt.Fprintf(out, "  ├─ %s\n", shown(state))
	result := w.Effect
	if w.Seconds > 0 {
		result += fmt.Sprintf(" after %gs", w.Seconds)
	}
	if w.Message != "" {
		result += ": " + w.Message
	}
	fmt.Fprintf(out, "  └─ %s\n", shown(result))
	if w.Effect == "refused" {
		fmt.Fprintf(out, "     %s\n", w.Breaks)
	}
	if count > 1 {
		fmt.Fprintf(out, "  and %s; --witness %s prints this one\n",
			message.Count(count-1, "more request"), shown(id))
	}
}

// writeSkipped writes one line for each sort of objects that are missing.
func (r *Report) writeSkipped(out *bytes.Buffer) {
	var order []string
	skipped := map[string][]string{}
	for _, s := range r.Skipped {
		missing := strings.Join(s.Missing, " or ")
		if skipped[missing] == nil {
			order = append(order, missing)
		}
		skipped[missing] = append(skipped[missing], s.Rule)
	}
	for _, missing := range order {
		fmt.Fprintf(out, "not checked, because the inputs have no %s: %s\n", missing,
			strings.Join(skipped[missing], ", "))
	}
}

func (r *Report) summary() string {
	counts := map[string]int{}
	for i := range r.Findings {
		level := r.Findings[i].Level
		if r.Findings[i].Silenced != "" {
			level = "silenced"
		}
		counts[level]++
	}
	var parts []string
	for _, level := range []string{"error", "warning"} {
		parts = append(parts, message.Count(counts[level], level))
	}
	for _, level := range []string{"info", "silenced"} {
		if counts[level] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[level], level))
		}
	}
	return strings.Join(parts, ", ")
}

func githubLevel(level string) github.Level {
	switch lint.Level(level) {
	case lint.Error:
		return github.Error
	case lint.Warning:
		return github.Warning
	}
	return github.Notice
}

// shown returns text of a file, which may be untrusted.
func shown(text string) string { return message.Shown(text, "") }
