package explain

import (
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
)

// tellNothing says that an object has nothing at the path of --field, and which path may
// have been meant.
func (s *seer) tellNothing(visit *session.Visit) {
	whole := *s.view
	whole.field = nil
	e := whole.of(visit)
	reason := "nothing is at this path"
	switch hint := message.DidYouMean(s.field.String(), s.places(e)); {
	case len(e.Fields)+len(e.Removed) == 0:
		reason = "it has no fields that could be told"
		if s.webhook != "" {
			reason = "the webhook wrote nothing"
		}
	case hint != "":
		reason += ": " + hint
	}
	message.Notice(s.stderr, "--field %s: %s: %s", *s.fieldText, visit.Reference(), reason)
}

// longestPlace is beyond what length nobody has meant a path: objects may have keys
// that are as long as a book.
const longestPlace = 256

// places returns the paths of all fields, and of all that they are in, but for what the
// user has gone beyond.
func (s *seer) places(e *explain.Explanation) []string {
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
				if len(text) <= longestPlace && !path.Covers(*s.field) {
					all = append(all, text)
				}
			}
		}
	}
	return all
}
