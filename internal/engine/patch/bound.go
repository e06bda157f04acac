package patch

import (
	"encoding/json"
	"unicode/utf8"
)

// saturated is a size beyond all limits. Sizes stop growing there, because
// copies of copies would overflow any integer.
const saturated = 1 << 40

// bound returns an upper bound of the number of bytes that the "copy"
// operations of a patch copy. It returns early once the bound exceeds stop. It
// takes time linear in the sizes of patch and document.
//
// bound tracks sizes by path and follows no values: the value at a path is at
// most as large as the document's value there plus all values that the patch
// has put at the path, below it, or above it. Removed and replaced values still
// count.
func bound(operations Operations, document []byte, stop int) int {
	if copies(operations) == 0 {
		return 0
	}
	start := &documentValue{raw: document}
	added := &addedSizes{}
	copied := 0
	for _, operation := range operations {
		to := pathOf(operation, "path")
		switch kind := operation.Kind(); kind {
		case "add", "replace":
			added.add(to, memberSize(operation, "path")+valueSize(operation))
		case "move", "copy":
			from := pathOf(operation, "from")
			moved := start.size(from) + added.size(from) + len("null")
			added.add(to, memberSize(operation, "path")+moved)
			if kind == "copy" {
				copied += moved
			}
		}
		if copied > stop {
			break
		}
	}
	return copied
}

func copies(operations Operations) (n int) {
	for _, operation := range operations {
		if operation.Kind() == "copy" {
			n++
		}
	}
	return n
}

// memberSize bounds the bytes that a member of an operation adds to a document:
// its text when it is encoded again, and the punctuation around it. The member
// "path" holds the new key.
func memberSize(operation map[string]*json.RawMessage, member string) int {
	const punctuation = len(`"":,`)
	if raw := operation[member]; raw != nil {
		return encodedSize(*raw) + punctuation
	}
	return punctuation
}

func valueSize(operation map[string]*json.RawMessage) int {
	return max(memberSize(operation, "value"), len("null"))
}

// encodedSize bounds the size of JSON when encoding/json encodes it again: it
// drops blanks, escapes HTML, and replaces bytes that are not UTF-8.
func encodedSize(raw []byte) int {
	const escaped, replaced = len(`\u003c`), len("\uFFFD")
	n := len(raw)
	for _, c := range raw {
		switch {
		case c == '<' || c == '>' || c == '&':
			n += escaped - 1
		case c >= utf8.RuneSelf:
			n += replaced - 1
		}
	}
	return n
}

// documentValue is a value of the document. The first call of size that leads
// into it parses its members.
type documentValue struct {
	raw     json.RawMessage
	encoded int // the encodedSize of raw, which is not 0; 0 before it is needed
	parsed  bool
	members map[string]*documentValue
}

// size bounds the size of the value at a path; 0 if there is none.
func (o *documentValue) size(path []string) int {
	for _, token := range path {
		if !o.parsed {
			o.parse()
		}
		next, ok := o.members[token]
		if !ok {
			return 0
		}
		o = next
	}
	if o.encoded == 0 {
		o.encoded = encodedSize(o.raw)
	}
	return o.encoded
}

func (o *documentValue) parse() {
	o.parsed = true
	var members map[string]json.RawMessage
	if json.Unmarshal(o.raw, &members) != nil {
		return // it is not an object
	}
	o.members = make(map[string]*documentValue, len(members))
	for name, raw := range members {
		o.members[name] = &documentValue{raw: raw}
	}
}

// addedSizes has the sizes of the values that a patch puts at a path and below
// it.
type addedSizes struct {
	// own is the size of the values at exactly this path, below the size of
	// these and of the values further down.
	own, below int
	members    map[string]*addedSizes
}

// add adds the size of a value that the patch puts at a path.
func (p *addedSizes) add(path []string, size int) {
	p.below = min(p.below+size, saturated)
	for _, token := range path {
		next := p.members[token]
		if next == nil {
			next = &addedSizes{}
			if p.members == nil {
				p.members = map[string]*addedSizes{}
			}
			p.members[token] = next
		}
		p = next
		p.below = min(p.below+size, saturated)
	}
	p.own = min(p.own+size, saturated)
}

// size bounds the sizes of the values at a path, below it and above it.
func (p *addedSizes) size(path []string) int {
	above := 0
	for _, token := range path {
		above += p.own
		if p = p.members[token]; p == nil {
			return above
		}
	}
	return above + p.below
}
