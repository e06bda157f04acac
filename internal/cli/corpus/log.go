package corpus

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/dispatcher/corpus"
)

const (
	// maxLine is the length of the longest line of a log, as in a corpus.
	maxLine = 32 << 20
	// maxAttempts and maxDepth bound the search for a review in a line.
	maxAttempts = 100
	maxDepth    = 8
)

// lines returns the lines of a log. After an error there are no more.
func lines(r io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		scanner := bufio.NewScanner(r)
		scanner.Buffer(nil, maxLine)
		for scanner.Scan() {
			if !yield(scanner.Bytes(), nil) {
				return
			}
		}
		err := scanner.Err()
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("the line is longer than %d MiB", maxLine>>20)
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// reviewed returns the entry of a review of a log; nil if the log had the review before.
func (m *maker) reviewed(at string, review []byte) (*corpus.Entry, error) {
	r, err := request.FromReview(review, m.objects)
	if err != nil {
		return nil, err
	}
	var of struct{ Request struct{ UID string } }
	if err := json.Unmarshal(review, &of); err != nil {
		return nil, err
	}
	uid := of.Request.UID
	if uid != "" && m.seen.Has(uid) {
		return nil, nil
	}
	m.seen.Insert(uid)
	response := &admission.Response{Request: r, NamespaceLabels: m.namespaces[r.Namespace]}
	return m.entry(response,
		corpus.Options{ID: cmp.Or(uid, at), Source: corpus.FromReview, Origin: at})
}

// reviewIn returns the AdmissionReview with a request in a line of a log: JSON
// after any text, at any depth, also as a string; nil if there is none.
func reviewIn(line []byte) []byte { return search(line, 0) }

var word = []byte("AdmissionReview")

// search looks in a text.
func search(text []byte, depth int) []byte {
	if depth > maxDepth || !bytes.Contains(text, word) {
		return nil
	}
	rest := text
	for range maxAttempts {
		at := bytes.IndexByte(rest, '{')
		if at < 0 {
			break
		}
		rest = rest[at:]
		var object json.RawMessage
		if json.NewDecoder(bytes.NewReader(rest)).Decode(&object) != nil {
			rest = rest[1:]
			continue
		}
		if found := within(object, depth+1); found != nil {
			return found
		}
		rest = rest[len(object):]
	}
	return searchQuoted(text, depth)
}

// searchQuoted looks in the strings of a text as klog quotes them.
func searchQuoted(text []byte, depth int) []byte {
	for range maxAttempts {
		at := bytes.Index(text, []byte(`"{`))
		if at < 0 {
			return nil
		}
		text = text[at:]
		quoted, err := strconv.QuotedPrefix(string(text))
		if err != nil {
			text = text[1:]
			continue
		}
		if inner, err := strconv.Unquote(quoted); err == nil {
			if found := search([]byte(inner), depth+1); found != nil {
				return found
			}
		}
		text = text[len(quoted):]
	}
	return nil
}

// within looks in a value, and in what it holds.
func within(value json.RawMessage, depth int) []byte {
	if depth > maxDepth || !bytes.Contains(value, word) {
		return nil
	}
	var (
		object map[string]json.RawMessage
		list   []json.RawMessage
		text   string
	)
	switch {
	case json.Unmarshal(value, &object) == nil:
		if string(object["kind"]) == `"AdmissionReview"` && bytes.HasPrefix(object["request"], []byte("{")) {
			return value
		}
		for _, key := range slices.Sorted(maps.Keys(object)) {
			list = append(list, object[key])
		}
	case json.Unmarshal(value, &list) == nil:
	case json.Unmarshal(value, &text) == nil:
		return search([]byte(text), depth+1)
	}
	for _, item := range list {
		if found := within(item, depth+1); found != nil {
			return found
		}
	}
	return nil
}
