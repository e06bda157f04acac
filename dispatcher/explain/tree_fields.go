package explain

import (
	"fmt"
	"strings"
)

// growFields shows who wrote each field, and each that is no more.
func (e *Explanation) growFields(t *twig) {
	for i := range e.Fields {
		e.Fields[i].grow(t)
	}
	for i := range e.Removed {
		e.Removed[i].growRemoved(t)
	}
	e.growFights(t)
	if len(e.Fields)+len(e.Removed) == 0 {
		t.add(faint, "nothing is there, and nothing was")
	}
}

// growOthers shows the fields that somebody else than the author wrote. What defaults
// alone have written is much, seldom asked for, and named only.
func (e *Explanation) growOthers(t *twig) {
	below := &twig{text: "written by others than the author of the request"}
	var defaults []string
	for i := range e.Fields {
		f := &e.Fields[i]
		switch {
		case f.Writer.By == ByUser || f.Writer.By == ByStored:
		case f.Writer == Writer{By: ByDefaulting} && len(f.Earlier) == 0:
			defaults = append(defaults, f.Path)
		default:
			f.grow(below)
		}
	}
	for i := range e.Removed {
		if f := &e.Removed[i]; f.Writer.By != ByUser {
			f.growRemoved(below)
		}
	}
	below.prune()
	if len(defaults) > 0 {
		below.add(faint, "by defaulting: %s", printable(strings.Join(defaults, ", ")))
	}
	if len(below.twigs) > 0 {
		t.twigs = append(t.twigs, below)
	}
}

// grow shows who wrote a field, and what was there before.
func (f *Field) grow(t *twig) {
	f.growEarlier(t.add(plain, "%s: %s %s", printable(f.Path), shownValue(f.Value), f.Writer.origin()))
}

// growRemoved shows who removed a field, and what was there before.
func (f *Field) growRemoved(t *twig) {
	f.growEarlier(t.add(plain, "%s: removed by %s", printable(f.Path), f.Writer))
}

func (f *Field) growEarlier(t *twig) {
	for i := len(f.Earlier) - 1; i >= 0; i-- {
		t.add(faint, "before that %s", f.Earlier[i].line())
	}
	t.prune()
}

func (e *Explanation) growFights(t *twig) {
	if len(e.Fights) == 0 {
		return
	}
	below := t.add(notable, "webhooks that overwrite each other")
	for i := range e.Fights {
		at := below.add(notable, "%s", printable(e.Fights[i].Path))
		for j := range e.Fights[i].Writes {
			at.add(plain, "%s", e.Fights[i].Writes[j].line())
		}
		at.prune()
	}
	below.prune()
}

func (w *Write) line() string { return shownValue(w.Value) + " " + w.Writer.origin() }

// origin says of a value where it comes from.
func (w Writer) origin() string {
	if w.By == ByStored {
		return "as it was stored"
	}
	return "by " + w.String()
}

// String returns the writer as people name it.
func (w Writer) String() string {
	switch w.By {
	case ByStored:
		return "whoever stored it"
	case ByUser:
		return "the author"
	case ByServer:
		return "the server"
	case ByConversion:
		return "conversion"
	case ByDefaulting:
		if w.Webhook == "" {
			return "defaulting"
		}
		return "defaulting after " + w.hook()
	case ByWebhook:
		return w.hook()
	}
	return printable(w.By)
}

// hook names the webhook, with what is needed to tell its calls apart.
func (w Writer) hook() string {
	text := printable(w.Webhook)
	if w.Round > 0 {
		text += fmt.Sprintf(" in round %d", w.Round)
	}
	if w.Through != nil {
		text += " in " + printable(strings.Trim(w.Through.Group+"/"+w.Through.Version, "/"))
	}
	return text
}

func (c *Change) line() string {
	path := printable(c.Path)
	switch c.Op {
	case "add":
		return fmt.Sprintf("+ %s: %s", path, shownValue(c.New))
	case "remove":
		return fmt.Sprintf("- %s: %s", path, shownValue(c.Old))
	case "move":
		return fmt.Sprintf("> %s: moved from %s", path, printable(c.From))
	}
	return fmt.Sprintf("~ %s: %s → %s", path, shownValue(c.Old), shownValue(c.New))
}
