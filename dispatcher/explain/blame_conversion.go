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
func (d *conversionPath) addState(s *State, value *jsonValue) {
	switch {
	case d.before == nil && d.atStart:
		d.origin = through(s)
	case s.By.By == ByConversion:
	case d.before == nil || d.before.Kind != s.Kind:
		d.authors = append(d.authors, through(s)) // its changes are unknown
	default:
		d.addChanges(s, value)
	}
	d.before, d.value = s, value
}

// addChanges compares a state with the previous one, which has the same kind.
func (d *conversionPath) addChanges(s *State, value *jsonValue) {
	changes := differ{aligner: d.aligner}
	changes.compare(d.value, value)
	for _, c := range changes.changes {
		d.touched[c.Path] = len(d.authors)
	}
	if len(changes.changes) > 0 {
		d.authors = append(d.authors, through(s))
	}
}

// through returns the writer of a state, with the kind in which it wrote.
func through(s *State) *Writer {
	w, kind := s.By, metav1.GroupVersionKind(s.Kind)
	w.Through = &kind
	return &w
}

// stepAuthor returns the author of the step to the next state in the final kind.
func (d *conversionPath) stepAuthor(s *State) author {
	if s.By.By != ByConversion {
		d.authors = append(d.authors, &s.By)
	}
	switch {
	case d.origin != nil:
		return &sharedAuthor{conversionPath: d, fallback: d.origin}
	case len(d.authors) == 0:
		return &Writer{By: ByConversion}
	case len(d.authors) == 1:
		return d.authors[0]
	}
	return &sharedAuthor{conversionPath: d, fallback: d.lastWebhook()}
}

func (d *conversionPath) lastWebhook() *Writer {
	for i := len(d.authors) - 1; i >= 0; i-- {
		if d.authors[i].By == ByWebhook {
			return d.authors[i]
		}
	}
	return d.authors[len(d.authors)-1]
}

// sharedAuthor is the author of a step that several writers made.
type sharedAuthor struct {
	*conversionPath
	fallback *Writer
}

// writerOf returns the last writer that touched the path or one of its parents.
func (p *sharedAuthor) writerOf(path []pathStep) *Writer {
	last := -1
	var text []byte
	for i := -1; i < len(path); i++ {
		if i >= 0 {
			text = path[i].appendTo(text)
		}
		if by, ok := p.touched[string(text)]; ok {
			last = max(last, by)
		}
	}
	if last < 0 {
		return p.fallback
	}
	return p.authors[last]
}

func (p *sharedAuthor) single() bool { return false }
