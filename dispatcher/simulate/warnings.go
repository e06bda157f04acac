package simulate

import (
	"sync"
	"unicode/utf8"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/sets"
)

// Limits on the Warning headers of a response, in characters (S-301).
const (
	maxWarnings  = 4096 // of all warnings, if none is truncated
	maxTruncated = 256  // of each warning, once warnings are truncated
)

// warnings are the Warning headers of the response.
//
// Warnings are added whole until one exceeds the limit. From then on, all
// warnings, including the earlier ones, are truncated, and warnings beyond the
// limit are dropped.
type warnings struct {
	// lock is needed because the embedder's code may warn during parallel
	// calls.
	lock sync.Mutex
	// given are all warnings, including those that a header cannot hold, and
	// known are their texts.
	given []givenWarning
	known sets.Set[string]
	// texts are the texts of the headers, and length is their total length.
	texts      []string
	length     int
	truncating bool
}

type givenWarning struct{ agent, text string }

// AddWarning implements the recorder of k8s.io/apiserver/pkg/warning.
func (w *warnings) AddWarning(agent, text string) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if text == "" || w.full() || w.known.Has(text) {
		return
	}
	g := givenWarning{agent, text}
	w.remember(g)
	if w.truncating || w.length+utf8.RuneCountInString(text) <= maxWarnings || !g.fits() {
		w.write(g)
		return
	}
	w.truncating, w.texts, w.length = true, nil, 0
	for _, g := range w.given {
		w.write(g)
	}
}

func (w *warnings) remember(g givenWarning) {
	if w.known == nil {
		w.known = sets.New[string]()
	}
	w.given = append(w.given, g)
	w.known.Insert(g.text)
}

// full reports whether even a truncated warning would exceed the limit.
func (w *warnings) full() bool { return w.truncating && w.length >= maxWarnings }

// write adds a header, if one can hold the warning.
func (w *warnings) write(g givenWarning) {
	if w.truncating {
		g.text = truncateRunes(g.text, maxTruncated)
	}
	if g.fits() {
		w.texts = append(w.texts, g.text)
		w.length += utf8.RuneCountInString(g.text)
	}
}

// fits reports whether a header can hold the warning. It cannot hold control
// characters or invalid UTF-8.
func (g givenWarning) fits() bool {
	_, err := utilnet.NewWarningHeader(miscellaneousWarning, g.agent, g.text)
	return err == nil
}

// miscellaneousWarning is the code in the header of every warning.
const miscellaneousWarning = 299

// truncateRunes returns the first n characters of a text.
//
// Compat: S-301: invalid UTF-8 becomes replacement characters, so that a
// truncated text may fit into a header although the whole text does not.
func truncateRunes(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n])
}

// sent returns the texts that the client receives, in order.
func (w *warnings) sent() []string {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.texts
}
