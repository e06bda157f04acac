package explain

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// hidden stands where something is not shown.
const hidden = "[redacted]"

const (
	// wordLength is below what length a value is hidden only where it is a word of
	// its own: others would take the words of people apart.
	wordLength = 4
	// lineLength is from what length on each line of a longer value is one that must
	// not be shown either.
	lineLength = 8
	// encodedLength is from what length on it is looked whether a text is base64.
	encodedLength = 16
	// quotedLength is up to what length a text is one that is quoted within quotes.
	// Longer ones would only cost time.
	quotedLength = 64 << 10
	// keyLength is up to what length a value may be a key. API servers take shorter ones
	// only.
	keyLength = 1 << 10
)

// scrubber hides values in the texts of webhooks and libraries, which may quote them.
type scrubber struct {
	values *strings.Replacer
	// words are short values; nil if there are none.
	words *regexp.Regexp
}

// newScrubber returns a scrubber of values, in all the forms in which texts have them.
func newScrubber(values []string) *scrubber {
	var long, short []string
	for _, form := range forms(values) {
		switch {
		case len(form) >= wordLength:
			long = append(long, form, hidden)
		case form != "" && utf8.ValidString(form): // texts have no others, and patterns neither
			short = append(short, regexp.QuoteMeta(form))
		}
	}
	s := &scrubber{values: strings.NewReplacer(long...)}
	if len(short) > 0 {
		s.words = regexp.MustCompile(`\b(?:` + strings.Join(short, "|") + `)\b`)
	}
	return s
}

// forms returns values, what they decode to, their longer lines, and all of that as it
// looks in paths, in quotes, and in quotes within quotes: what a webhook quoted is quoted
// once more by those who quote the webhook. The longest come first, because one may be part
// of another.
func forms(values []string) []string {
	var all []string
	for _, value := range values {
		all = append(all, value)
		if decoded, err := base64.StdEncoding.DecodeString(value); err == nil {
			all = append(all, string(decoded))
		}
	}
	for _, value := range all { // echo leaves a line break, which nobody quotes
		trimmed := strings.TrimSpace(value)
		all = append(all, trimmed, base64.StdEncoding.EncodeToString([]byte(value)), base64.StdEncoding.EncodeToString([]byte(trimmed)))
	}
	for _, value := range all {
		for line := range strings.Lines(value) {
			if line = strings.TrimSpace(line); len(line) >= lineLength {
				all = append(all, line)
			}
		}
	}
	all = append(all, inPaths(all)...)
	once := escaped(all)
	short := slices.DeleteFunc(slices.Clone(once), func(form string) bool { return len(form) > quotedLength })
	every := slices.Concat(all, once, escaped(short))
	slices.SortFunc(every, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(every)
}

// inPaths returns what values look like as keys, in pointers and in the paths of
// explanations, where they look other than they are. A webhook may have made the key of a
// label of one.
func inPaths(values []string) []string {
	var all []string
	for _, value := range values {
		if len(value) > keyLength {
			continue
		}
		key := Path{}.Key(value)
		quoted := strings.TrimSuffix(strings.TrimPrefix(key.String(), "['"), "']")
		for _, form := range []string{key.Pointer()[1:], quoted} {
			if form != value {
				all = append(all, form)
			}
		}
	}
	return all
}

// escaped returns what values look like in quotes, of Go and of JSON, where they look other
// than they are.
func escaped(values []string) []string {
	var all []string
	for _, value := range values {
		quoted := []string{strconv.Quote(value)}
		if text, err := json.Marshal(value); err == nil {
			quoted = append(quoted, string(text))
		}
		for _, form := range quoted {
			if form = form[1 : len(form)-1]; form != value {
				all = append(all, form)
			}
		}
	}
	return all
}

// text returns a text without the values. Of one that was cut, the end may be the
// beginning of a value; that is not recognized.
func (s *scrubber) text(text string) string {
	text = s.values.Replace(text)
	if s.words != nil {
		text = s.words.ReplaceAllString(text, hidden)
	}
	return text
}

func (s *scrubber) texts(texts []string) []string {
	scrubbed := make([]string, len(texts))
	for i, text := range texts {
		scrubbed[i] = s.text(text)
	}
	return scrubbed
}

// json returns a document without the values, in its keys neither.
func (s *scrubber) json(document json.RawMessage) json.RawMessage {
	return rewrite(document, s.value)
}

func (s *scrubber) value(value any) any {
	switch v := value.(type) {
	case string:
		if s.encodes(v) {
			return hidden
		}
		return s.text(v)
	case []any:
		for i := range v {
			v[i] = s.value(v[i])
		}
	case map[string]any:
		scrubbed := make(map[string]any, len(v))
		for key, value := range v {
			scrubbed[s.text(key)] = s.value(value)
		}
		return scrubbed
	}
	return value
}

// encodes reports whether a text is base64 that has a value within, as has a patch that a
// webhook put where it does not belong.
func (s *scrubber) encodes(text string) bool {
	if len(text) < encodedLength {
		return false
	}
	decoded, err := base64.StdEncoding.DecodeString(text)
	return err == nil && s.text(string(decoded)) != string(decoded)
}

// path returns a path without the values that somebody made keys of. Keys of documents are
// scrubbed alike.
func (s *scrubber) path(text string) string {
	path, err := ParsePath(text)
	if err != nil {
		return s.text(text)
	}
	changed := false
	for i := range path.steps {
		step := &path.steps[i]
		if scrubbed := s.text(step.key); step.kind == stepKey && scrubbed != step.key {
			step.key, changed = scrubbed, true
		}
	}
	if !changed {
		return text
	}
	return path.String()
}

// rewrite returns a document with a change. One that is no JSON is hidden as a whole.
func rewrite(document json.RawMessage, change func(any) any) json.RawMessage {
	if document == nil {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return json.RawMessage(strconv.Quote(hidden))
	}
	text, err := json.Marshal(change(value))
	if err != nil {
		return json.RawMessage(strconv.Quote(hidden))
	}
	return text
}
