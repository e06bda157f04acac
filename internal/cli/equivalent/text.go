package equivalent

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"example.com/gatehouse/internal/message"
)

// text returns the result as text. If there is a counterexample, the rest is in comments,
// so that the whole is a request file.
func (r *Report) text() []byte {
	var out bytes.Buffer
	for _, line := range r.lines() {
		if r.Different != nil || r.Unstable != nil {
			line = "# " + line
		}
		out.WriteString(line + "\n")
	}
	for _, c := range []*Counterexample{r.Different, r.Unstable} {
		if c != nil {
			out.WriteString(c.text())
			break
		}
	}
	return out.Bytes()
}

// lines returns the result without the counterexample.
func (r *Report) lines() []string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	compared := message.Count(r.Given+r.Drawn-r.SetAside, "request")
	how := fmt.Sprintf("%d given, %d generated with --seed %d", r.Given, r.Drawn, r.Seed)
	switch {
	case r.Different != nil:
		add("different: found with request %d (%s)", r.Given+r.Drawn, how)
	case r.Unstable != nil:
		add("not known: %s is not deterministic; equal on %s (%s)",
			r.Unstable.Answers[0].Side, compared, how)
	default:
		add("equal on %s (%s)", compared, how)
	}
	if r.SetAside > 0 {
		add("%s ignored, because a side answers the same request differently a second time",
			message.Count(r.SetAside, "request"))
	}
	if r.Different == nil {
		add("compared: %s", strings.Join(r.aspects(), ", "))
		add("generated for %s: %d allowed and %d denied by the first side, in %s",
			message.Count(r.Endpoints, "endpoint"), r.Allowed, r.Denied,
			message.Count(r.Branches, "different way"))
		add("discarded: %d that an API server would reject, and %d duplicates", r.Invalid, r.Repeated)
	}
	if len(r.Unknown) > 0 {
		add("no requests generated for %s: the files do not have the CustomResourceDefinitions",
			message.Escaped(strings.Join(r.Unknown, ", ")))
	}
	switch {
	case r.Interrupted:
		add("the search was interrupted")
	case r.Late:
		add("the search ended with --search-time")
	}
	return all
}

// aspects are what was compared.
func (r *Report) aspects() []string {
	return slices.Compact(append([]string{"verdict"}, slices.DeleteFunc(
		slices.Clone(r.Compared), func(a string) bool { return a == "verdict" })...))
}

// text returns the counterexample as a request file.
func (c *Counterexample) text() string {
	if c.Manifest == "" {
		return fmt.Sprintf("# %s: the request has a Secret and is not printed\n", message.Escaped(c.Given)) +
			c.comments()
	}
	shrunk := fmt.Sprintf("# It has %s besides the required ones, of %d.\n",
		message.Count(c.Fields, "field"), c.Found)
	if c.Given != "" {
		shrunk = "# It comes from " + message.Escaped(c.Given) + " among the arguments.\n" + shrunk
	}
	return shrunk + c.Manifest
}

// comments returns the answers.
func (c *Counterexample) comments() string {
	var out strings.Builder
	for _, a := range c.Answers {
		fmt.Fprintf(&out, "# %s: %s\n", a.Side, a.Verdict)
		for _, reason := range a.Reasons {
			fmt.Fprintf(&out, "#   %s\n", reason)
		}
	}
	return out.String()
}
