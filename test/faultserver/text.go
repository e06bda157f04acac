package faultserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Text is a text in a compact form: pieces, each with a number of repetitions.
// In JSON it is a string, or a list of strings and pieces.
//
// A text may contain placeholders: {{uid}} and {{apiVersion}} of the received
// review, {{request}} for its JSON, {{path}} of the request, {{self}} for the
// URL of this origin, with the name that the client used, {{other}} for the URL
// of the second one (http if TLS is off there), and within a repeated piece
// {{i}} for the number of earlier repetitions.
type Text []Piece

// Piece is a part of a text.
type Piece struct {
	Repeat    string `json:"repeat"`              // what is written
	Times     int    `json:"times,omitempty"`     // 0 stands for 1
	Separator string `json:"separator,omitempty"` // written between
}

// Plain returns a text of one piece.
func Plain(s string) Text { return Text{{Repeat: s}} }

// MarshalJSON writes the shortest form.
func (t Text) MarshalJSON() ([]byte, error) {
	if len(t) == 1 && t[0].plain() {
		return marshal(t[0].Repeat)
	}
	pieces := make([]any, len(t))
	for i, p := range t {
		pieces[i] = p
		if p.plain() {
			pieces[i] = p.Repeat
		}
	}
	return marshal(pieces)
}

// marshal is json.Marshal, but that the caller's encoder decides whether markup
// is escaped.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

func (p Piece) plain() bool { return p.Times == 0 && p.Separator == "" }

// UnmarshalJSON reads both forms.
func (t *Text) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte("null")) {
		return nil
	}
	raw := []json.RawMessage{data}
	if bytes.HasPrefix(data, []byte("[")) {
		if err := json.Unmarshal(data, &raw); err != nil {
			return fmt.Errorf("reading a text: %w", err)
		}
	}
	pieces := make(Text, len(raw))
	for i, r := range raw {
		if err := pieces[i].read(r); err != nil {
			return fmt.Errorf("reading a text: %w", err)
		}
	}
	*t = pieces
	return nil
}

func (p *Piece) read(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		return json.Unmarshal(data, &p.Repeat)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	return decoder.Decode(p)
}

// empty reports whether nothing would be written.
func (t Text) empty() bool {
	for _, p := range t {
		if p.Repeat != "" || p.Separator != "" && p.Times > 1 {
			return false
		}
	}
	return true
}

// mentions reports whether the text has that placeholder.
func (t Text) mentions(placeholder string) bool {
	for _, p := range t {
		if strings.Contains(p.Repeat+p.Separator, placeholder) {
			return true
		}
	}
	return false
}

// expand fills in the placeholders other than {{i}}.
type expand func(string) string

// write writes the text in blocks, however long it is.
func (t Text) write(w io.Writer, fill expand) error {
	for _, p := range t {
		if err := p.write(w, fill); err != nil {
			return err
		}
	}
	return nil
}

// block is about how much is written, or kept, at a time.
const block = 32 << 10

func (p Piece) write(w io.Writer, fill expand) error {
	first := fill(p.Repeat)
	if p.Times <= 1 || strings.Contains(first, "{{i}}") {
		return p.writeNumbered(w, first)
	}
	unit := p.Separator + first
	if unit == "" {
		return nil
	}
	if _, err := io.WriteString(w, first); err != nil {
		return err
	}
	many := max(1, block/len(unit))
	whole := []byte(strings.Repeat(unit, min(many, p.Times-1)))
	for left := p.Times - 1; left > 0; left -= many {
		if _, err := w.Write(whole[:min(many, left)*len(unit)]); err != nil {
			return err
		}
	}
	return nil
}

// writeNumbered collects pieces to blocks, because one write for each would be
// one packet for each.
func (p Piece) writeNumbered(w io.Writer, piece string) error {
	var collected bytes.Buffer
	for i := range max(1, p.Times) {
		if i > 0 {
			collected.WriteString(p.Separator)
		}
		collected.WriteString(strings.ReplaceAll(piece, "{{i}}", strconv.Itoa(i)))
		if collected.Len() < block {
			continue
		}
		if _, err := w.Write(collected.Bytes()); err != nil {
			return err
		}
		collected.Reset()
	}
	_, err := w.Write(collected.Bytes())
	return err
}

// string returns the whole text. The error says that it is longer than most,
// and comes before anything is held.
func (t Text) string(fill expand, most int64) (string, error) {
	count := &counter{w: io.Discard}
	if err := t.write(&limiter{w: count, left: most}, fill); err != nil {
		return "", err
	}
	var b strings.Builder
	b.Grow(int(count.n))
	err := t.write(&b, fill)
	return b.String(), err
}
