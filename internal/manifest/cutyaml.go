package manifest

import (
	"bytes"
	"errors"
	"path/filepath"
	"regexp"
)

// itemsKey matches the line before the items of a list in block style.
var itemsKey = regexp.MustCompile(`(?m)^items:[ \t]*(#.*)?\r?$`)

// startsList reports whether what there is of a piece looks like a list in
// YAML, in block style. A piece whose first line is a separator with content is
// parsed whole.
func (d *documents) startsList(p piece) bool {
	return filepath.Ext(d.file) != ".json" && !separates(p.content) && itemsKey.Match(p.content)
}

// cutYAML yields the items of a list in block style, as kubectl prints it.
//
// Each item is parsed by itself. The result is that of the whole list or an
// error: no value of an item goes on behind a line that is not indented deeper
// than the dash, unless quotes or brackets are open, and then the item has no
// end; nor can an item refer to an anchor of another one.
func (d *documents) cutYAML(p piece) error {
	c := &yamlCutter{indent: -1, cutList: &cutList{documents: d, at: d.at(p.start), json: jsonOf}}
	d.number++
	for {
		n, err := d.next(maxPiece)
		switch {
		case errors.Is(err, errLarge):
			return tooLong(d.line)
		case err != nil:
			return err
		case n == 0 || separates(d.buf[:n]):
			return c.finish()
		}
		if err := c.read(d.buf[:n]); err != nil {
			return err
		}
		d.take(n)
	}
}

// jsonOf returns YAML as JSON.
func jsonOf(text []byte) ([]byte, error) {
	values, _, err := parseYAML(piece{content: text, first: 1})
	if err == nil && len(values) == 0 {
		err = errors.New("a manifest must be an object with apiVersion and kind")
	}
	if err != nil {
		return nil, err
	}
	return values[0].json, nil
}

// yamlCutter cuts a list at its items.
type yamlCutter struct {
	*cutList
	// inside says that the items have begun and not ended. The dashes are
	// indented by indent, which is -1 before the first.
	inside bool
	indent int
	// next is the item so far; it has no lines before the first one.
	next piece
}

// read reads a line, which the caller takes afterwards.
func (c *yamlCutter) read(line []byte) error {
	indent := len(line) - len(bytes.TrimLeft(line, " "))
	switch {
	case !c.inside && itemsKey.Match(bytes.TrimRight(line, "\r\n")):
		c.begin()
		c.inside, c.indent = true, -1
		return c.add(0, []byte("items: []\n"))
	case !c.inside:
		return c.add(0, line)
	case dashed(line[indent:]) && (c.indent < 0 || c.indent == indent):
		err := c.flush()
		item := bytes.Clone(line)
		item[indent] = ' '
		c.indent, c.next = indent, piece{first: c.line}
		c.next.add(item)
		return err
	case blank(line):
	case indent == 0:
		c.inside = false
		return errors.Join(c.flush(), c.add(0, line))
	case c.next.lines == 0:
		return blame(c.at.at(c.line), errors.New("items is not a list"))
	}
	if c.next.lines > 0 {
		c.next.add(line)
	}
	if len(c.next.content) > maxPiece {
		return tooLong(c.line)
	}
	return nil
}

// dashed reports whether a text begins as an item does.
func dashed(text []byte) bool {
	return len(text) > 0 && text[0] == '-' && (len(text) == 1 || bytes.IndexByte([]byte(" \t\r\n"), text[1]) >= 0)
}

// flush yields the item, if there is one.
func (c *yamlCutter) flush() error {
	p := c.next
	c.next = piece{}
	switch {
	case p.lines == 0:
		return nil
	case p.invalid > 0:
		return blame(c.at.at(p.invalid), errors.New("the text is not UTF-8"))
	}
	values, line, err := parseYAML(p)
	switch {
	case err != nil:
		return blame(c.at.at(max(line, p.first)), err)
	case len(values) == 0:
		return c.item(value{json: []byte("null"), line: p.first})
	}
	return c.item(values[0])
}

// finish yields the last item.
func (c *yamlCutter) finish() error {
	if err := c.flush(); err != nil {
		return err
	}
	return c.end()
}
