package manifest

import (
	"bytes"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// maxListDepth bounds lists within lists. Each level is read again for the one
// inside it, which a hostile file could make expensive.
const maxListDepth = 16

// unpack yields d, or its items if it is a list. The kind is that of an object
// that names none.
func (d *Document) unpack(depth int, kind schema.GroupVersionKind, yield sink) bool {
	if err := d.identify(kind); err != nil {
		return yield(nil, err)
	}
	list, err := d.list()
	switch {
	case err != nil:
		return yield(nil, err)
	case list == nil:
		return yield(d, nil)
	case depth == maxListDepth:
		return yield(nil, d.Wrap("", fmt.Errorf("lists are nested more than %d deep", maxListDepth)))
	}
	outline := d.lines()
	for i := range list.Items {
		item := d.item(i, list.Items[i].Raw, outline)
		if !item.unpack(depth+1, itemKind(d.Kind), yield) {
			return false
		}
	}
	return true
}

// identify sets the kind of the document, that of a list's items if it names
// none.
func (d *Document) identify(kind schema.GroupVersionKind) error {
	var err error
	if d.Kind, err = identify(d.JSON); err == nil {
		return nil
	}
	if kind.Empty() {
		return d.Wrap("", err)
	}
	return d.setKind(kind)
}

// list returns the document as a list, nil if it is none. Lists are v1 List,
// and the lists of one kind that API servers return, such as PodList.
func (d *Document) list() (*metav1.List, error) {
	generic := d.Kind == schema.GroupVersionKind{Version: "v1", Kind: "List"}
	if !generic && itemKind(d.Kind).Empty() {
		return nil, nil
	}
	list := &metav1.List{}
	err := d.DecodeInto(list, true)
	switch {
	case generic && err != nil:
		return nil, err
	case !generic && (err != nil || list.Items == nil):
		return nil, nil // a kind whose name ends so
	}
	return list, nil
}

// itemKind returns the kind of the items of a list that need not name it.
func itemKind(list schema.GroupVersionKind) schema.GroupVersionKind {
	kind, ok := strings.CutSuffix(list.Kind, "List")
	if !ok || kind == "" {
		return schema.GroupVersionKind{}
	}
	return list.GroupVersion().WithKind(kind)
}

// item returns item i of the list d, without its Kind.
func (d *Document) item(i int, raw []byte, list *outline) *Document {
	field := fmt.Sprintf("items[%d]", i)
	return &Document{
		Position: d.Position.at(list.line(field)),
		Item:     join(d.Item, field),
		JSON:     raw,
		outline:  list.at("items").at(fmt.Sprintf("[%d]", i)),
	}
}

// cutList yields the items of a list that is not held whole.
type cutList struct {
	*documents
	at Position
	// rest is the list so far, without its items, with the line breaks between
	// the fields. json returns it as JSON.
	rest []byte
	json func(rest []byte) ([]byte, error)
	// lines counts the line breaks of rest.
	lines int
	// cut says that the items have begun.
	cut bool
	// kind is that of items that name none, if the kind of the list is known.
	kind  schema.GroupVersionKind
	count int
}

// begin is called before the first item.
func (l *cutList) begin() {
	l.cut = true
	if text, err := l.json(l.rest); err == nil {
		list, _ := identify(text) // end returns the error
		l.kind = itemKind(list)
	}
}

// item yields the next item.
func (l *cutList) item(v value) error {
	d := &Document{Position: l.at.at(v.line), Item: fmt.Sprintf("items[%d]", l.count), JSON: v.json,
		value: &v, outline: v.outline}
	if l.count++; isNull(d.JSON) {
		d.JSON = nil // as in lists that are held whole
	}
	return stopped(d.unpack(1, l.kind, l.yield))
}

// end returns an error if what was cut is no list, and yields what was not cut.
func (l *cutList) end() error {
	text, err := l.json(l.rest)
	if err != nil {
		return blame(l.at, err)
	}
	d := &Document{Position: l.at, JSON: text}
	if !l.cut {
		d.value = &value{text: text, before: l.at.Line - 1}
		return stopped(d.unpack(0, schema.GroupVersionKind{}, l.yield))
	}
	if err := d.identify(schema.GroupVersionKind{}); err != nil {
		return err
	}
	list, err := d.list()
	if err == nil && list == nil {
		err = d.Wrap("", fmt.Errorf("more than %d MiB with items, and no list", cutPiece>>20))
	}
	return err
}

// add adds what begins on a line to the rest.
func (l *cutList) add(line int, text []byte) error {
	for ; l.lines < line-l.at.Line; l.lines++ {
		l.rest = append(l.rest, '\n')
	}
	l.lines += bytes.Count(text, []byte("\n"))
	if l.rest = append(l.rest, text...); len(l.rest) > maxPiece {
		return tooLong(l.line)
	}
	return nil
}
