package explain

import (
	"io"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
)

// noticeMissing prints a notice that an object has nothing at the path of
// --field, with a similar path.
func (v *view) noticeMissing(visit *session.Result, stderr io.Writer) {
	whole := *v
	whole.field = nil
	e := whole.of(visit)
	reason := "there is no field at this path"
	switch hint := message.DidYouMean(v.field.String(), v.suggestions(e)); {
	case len(e.Fields)+len(e.Removed) == 0:
		reason = "the explanation has no fields"
		if v.webhook != "" {
			reason = "the webhook wrote nothing"
		}
	case hint != "":
		reason += ": " + hint
	}
	message.Notice(stderr, "--field %s: %s: %s", *v.fieldText, visit.Reference(), reason)
}

// maxSuggestion is the length beyond which a path is no suggestion: keys of
// objects may be very long.
const maxSuggestion = 256

// suggestions returns the paths of all fields and their parents, except parents
// of the path of --field.
func (v *view) suggestions(e *explain.Explanation) []string {
	var all []string
	seen := map[string]bool{}
	for _, fields := range [][]explain.Field{e.Fields, e.Removed} {
		for i := range fields {
			path, err := explain.ParsePath(fields[i].Path)
			for ok := err == nil; ok; path, ok = path.Parent() {
				text := path.String()
				if seen[text] {
					break
				}
				seen[text] = true
				if len(text) <= maxSuggestion && !path.Covers(*v.field) {
					all = append(all, text)
				}
			}
		}
	}
	return all
}
