package manifest

import (
	"fmt"
	"io"
	"iter"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// maxListDepth bounds lists within lists. Each level is read again for the one
// inside it, which a hostile file could make expensive.
const maxListDepth = 16

// sink is the body of a range over documents. It reports whether to go on.
type sink = func(*Document, error) bool

// Documents reads the documents of r, in order; file is their file name. It
// yields either a document or an error, never both. After an error it goes on
// with the next document, if the input can be read further.
//
// If the file name ends in ".json" the input must be JSON; otherwise each part
// of it may be YAML or JSON.
func Documents(file string, r io.Reader) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		read(file, r, yield)
	}
}

// read reports whether the range over documents wants more.
func read(file string, r io.Reader, yield sink) bool {
	number := 0
	for p, err := range pieces(r) {
		if err != nil {
			return yield(nil, fmt.Errorf("%s: read document %d: %w", file, number+1, err))
		}
		values, line, err := parse(file, p)
		for i := range values {
			number++
			at := Position{File: file, Number: number, Line: values[i].line}
			d := &Document{Position: at, JSON: values[i].json, value: &values[i], outline: values[i].outline}
			if !d.unpack(0, yield) {
				return false
			}
		}
		if err != nil {
			number++
			at := Position{File: file, Number: number, Line: p.start}
			if !yield(nil, blame(at.at(line), err)) {
				return false
			}
		}
	}
	return true
}

// unpack yields d, or its items if it is a list.
func (d *Document) unpack(depth int, yield sink) bool {
	kind, err := identify(d.JSON)
	if err != nil {
		return yield(nil, d.Wrap("", err))
	}
	d.Kind = kind
	if kind != (schema.GroupVersionKind{Version: "v1", Kind: "List"}) {
		return yield(d, nil)
	}
	if depth == maxListDepth {
		return yield(nil, d.Wrap("", fmt.Errorf("lists are nested more than %d deep", maxListDepth)))
	}
	list := &metav1.List{}
	if err := d.DecodeInto(list, true); err != nil {
		return yield(nil, err)
	}
	outline := d.lines()
	for i := range list.Items {
		item := d.item(i, list.Items[i].Raw, outline)
		if !item.unpack(depth+1, yield) {
			return false
		}
	}
	return true
}

// item returns item i of the list d, without its Kind.
func (d *Document) item(i int, raw []byte, list *outline) *Document {
	field := fmt.Sprintf("items[%d]", i)
	return &Document{
		Position: d.Position.at(list.line(field)),
		Item:     join(d.Item, field),
		JSON:     raw,
		value:    d.value,
		outline:  list.at("items").at(fmt.Sprintf("[%d]", i)),
	}
}
