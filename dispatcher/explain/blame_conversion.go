package explain

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// detour is a way through other kinds than the final one. There it is known who changed
// which path; what comes back is known only as a whole.
type conversionPath struct {
	*aligner
	// origin is who made the object, if it did not begin in the final kind.
	origin  *Writer
	atStart bool
	// authors are those who changed something, in order, and touched is the last of
	// them by path.
	authors []*Writer
	touched map[string]int

	before *State
	value  *jsonValue
}

func newConversionPath(a *aligner, begins bool) *conversionPath {
	return &conversionPath{aligner: a, atStart: begins, touched: map[string]int{}}
}

// pass notes a state and what was changed in it.
func (d *conversionPath) addState(s *State, value *jsonValue) {
	switch {
	case d.before == nil && d.atStart:
		d.origin = through(s)
	case s.By.By == ByConversion:
	case d.before == nil || d.before.Kind != s.Kind:
		d.authors = append(d.authors, through(s)) // what was changed cannot be known
	default:
		d.addChanges(s, value)
	}
	d.before, d.value = s, value
}

// note compares a state with the one before it, which has the same kind.
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

// through is the writer of a state, and the kind in which it wrote.
func through(s *State) *Writer {
	w, kind := s.By, metav1.GroupVersionKind(s.Kind)
	w.Through = &kind
	return &w
}

// end returns the author of the step to a state that is in the final kind again.
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

// passage is the author of what several have made on a detour.
type sharedAuthor struct {
	*conversionPath
	fallback *Writer
}

// wrote looks for who last touched the path, or something that it is in.
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
