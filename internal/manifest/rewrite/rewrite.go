package rewrite

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"example.com/gatehouse/internal/manifest"
)

// Change is an object of a file and what it becomes.
type Change struct {
	// Document is the object as it was read from the file.
	Document *manifest.Document
	// Want is the object after the change, with the types of encoding/json as package
	// unstructured has them.
	Want map[string]any
}

// errShape says that the text is written in a way that is not understood.
var errShape = errors.New("cannot be changed: the file is written in a way that only its author can change")

// File returns the text of a file with changes. The file is the one that the
// documents name. The error has one line for each document that cannot be changed,
// and then nothing is changed.
func File(file string, text []byte, changes []Change) ([]byte, error) {
	before, err := read(file, text)
	if err != nil {
		return nil, err
	}
	want := make([]map[string]any, len(before))
	var problems []error
	var splices []splice
	for i, d := range before {
		if want[i], err = decode(d); err != nil {
			return nil, err
		}
		at := slices.IndexFunc(changes, func(c Change) bool { return same(c.Document, d) })
		if at < 0 {
			continue
		}
		if !bytes.Equal(d.JSON, changes[at].Document.JSON) {
			problems = append(problems, d.Wrap("", errors.New("the file has changed since it was read")))
			continue
		}
		more, err := splicesOf(text, d, want[i], changes[at].Want)
		problems = append(problems, err)
		splices, want[i] = append(splices, more...), changes[at].Want
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	after := apply(text, splices)
	if err := verify(file, after, before, want); err != nil {
		return nil, err
	}
	return after, nil
}

// read returns the documents of a file.
func read(file string, text []byte) ([]*manifest.Document, error) {
	var all []*manifest.Document
	for d, err := range manifest.Documents(file, bytes.NewReader(text)) {
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

func decode(d *manifest.Document) (map[string]any, error) {
	object, err := d.Unstructured()
	if err != nil {
		return nil, err
	}
	return object.Object, nil
}

// same reports whether two documents of a file are the same.
func same(a, b *manifest.Document) bool { return a.Number == b.Number && a.Item == b.Item }

// verify reads the changed text. The error is about the first document that is not what
// it has to be.
func verify(file string, text []byte, before []*manifest.Document, want []map[string]any) error {
	after, err := read(file, text)
	if err != nil || len(after) != len(before) {
		return fmt.Errorf("%s: %w", file, errShape)
	}
	for i, d := range after {
		got, err := decode(d)
		if err != nil || !same(d, before[i]) || !reflect.DeepEqual(got, want[i]) {
			return before[i].Wrap("", errShape)
		}
	}
	return nil
}

// splice replaces the text from one offset to another.
type splice struct {
	from, to int
	text     string
}

// apply returns the text with splices. Those at the same offset keep their order.
func apply(text []byte, splices []splice) []byte {
	slices.SortStableFunc(splices, func(a, b splice) int { return cmp.Compare(a.from, b.from) })
	var out strings.Builder
	at := 0
	for _, s := range splices {
		out.Write(text[at:max(at, s.from)])
		out.WriteString(s.text)
		at = max(at, s.to)
	}
	out.Write(text[at:])
	return []byte(out.String())
}
