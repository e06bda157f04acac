package diff

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/whatif"
)

const (
	// maxEffects limits the effects that are shown of a cause, and maxItems the
	// differences of an example.
	maxEffects = 8
	maxItems   = 12
	// maxChanges limits the changes that are listed.
	maxChanges = 50
)

// textOf returns the document as text:
//
//	2 of 5 requests end differently: 1 in the verdict, 1 in calls or annotations
//
//	1. webhook a.example.com of configuration shop: rules[0].resources: pods instead of pods/exec
//	   after.yaml: document 1 (line 9)
//	   2 requests:
//	     2  shop/a.example.com is no longer called
//	     1  now allowed
//	   for example CONNECT pods/web/exec in shop by mallory (r0017):
//	     …
func textOf(d *Document, colors command.Palette) []byte {
	var out bytes.Buffer
	summary := d.summary()
	switch {
	case d.Failed:
		summary = colors.Bad(summary)
	case d.Differences.Requests > 0:
		summary = colors.Notable(summary)
	default:
		summary = colors.Good(summary)
	}
	fmt.Fprintln(&out, summary)
	for _, remark := range d.remarks() {
		fmt.Fprintln(&out, shown(remark))
	}
	for i := range d.Causes {
		fmt.Fprintf(&out, "\n%d. ", i+1)
		d.Causes[i].write(&out, colors)
	}
	if len(d.WithoutEffect) > 0 {
		fmt.Fprintf(&out, "\nChanges that affect no request: %d\n", len(d.WithoutEffect))
		for i := range d.WithoutEffect {
			if i == maxChanges {
				fmt.Fprintf(&out, "   and %d more\n", len(d.WithoutEffect)-maxChanges)
				break
			}
			c := &d.WithoutEffect[i]
			fmt.Fprintf(&out, "   %s (%s)\n", shown(c.Text), shown(c.at()))
		}
	}
	return out.Bytes()
}

// summary says how many requests end differently.
func (d *Document) summary() string {
	text := d.headline()
	if d.Differences.Requests > 0 {
		text += ": " + d.Differences.text()
	}
	if d.Incomplete {
		text = "incomplete, because it was interrupted: " + text
	}
	return text
}

// headline is the summary without details.
func (d *Document) headline() string {
	of := message.Count(d.Requests, "request")
	switch n := d.Differences.Requests; n {
	case 0:
		return fmt.Sprintf("none of %s ends differently", of)
	case 1:
		return fmt.Sprintf("1 of %s ends differently", of)
	default:
		return fmt.Sprintf("%d of %s end differently", n, of)
	}
}

// text says by what requests differ.
func (c *Counts) text() string {
	var parts []string
	for _, one := range []struct {
		n    int
		what string
	}{
		{c.Verdict, "in the verdict"}, {c.Object, "in the object or the response"},
		{c.Calls, "in calls or annotations"},
	} {
		if one.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", one.n, one.what))
		}
	}
	return strings.Join(parts, ", ")
}

// remarks says what limits the result, and which differences are ignored.
func (d *Document) remarks() []string {
	all := d.limits()
	for _, u := range d.SetAside {
		all = append(all, fmt.Sprintf("ignored: %s differs between two runs of the same set: %s, such as %s",
			u.What, message.Count(u.Requests, "request"), u.ID))
	}
	return all
}

// limits says what limits the result.
func (d *Document) limits() []string {
	var all []string
	if n := d.Differences.Undecided; n > 0 {
		all = append(all, fmt.Sprintf("the verdict of %s is unknown, because a webhook was not reached or has no "+
			"recorded answer", message.Count(n, "request")))
	}
	if n := d.Differences.Assumed; n > 0 {
		all = append(all, fmt.Sprintf("%s used an answer that may have been recorded for another object",
			message.Count(n, "request")))
	}
	if d.Unknown > 0 {
		all = append(all, fmt.Sprintf("the verdict of %s without a difference is unknown in both sets",
			message.Count(d.Unknown, "request")))
	}
	if d.NotAdmitted > 0 {
		all = append(all, fmt.Sprintf("neither set can simulate %s: %s", message.Count(d.NotAdmitted, "request"),
			strings.Join(d.Problems, "; ")))
	}
	return all
}

