package explain

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// conversionPath holds consecutive states in other kinds than the final one. Within them
// the writer of each path is known. What they change in the final kind is known only as
// a whole.
type conversionPath struct {
	*aligner
	// origin is the writer that made the object, if its first state is in another kind.
	origin  *Writer
	atStart bool
	// authors are the writers that changed something, in order. touched has, by path,
	// the index of the last writer.
	authors []*Writer
	touched map[string]int

	before *State
	value  *jsonValue
}

func newConversionPath(a *aligner, begins bool) *conversionPath {
	return &conversionPath{aligner: a, atStart: begins, touched: map[string]int{}}
}

// addState adds a state and its changes.
func (p *conversionPath) addState(s *State, value *jsonValue) {
	switch {
	case p.before == nil && p.atStart:
		p.origin = through(s)
	case s.By.By == ByConversion:
	case p.before == nil || p.before.Kind != s.Kind:
		p.authors = append(p.authors, through(s)) // its changes are unknown
	default:
		p.addChanges(s, value)
	}
	p.before, p.value = s, value
}

// addChanges compares a state with the previous one, which has the same kind.
func (p *conversionPath) addChanges(s *State, value *jsonValue) {
	changes := differ{aligner: p.aligner}
	changes.compare(p.value, value)
	for _, c := range changes.changes {
		p.touched[c.Path] = len(p.authors)
	}
	if len(changes.changes) > 0 {
		p.authors = append(p.authors, through(s))
	}
}

// through returns the writer of a state, with the kind in which it wrote.
func through(s *State) *Writer {
	w, kind := s.By, metav1.GroupVersionKind(s.Kind)
	w.Through = &kind
	return &w
}

// stepAuthor returns the author of the step to the next state in the final kind.
func (p *conversionPath) stepAuthor(s *State) author {
	if s.By.By != ByConversion {
		p.authors = append(p.authors, &s.By)
	}
	switch {
	case p.origin != nil:
		return &sharedAuthor{conversionPath: p, fallback: p.origin}
	case len(p.authors) == 0:
		return &Writer{By: ByConversion}
	case len(p.authors) == 1:
		return p.authors[0]
	}
	return &sharedAuthor{conversionPath: p, fallback: p.lastWebhook()}
}

func (p *conversionPath) lastWebhook() *Writer {
	for i := len(p.authors) - 1; i >= 0; i-- {
		if p.authors[i].By == ByWebhook {
			return p.authors[i]
		}
	}
	return p.authors[len(p.authors)-1]
}

// sharedAuthor is the author of a step that several writers made.
type sharedAuthor struct {
	*conversionPath
	fallback *Writer
}

// writerOf returns the last writer that touched the path or one of its parents.
func (a *sharedAuthor) writerOf(path []pathStep) *Writer {
	last := -1
	var text []byte
	for i := -1; i < len(path); i++ {
		if i >= 0 {
			text = path[i].appendTo(text)
		}
		if by, ok := a.touched[string(text)]; ok {
			last = max(last, by)
		}
	}
	if last < 0 {
		return a.fallback
	}
	return a.authors[last]
}

func (a *sharedAuthor) single() bool { return false }
