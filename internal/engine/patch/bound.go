package patch

import (
	"encoding/json"
	"unicode/utf8"
)

// saturated is a size beyond all limits. Sizes stop growing there, because copies
// of copies would overflow any integer.
const saturated = 1 << 40

// bound returns a number that is no less than the bytes that the "copy"
// operations of a patch will copy, or one beyond stop as soon as it is clear that
// it gets there. It takes time linear in the sizes of patch and document.
//
// Values are never followed, only places: what can be at a place is at most what
// the document has there, and all that was put there, below it, or (as a whole of
// which it is a part) above it. What is removed or replaced still counts.
func bound(operations Operations, document []byte, stop int) int {
	if copies(operations) == 0 {
		return 0
	}
	start := &outline{raw: document}
	put := &place{}
	copied := 0
	for _, operation := range operations {
		to := placeOf(operation, "path")
		switch kind := operation.Kind(); kind {
		case "add", "replace":
			put.add(to, memberSize(operation, "path")+valueSize(operation))
		case "move", "copy":
			from := placeOf(operation, "from")
			moved := start.size(from) + put.size(from) + len("null")
			put.add(to, memberSize(operation, "path")+moved)
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

// memberSize bounds what a member adds to a document: its text when it is encoded
// again, and the punctuation around it. That of "path" has the new key in it.
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

// encodedSize bounds the size of JSON when it is encoded again: blanks go, but
// HTML is escaped, and bytes that are no UTF-8 become characters that are.
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

// outline is a value of the document. What is below it is parsed when somebody
// asks.
type outline struct {
	raw     json.RawMessage
	parsed  bool
	members map[string]*outline
}

// size bounds the size of the value at a place; 0 if there is none.
func (o *outline) size(at []string) int {
	for _, token := range at {
		if !o.parsed {
			o.parse()
		}
		next, ok := o.members[token]
		if !ok {
			return 0
		}
		o = next
	}
	return encodedSize(o.raw)
}

func (o *outline) parse() {
	o.parsed = true
	var members map[string]json.RawMessage
	if json.Unmarshal(o.raw, &members) != nil {
		return // not an object, so nothing is below
	}
	o.members = make(map[string]*outline, len(members))
	for name, raw := range members {
		o.members[name] = &outline{raw: raw}
	}
}

// place is where a patch puts something.
type place struct {
	// own is the size of what was put exactly here, below that of what was put
	// here or further down.
	own, below int
	members    map[string]*place
}

// add notes that something was put at a place.
func (p *place) add(at []string, size int) {
	p.below = min(p.below+size, saturated)
	for _, token := range at {
		next := p.members[token]
		if next == nil {
			next = &place{}
			if p.members == nil {
				p.members = map[string]*place{}
			}
			p.members[token] = next
		}
		p = next
		p.below = min(p.below+size, saturated)
	}
	p.own = min(p.own+size, saturated)
}

// size bounds what was put at a place or below it, or above it as a whole of
// which it is a part.
func (p *place) size(at []string) int {
	above := 0
	for _, token := range at {
		above += p.own
		if p = p.members[token]; p == nil {
			return above
		}
	}
	return above + p.below
}
