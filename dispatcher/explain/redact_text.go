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
const redacted = "[redacted]"

const (
	// wordLength is below what length a value is hidden only where it is a word of
	// its own: others would take the words of people apart.
	minSubstring = 4
	// lineLength is from what length on each line of a longer value is one that must
	// not be shown either.
	minLine = 8
	// encodedLength is from what length on it is looked whether a text is base64.
	minBase64 = 16
	// quotedLength is up to what length a text is one that is quoted within quotes.
	// Longer ones would only cost time.
	maxNestedQuote = 64 << 10
	// keyLength is up to what length a value may be a key. API servers take shorter ones
	// only.
	maxKey = 1 << 10
)

// scrubber hides values in the texts of webhooks and libraries, which may quote them.
type TextRedactor struct {
	longValues *strings.Replacer
	// words are short values; nil if there are none.
	shortValues *regexp.Regexp
}

// newScrubber returns a scrubber of values, in all the forms in which texts have them.
func newTextRedactor(values []string) *TextRedactor {
	var long, short []string
	for _, form := range encodings(values) {
		switch {
		case len(form) >= minSubstring:
			long = append(long, form, redacted)
		case form != "" && utf8.ValidString(form): // texts have no others, and patterns neither
			short = append(short, regexp.QuoteMeta(form))
		}
	}
	t := &TextRedactor{longValues: strings.NewReplacer(long...)}
	if len(short) > 0 {
		t.shortValues = regexp.MustCompile(`\b(?:` + strings.Join(short, "|") + `)\b`)
	}
	return t
}

// forms returns values, what they decode to, their longer lines, and all of that as it
// looks in paths, in quotes, and in quotes within quotes: what a webhook quoted is quoted
// once more by those who quote the webhook. The longest come first, because one may be part
// of another.
func encodings(values []string) []string {
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
			if line = strings.TrimSpace(line); len(line) >= minLine {
				all = append(all, line)
			}
		}
	}
	all = append(all, pathForms(all)...)
	once := quotedForms(all)
	short := slices.DeleteFunc(slices.Clone(once), func(form string) bool { return len(form) > maxNestedQuote })
	every := slices.Concat(all, once, quotedForms(short))
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
func pathForms(values []string) []string {
	var all []string
	for _, value := range values {
		if len(value) > maxKey {
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
func quotedForms(values []string) []string {
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
func (t *TextRedactor) Text(text string) string {
	text = t.longValues.Replace(text)
	if t.shortValues != nil {
		text = t.shortValues.ReplaceAllString(text, redacted)
	}
	return text
}

func (t *TextRedactor) texts(texts []string) []string {
	scrubbed := make([]string, len(texts))
	for i, text := range texts {
		scrubbed[i] = t.Text(text)
	}
	return scrubbed
}

// json returns a document without the values, in its keys neither.
func (t *TextRedactor) json(document json.RawMessage) json.RawMessage {
	return transform(document, t.value)
}

func (t *TextRedactor) value(value any) any {
	switch v := value.(type) {
	case string:
		if t.encodesValue(v) {
			return redacted
		}
		return t.Text(v)
	case []any:
		for i := range v {
			v[i] = t.value(v[i])
		}
	case map[string]any:
		scrubbed := make(map[string]any, len(v))
		for key, value := range v {
			scrubbed[t.Text(key)] = t.value(value)
		}
		return scrubbed
	}
	return value
}

// encodes reports whether a text is base64 that has a value within, as has a patch that a
// webhook put where it does not belong.
func (t *TextRedactor) encodesValue(text string) bool {
	if len(text) < minBase64 {
		return false
	}
	decoded, err := base64.StdEncoding.DecodeString(text)
	return err == nil && t.Text(string(decoded)) != string(decoded)
}

// path returns a path without the values that somebody made keys of. Keys of documents are
// scrubbed alike.
func (t *TextRedactor) Path(text string) string {
	path, err := ParsePath(text)
	if err != nil {
		return t.Text(text)
	}
	changed := false
	for i := range path.steps {
		step := &path.steps[i]
		if scrubbed := t.Text(step.key); step.kind == stepKey && scrubbed != step.key {
			step.key, changed = scrubbed, true
		}
	}
	if !changed {
		return text
	}
	return path.String()
}

// rewrite returns a document with a change. One that is no JSON is hidden as a whole.
func transform(document json.RawMessage, change func(any) any) json.RawMessage {
	if document == nil {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return json.RawMessage(strconv.Quote(redacted))
	}
	text, err := json.Marshal(change(value))
	if err != nil {
		return json.RawMessage(strconv.Quote(redacted))
	}
	return text
}