func (c *Cause) write(out *bytes.Buffer, colors command.Palette) {
	fmt.Fprintln(out, shown(c.title()))
	for i := range c.Changes {
		if i == maxChanges {
			fmt.Fprintf(out, "   and %d more\n", len(c.Changes)-maxChanges)
			break
		}
		change := &c.Changes[i]
		if len(c.Changes) > 1 {
			fmt.Fprintf(out, "   %s\n", shown(change.Text))
		}
		fmt.Fprintf(out, "   %s\n", shown(change.at()))
	}
	for i := range c.Also {
		fmt.Fprintf(out, "   undoing this alone has the same effect: %s\n", shown(c.Also[i].Text))
	}
	fmt.Fprintf(out, "   %s:\n", message.Count(c.Differences.Requests, "request"))
	for i, e := range c.Effects {
		if i == maxEffects {
			fmt.Fprintf(out, "     and %s\n", message.Count(len(c.Effects)-maxEffects, "more effect"))
			break
		}
		fmt.Fprintf(out, "     %*d  %s\n", len(strconv.Itoa(c.Differences.Requests)), e.Requests,
			colored(shown(e.Text), colors))
	}
	c.writeExample(out)
}

// colored colours what is bad for a request, and what is good.
func colored(effect string, colors command.Palette) string {
	switch effect {
	case "now denied":
		return colors.Bad(effect)
	case "now allowed":
		return colors.Notable(effect)
	}
	return effect
}

// title is the text of the change, or says that there are several, or none.
func (c *Cause) title() string {
	switch len(c.Changes) {
	case 0:
		return "the cause was not found: these requests end differently even if all changes are undone"
	case 1:
		return c.Changes[0].Text
	}
	return fmt.Sprintf("these %d changes together:", len(c.Changes))
}

func (c *Cause) writeExample(out *bytes.Buffer) {
	fmt.Fprintf(out, "   for example %s (%s):\n", shown(c.Example.Request), shown(c.Example.ID))
	for i := range c.Example.Items {
		if i == maxItems {
			fmt.Fprintf(out, "     and %s\n",
				message.Count(len(c.Example.Items)-maxItems, "more difference"))
			break
		}
		item := &c.Example.Items[i]
		fmt.Fprintf(out, "     %s\n       before: %s\n       after:  %s\n", shown(nameOf(item)),
			shown(before(item)), shown(after(item)))
	}
	others := slices.Clone(c.IDs)
	others = slices.DeleteFunc(others, func(id string) bool { return id == c.Example.ID })
	if c.Differences.Requests > len(others)+1 {
		others = append(others, "…")
	}
	if len(others) > 0 {
		fmt.Fprintf(out, "   others: %s\n", shown(strings.Join(others, ", ")))
	}
}

// nameOf names what differs.
func nameOf(i *whatif.Item) string {
	parts := []string{string(i.Field)}
	for _, part := range []string{i.Phase, i.Subject} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if i.Round > 0 {
		parts = append(parts, "in round 1")
	}
	return strings.Join(parts, " ")
}

// longest is the length of a value, in characters.
const longest = 300

func before(i *whatif.Item) string { return message.Cut(valueBefore(i), longest) }

func after(i *whatif.Item) string { return message.Cut(valueAfter(i), longest) }

func valueBefore(i *whatif.Item) string { return value(i, i.Before, i.ReasonBefore) }

func valueAfter(i *whatif.Item) string { return value(i, i.After, i.ReasonAfter) }

// value returns one value of an item on one line.
func value(i *whatif.Item, value, reason string) string {
	switch {
	case value == "" && reason != "" && i.Field == whatif.Policy:
		value = "not evaluated: " + reason
	case value == "" && reason != "":
		value = "not called: " + reason
	case value == "" && i.Before == i.After:
		value = "(not shown)"
	}
	return strings.Join(strings.Fields(cmp.Or(value, "none")), " ")
}

// at returns the position of a change, in the second set if it has one.
func (c *Change) at() string { return cmp.Or(c.After, c.Before).String() }

// String returns for example "after.yaml: document 1 (line 9)".
func (p *Position) String() string {
	return fmt.Sprintf("%s: document %d (line %d)", p.File, p.Document, p.Line)
}

// shown returns a text of a file or a request, which may be untrusted.
func shown(text string) string { return message.Escaped(text) }
