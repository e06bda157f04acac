package explain

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// redacted replaces redacted values.
const redacted = "[redacted]"

const (
	// minSubstring is the length from which a value is replaced within words.
	// Shorter values are replaced as whole words only.
	minSubstring = 4
	// minLine is the length from which each line of a multi-line value is
	// replaced, too.
	minLine = 8
	// minBase64 is the length from which strings are tested for base64.
	minBase64 = 16
	// maxNestedQuote is the length up to which values are replaced in quotes
	// within quotes. It bounds the time.
	maxNestedQuote = 64 << 10
	// maxKey is the length up to which a value may be a key. API servers accept
	// shorter keys only.
	maxKey = 1 << 10
)

// TextRedactor replaces secret values in texts that may quote them. HideSecrets
// and NewTextRedactor return one.
type TextRedactor struct {
	// longValues replaces the other values.
	longValues *strings.Replacer
	// shortValues matches the values below minSubstring; nil if there are none.
	shortValues *regexp.Regexp
}

// NewTextRedactor returns a TextRedactor for values in all encodings in which
// texts may contain them.
func NewTextRedactor(values []string) *TextRedactor {
	var long, short []string
	for _, form := range encodings(values) {
		switch {
		case len(form) >= minSubstring:
			long = append(long, form, redacted)
		case form != "" && utf8.ValidString(form): // regular expressions must be UTF-8
			short = append(short, regexp.QuoteMeta(form))
		}
	}
	t := &TextRedactor{longValues: strings.NewReplacer(long...)}
	if len(short) > 0 {
		t.shortValues = regexp.MustCompile(`\b(?:` + strings.Join(short, "|") + `)\b`)
	}
	return t
}

// encodings returns the values, what they decode to, their longer lines, and
// the forms of all of these in paths, in quotes, and in quotes within quotes:
// an error that quotes a webhook quotes the webhook's quotes again. Longer
// forms come first, because one may contain another.
func encodings(values []string) []string {
	var all []string
	for _, value := range values {
		all = append(all, value)
		if decoded, err := base64.StdEncoding.DecodeString(value); err == nil {
			all = append(all, string(decoded))
		}
	}
	for _, value := range all { // echo appends a line break, which quotes omit
		trimmed := strings.TrimSpace(value)
		all = append(all, trimmed, base64.StdEncoding.EncodeToString([]byte(value)),
			base64.StdEncoding.EncodeToString([]byte(trimmed)))
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
	short := slices.DeleteFunc(slices.Clone(once),
		func(form string) bool { return len(form) > maxNestedQuote })
	every := slices.Concat(all, once, quotedForms(short))
	slices.SortFunc(every, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(every)
}

// pathForms returns the forms of values as keys in JSON pointers and in paths.
// A webhook may use a value as the key of a label.
func pathForms(values []string) []string {
	var all []string
	for _, value := range values {
		if len(value) > maxKey {
			continue
		}
		pointer := strings.NewReplacer("~", "~0", "/", "~1").Replace(value)
		quoted := strings.TrimSuffix(strings.TrimPrefix(Path{}.Key(value).String(), "['"), "']")
		all = append(all, pointer, quoted)
	}
	return all
}

// quotedForms returns the forms of values in quotes of Go and of JSON.
func quotedForms(values []string) []string {
	var all []string
	for _, value := range values {
		all = append(all, inner(strconv.Quote(value)))
		if text, err := json.Marshal(value); err == nil {
			all = append(all, inner(string(text)))
		}
	}
	return all
}

// inner returns what is between the quotes.
func inner(quoted string) string { return quoted[1 : len(quoted)-1] }

// Text returns the text with the values replaced. It does not recognize a value
// that is truncated at the end of the text.
func (t *TextRedactor) Text(text string) string {
	text = t.longValues.Replace(text)
	if t.shortValues != nil {
		text = t.shortValues.ReplaceAllString(text, redacted)
	}
	return text
}

func (t *TextRedactor) texts(texts []string) []string {
	clean := make([]string, len(texts))
	for i, text := range texts {
		clean[i] = t.Text(text)
	}
	return clean
}

// json returns a document with the values replaced, also in its keys.
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
		clean := make(map[string]any, len(v))
		for key, value := range v {
			clean[t.Text(key)] = t.value(value)
		}
		return clean
	}
	return value
}

// encodesValue reports whether a string is base64 of a text with a value in it,
// for example a patch in the wrong member of a response.
func (t *TextRedactor) encodesValue(text string) bool {
	if len(text) < minBase64 {
		return false
	}
	decoded, err := base64.StdEncoding.DecodeString(text)
	return err == nil && t.Text(string(decoded)) != string(decoded)
}

// Path returns a path with the values replaced in its keys, as json replaces
// them in documents.
func (t *TextRedactor) Path(text string) string {
	path, err := ParsePath(text)
	if err != nil {
		return t.Text(text)
	}
	for i := range path.steps {
		if step := &path.steps[i]; step.kind == stepKey {
			step.text = t.Text(step.text)
		}
	}
	return path.String()
}

// transform decodes a document, applies change and encodes it. A document that
// is not JSON is redacted as a whole.
func transform(document json.RawMessage, change func(any) any) json.RawMessage {
	if document == nil {
		return nil
	}
	value, err := decodeJSON(document)
	if err != nil {
		return json.RawMessage(strconv.Quote(redacted))
	}
	text, err := json.Marshal(change(value))
	if err != nil {
		return json.RawMessage(strconv.Quote(redacted))
	}
	return text
}
