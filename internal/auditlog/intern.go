package auditlog

// interner keeps one copy of each of the names that a log repeats. It drops all of them
// when there are too many, and keeps no long ones, which only costs further copies.
type interner struct{ known map[string]string }

// The bounds of the memory of an interner, 4 MiB of text: the number of names, and the
// bytes of one. Clients write names such as the user agent, which can be long.
const (
	maxNames = 1 << 14
	maxName  = 256
)

func newInterner() *interner { return &interner{known: map[string]string{}} }

// text returns the bytes as a string.
func (n *interner) text(b []byte) string {
	if text, ok := n.known[string(b)]; ok {
		return text
	}
	return n.add(string(b))
}

func (n *interner) string(text string) string {
	if known, ok := n.known[text]; ok {
		return known
	}
	return n.add(text)
}

func (n *interner) add(text string) string {
	if len(text) > maxName {
		return text
	}
	if len(n.known) >= maxNames {
		clear(n.known)
	}
	n.known[text] = text
	return text
}
