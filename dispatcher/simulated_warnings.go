package dispatcher

import (
	"sync"
	"unicode/utf8"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/sets"
)

// How much of warnings a response has room for, in characters (S-301).
const (
	mostWarnings = 4096 // in all, as long as none is cut
	mostWarning  = 256  // of each, once they had to be cut
)

// warnings are the Warning headers of the response. What does not fit into them, a
// client never sees.
//
// They begin whole. The first warning that would make them longer than they may be
// starts them over: all so far and all that follow are cut, and once they are too
// long again nothing more is added.
type warnings struct {
	// lock is for what hosts may warn about while several webhooks are being called.
	lock sync.Mutex
	// given are all warnings, including those that no header can hold, and known
	// are their whole texts, whoever they are from.
	given []givenWarning
	known sets.Set[string]
	// texts are the headers', and length is how long they are together.
	texts   []string
	length  int
	cutting bool
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
	if w.cutting || w.length+utf8.RuneCountInString(text) <= mostWarnings || !g.fits() {
		w.write(g)
		return
	}
	w.cutting, w.texts, w.length = true, nil, 0
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

// full reports whether there is no room even for what would be cut.
func (w *warnings) full() bool { return w.cutting && w.length >= mostWarnings }

// write adds a header, if one can hold the warning.
func (w *warnings) write(g givenWarning) {
	if w.cutting {
		g.text = cutRunes(g.text, mostWarning)
	}
	if g.fits() {
		w.texts = append(w.texts, g.text)
		w.length += utf8.RuneCountInString(g.text)
	}
}

// fits reports whether a header can hold the warning: none can hold control
// characters or what is not UTF-8.
func (g givenWarning) fits() bool {
	_, err := utilnet.NewWarningHeader(miscellaneousWarning, g.agent, g.text)
	return err == nil
}

// miscellaneousWarning is the code in the header of every warning.
const miscellaneousWarning = 299

// cutRunes returns the first n characters of a text that has more.
//
// Compat: S-301: bytes that are not UTF-8 become replacement characters, so that a
// text which had to be cut fits into a header although it did not as a whole.
func cutRunes(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n])
}

// sent returns the texts as clients see them, in order.
func (w *warnings) sent() []string {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.texts
}
