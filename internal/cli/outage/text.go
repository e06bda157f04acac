package outage

import (
	"bytes"
	"fmt"
	"strings"
	"text/tabwriter"

	"example.com/gatehouse/internal/message"
)

// few is how many requests of one sort are listed without --all.
const few = 5

// text returns the report as text: a table of the backends, the requests that each
// outage harms, and the cold start.
func (r *Report) text(all bool) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s that a cluster depends on, %s.\n\n",
		message.Count(len(r.Requests), "request"), message.Count(len(r.Backends), "backend"))
	r.writeTable(&out)
	for i := range r.Backends {
		b := &r.Backends[i]
		r.writeOutage(&out, b.Name+" refuses connections", &b.Refuses, all)
		if !sameRequests(&b.Refuses, &b.Hangs) {
			r.writeOutage(&out, b.Name+" hangs", &b.Hangs, all)
		}
	}
	r.writeTogether(&out, all)
	r.ColdStart.write(&out)
	return out.Bytes()
}

func (r *Report) writeTable(out *bytes.Buffer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\tREFUSES CONNECTIONS\t\tHANGS")
	fmt.Fprintln(table, "BACKEND\trefused\tlost\trefused\tlost\tdelayed\tlongest")
	for _, b := range r.Backends {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t%s\n",
			shown(b.Name), b.Refuses.Refused, b.Refuses.MutationLost,
			b.Hangs.Refused, b.Hangs.MutationLost, b.Hangs.Delayed, seconds(b.Hangs.LongestSeconds))
	}
	_ = table.Flush() // a Buffer does not fail
}

// sameRequests reports whether the same requests have the same effect, so that one list is
// enough.
func sameRequests(a, b *Outage) bool {
	if len(a.Outcomes) != len(b.Outcomes) {
		return false
	}
	for i := range a.Outcomes {
		one, other := &a.Outcomes[i], &b.Outcomes[i]
		if one.Request != other.Request || one.Effect != other.Effect {
			return false
		}
	}
	return true
}

func (r *Report) writeOutage(out *bytes.Buffer, title string, o *Outage, all bool) {
	for _, effect := range []string{"refused", "mutation lost", "delayed"} {
		var listed []Outcome
		for _, one := range o.Outcomes {
			if one.Effect == effect {
				listed = append(listed, one)
			}
		}
		r.writeOutcomes(out, title+": "+effect, listed, all)
	}
}

// writeOutcomes lists requests, with what breaks.
func (r *Report) writeOutcomes(out *bytes.Buffer, title string, listed []Outcome, all bool) {
	if len(listed) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", shown(title))
	for i, one := range listed {
		if i == few && !all {
			fmt.Fprintf(out, "  and %d more\n", len(listed)-i)
			return
		}
		q := r.request(one.Request)
		text := ""
		switch {
		case one.Effect == "refused":
			text = " " + q.Breaks
		case one.Seconds > 0:
			text = " after " + seconds(one.Seconds)
		}
		fmt.Fprintf(out, "  %s: %s%s (%s)\n",
			one.Request, q.Does, text, shown(strings.Join(one.Webhooks, ", ")))
	}
}

func (r *Report) request(id string) Request {
	for _, q := range r.Requests {
		if q.ID == id {
			return q
		}
	}
	return Request{}
}

func (r *Report) writeTogether(out *bytes.Buffer, all bool) {
	var listed []Outcome
	for _, t := range r.Together {
		if t.Effect == "refused" {
			listed = append(listed, t.Outcome)
		}
	}
	r.writeOutcomes(out, "Two backends hang: refused, but not if only one of them hangs", listed, all)
}

// write says which backends come up, and why the others do not.
func (c *ColdStart) write(out *bytes.Buffer) {
	if len(c.Rounds)+len(c.Stuck) == 0 {
		return
	}
	fmt.Fprintln(out, "\nAfter all backends were down")
	for i, round := range c.Rounds {
		fmt.Fprintf(out, "  %d. %s\n", i+1, shown(strings.Join(round, ", ")))
	}
	for _, s := range c.Stuck {
		fmt.Fprintf(out, "  %s never comes up: %s It is refused because of %s.\n", shown(s.Backend), s.Needs,
			shown(strings.Join(s.Webhooks, ", ")))
	}
	for _, e := range c.Cycle {
		fmt.Fprintf(out, "  cycle: %s waits for %s: %s\n", shown(e.Backend), shown(e.WaitsFor), e.Needs)
	}
	for i, e := range c.Exclusions {
		first := "  remedy: "
		if i > 0 {
			first = "    and "
		}
		fmt.Fprintf(out, "%sexempt namespace %s from %s\n", first, shown(e.Namespace), shown(e.Webhook))
	}
}

func seconds(s float64) string { return fmt.Sprintf("%gs", s) }

// shown returns text of a file, which may be untrusted.
func shown(text string) string { return message.Shown(text, "") }
