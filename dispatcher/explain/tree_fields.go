package explain

import (
	"fmt"
	"strings"
)

// buildFields adds the writer of each field, and of each removed field.
func (e *Explanation) buildFields(n *node) {
	for i := range e.Fields {
		e.Fields[i].build(n)
	}
	for i := range e.Removed {
		e.Removed[i].buildRemoved(n)
	}
	e.buildFights(n)
	if len(e.Fields)+len(e.Removed) == 0 {
		n.add(faint, "the object has no fields")
	}
}

// buildOthers adds the fields that were not written by the user. Fields written
// by defaulting alone are many, so only their paths are listed.
func (e *Explanation) buildOthers(n *node) {
	child := &node{text: "written by others than the user"}
	var defaults []string
	for i := range e.Fields {
		f := &e.Fields[i]
		switch {
		case f.Writer.By == ByUser || f.Writer.By == ByStored:
		case f.Writer == Writer{By: ByDefaulting} && len(f.Earlier) == 0:
			defaults = append(defaults, f.Path)
		default:
			f.build(child)
		}
	}
	for i := range e.Removed {
		if f := &e.Removed[i]; f.Writer.By != ByUser {
			f.buildRemoved(child)
		}
	}
	child.truncate()
	if len(defaults) > 0 {
		child.add(faint, "by defaulting: %s", printable(strings.Join(defaults, ", ")))
	}
	if len(child.children) > 0 {
		n.children = append(n.children, child)
	}
}

// build adds the writer of a field, and its earlier values.
func (f *Field) build(n *node) {
	f.buildEarlier(
		n.add(plain, "%s: %s %s", printable(f.Path), formatValue(f.Value), f.Writer.origin()))
}

// buildRemoved adds the writer that removed a field, and its earlier values.
func (f *Field) buildRemoved(n *node) {
	f.buildEarlier(n.add(plain, "%s: removed by %s", printable(f.Path), f.Writer))
}

func (f *Field) buildEarlier(n *node) {
	for i := len(f.Earlier) - 1; i >= 0; i-- {
		n.add(faint, "before that %s", f.Earlier[i].line())
	}
	n.truncate()
}

func (e *Explanation) buildFights(n *node) {
	if len(e.Fights) == 0 {
		return
	}
	child := n.add(notable, "webhooks that overwrite each other")
	for i := range e.Fights {
		at := child.add(notable, "%s", printable(e.Fights[i].Path))
		for j := range e.Fights[i].Writes {
			at.add(plain, "%s", e.Fights[i].Writes[j].line())
		}
		at.truncate()
	}
	child.truncate()
}

func (w *Write) line() string { return formatValue(w.Value) + " " + w.Writer.origin() }

// origin describes where a value comes from.
func (w Writer) origin() string {
	if w.By == ByStored {
		return "as it was stored"
	}
	return "by " + w.String()
}

// String returns the writer as trees name it.
func (w Writer) String() string {
	switch w.By {
	case ByStored:
		return "an earlier request"
	case ByUser:
		return "the user"
	case ByServer:
		return "the server"
	case ByConversion:
		return "conversion"
	case ByDefaulting:
		switch {
		case w.Policy != "":
			return "defaulting after " + w.policyLabel()
		case w.Webhook == "":
			return "defaulting"
		}
		return "defaulting after " + w.webhookLabel()
	case ByPolicy:
		return w.policyLabel()
	case ByWebhook:
		return w.webhookLabel()
	}
	return printable(w.By)
}

// policyLabel names the policy, its binding and its mutation.
func (w Writer) policyLabel() string {
	return w.inRound(fmt.Sprintf("policy %s, binding %s, mutations[%d]", printable(w.Policy),
		printable(w.Binding), w.Index))
}

// webhookLabel returns the webhook's name, with the round and version of the
// call.
func (w Writer) webhookLabel() string {
	return w.inRound(printable(w.Webhook))
}

// inRound adds the round and the version to a writer's name.
func (w Writer) inRound(text string) string {
	if w.Round > 0 {
		text += fmt.Sprintf(" in round %d", w.Round)
	}
	if w.Through != nil {
		text += " in " + printable(strings.Trim(w.Through.Group+"/"+w.Through.Version, "/"))
	}
	return text
}

// String returns a line such as "~ spec.replicas: 3 → 6".
func (c *Change) String() string {
	path := printable(c.Path)
	switch c.Op {
	case "add":
		return fmt.Sprintf("+ %s: %s", path, formatValue(c.New))
	case "remove":
		return fmt.Sprintf("- %s: %s", path, formatValue(c.Old))
	case "move":
		return fmt.Sprintf("> %s: moved from %s", path, printable(c.From))
	}
	return fmt.Sprintf("~ %s: %s → %s", path, formatValue(c.Old), formatValue(c.New))
}
