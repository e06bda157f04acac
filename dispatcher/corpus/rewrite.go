package corpus

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"example.com/gatehouse/dispatcher/explain"
)

// step is a key of a map or an index of a list. A number in a JSON pointer is
// either.
type step struct {
	text          string
	index, either bool
}

// location is where a value is in a document.
type location []step

// path returns the location as a path of package explain.
func (l location) path() explain.Path {
	var p explain.Path
	if slices.ContainsFunc(l, func(s step) bool { return s.either }) {
		p, _ = explain.ParsePath(l.pointer()) // it is well formed
		return p
	}
	for _, s := range l {
		if i, err := strconv.Atoi(s.text); s.index && err == nil {
			p = p.Index(i)
		} else {
			p = p.Key(s.text)
		}
	}
	return p
}

// pointer returns the location as a JSON pointer.
func (l location) pointer() string {
	var text strings.Builder
	for _, s := range l {
		text.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(s.text))
	}
	return text.String()
}

// isAt reports whether the location begins with keys.
func (l location) isAt(keys ...string) bool {
	if len(l) < len(keys) {
		return false
	}
	for i, key := range keys {
		if l[i].index || l[i].text != key {
			return false
		}
	}
	return true
}

// change returns what replaces a string, json.Number, bool or nil; false if nothing
// does.
type change func(at location, value any) (any, bool)

// rewriter replaces values in a document, and no other byte of it: a review must
// not depend on whether another part of it was replaced.
type rewriter struct {
	document []byte
	decoder  *json.Decoder
	value    change
	// key returns what replaces a key; nil to keep all.
	key func(at location, key string) string

	out bytes.Buffer
	// copied is how much of the document is in out.
	copied int
	// replaced are the locations of the values that were replaced.
	replaced []location
}

// rewrite returns the document with values replaced, and where. A document that
// is not JSON is an error.
func (w *rewriter) rewrite(document []byte) ([]byte, error) {
	if !json.Valid(document) { // the decoder would not bound the depth
		return nil, json.Unmarshal(document, new(any))
	}
	w.document, w.decoder = document, json.NewDecoder(bytes.NewReader(document))
	w.decoder.UseNumber()
	if err := w.next(nil); err != nil {
		return nil, err
	}
	w.out.Write(document[w.copied:])
	return w.out.Bytes(), nil
}

// next rewrites the next value.
func (w *rewriter) next(at location) error {
	before := w.decoder.InputOffset()
	token, err := w.decoder.Token()
	if err != nil {
		return err
	}
	delimiter, ok := token.(json.Delim)
	if !ok {
		if changed, ok := w.value(at, token); ok {
			w.replaced = append(w.replaced, append(location(nil), at...))
			w.replace(int(before), changed)
		}
		return nil
	}
	for i := 0; w.decoder.More(); i++ {
		s := step{text: strconv.Itoa(i), index: true}
		if delimiter == '{' {
			if s, err = w.nextKey(at); err != nil {
				return err
			}
		}
		if err := w.next(append(at, s)); err != nil {
			return err
		}
	}
	_, err = w.decoder.Token()
	return err
}

func (w *rewriter) nextKey(at location) (step, error) {
	before := w.decoder.InputOffset()
	token, err := w.decoder.Token()
	if err != nil {
		return step{}, err
	}
	key := token.(string) // the document is valid
	if w.key != nil {
		if changed := w.key(at, key); changed != key {
			w.replace(int(before), changed)
			key = changed
		}
	}
	return step{text: key}, nil
}

// replace replaces the token that begins after an offset and ends here.
func (w *rewriter) replace(before int, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		text = []byte("null") // strings, numbers and booleans can be encoded
	}
	token := bytes.TrimLeft(w.document[before:], " \t\r\n,:")
	start := len(w.document) - len(token)
	w.out.Write(w.document[w.copied:start])
	w.out.Write(text)
	w.copied = int(w.decoder.InputOffset())
}
