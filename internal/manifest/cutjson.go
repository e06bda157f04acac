package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// cutJSON yields the documents of JSON values up to a separator.
func (d *documents) cutJSON() error {
	for {
		if c, more := d.skipBlanks(); !more || (c == '-' || c == '.') && d.separated() {
			return d.failure()
		}
		at := d.at(d.line)
		text, err := d.value(d.limit)
		switch {
		case errors.Is(err, errLarge):
			d.number++
			err = d.cutObject(at)
		case err == nil:
			err = d.whole(text, at)
		}
		if err != nil {
			return err
		}
	}
}

// separated reports whether the buffer begins with a separator.
func (d *documents) separated() bool {
	n, err := d.next(d.limit)
	return err == nil && separates(d.buf[:n])
}

// whole yields the documents of a JSON value.
func (d *documents) whole(text []byte, at Position) error {
	v, err := newValue(text, at)
	if err == nil && isNull(v.json) {
		return nil
	}
	d.number++
	if err != nil {
		return err
	}
	doc := &Document{Position: at, JSON: v.json, value: &v}
	return stopped(doc.unpack(0, schema.GroupVersionKind{}, d.yield))
}

// newValue returns a copy of a JSON value that begins at a position.
func newValue(text []byte, at Position) (value, error) {
	if !utf8.Valid(text) {
		return value{}, blame(at, errors.New("the text is not UTF-8"))
	}
	var raw json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		lines := bytes.Count(text[:max(0, syntaxOffset(text, err))], []byte("\n"))
		return value{}, blame(at.at(at.Line+lines), fmt.Errorf("invalid JSON: %w", err))
	}
	return value{json: raw, text: raw, before: at.Line - 1, line: at.Line}, nil
}

// cutObject yields the items of a JSON object that is a list.
func (d *documents) cutObject(at Position) error {
	l := &cutList{documents: d, at: at, json: func(rest []byte) ([]byte, error) {
		return append(bytes.Clone(rest), '}'), nil
	}}
	if err := l.expect('{'); err != nil {
		return err
	}
	l.rest = append(l.rest, '{')
	for comma := ""; ; comma = "," {
		if c, _ := l.skipBlanks(); c == '}' {
			l.take(1)
			return l.end()
		}
		if comma != "" {
			if err := l.expect(','); err != nil {
				return err
			}
		}
		if err := l.field(comma); err != nil {
			return err
		}
	}
}

// field reads a field of the list, and yields the items.
func (l *cutList) field(comma string) error {
	key, err := l.part()
	if err != nil {
		return err
	}
	if err := l.expect(':'); err != nil {
		return err
	}
	name := fmt.Appendf(nil, "%s%s:", comma, key.json)
	if c, _ := l.skipBlanks(); string(key.json) == `"items"` && c == '[' {
		l.begin()
		if err := l.items(); err != nil {
			return err
		}
		return l.add(l.line, append(name, "[]"...))
	}
	if err := l.add(key.line, name); err != nil {
		return err
	}
	field, err := l.part()
	if err != nil {
		return err
	}
	return l.add(field.line, field.json)
}

// items yields the items.
func (l *cutList) items() error {
	if err := l.expect('['); err != nil {
		return err
	}
	for first := true; ; first = false {
		if c, _ := l.skipBlanks(); c == ']' {
			l.take(1)
			return nil
		}
		if !first {
			if err := l.expect(','); err != nil {
				return err
			}
		}
		v, err := l.part()
		if err != nil {
			return err
		}
		if err := l.item(v); err != nil {
			return err
		}
	}
}

// part reads a key, a value or an item.
func (l *cutList) part() (value, error) {
	l.skipBlanks()
	at := l.at.at(l.line)
	text, err := l.value(maxPiece)
	if errors.Is(err, errLarge) {
		err = tooLong(l.line)
	}
	if err != nil {
		return value{}, err
	}
	return newValue(text, at)
}

// expect takes a character.
func (l *cutList) expect(want byte) error {
	c, more := l.skipBlanks()
	switch {
	case more && c == want:
		l.take(1)
		return nil
	case more:
		return blame(l.at.at(l.line), fmt.Errorf("invalid JSON: %q where %q is wanted", c, want))
	case l.failure() != nil:
		return l.failure()
	}
	return blame(l.at.at(l.line), errors.New("invalid JSON: unexpected end of JSON input"))
}
