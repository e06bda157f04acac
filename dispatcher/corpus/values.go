package corpus

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"example.com/gatehouse/dispatcher/explain"
)

const (
	// placeholderText replaces texts, placeholderBytes bytes in base64, and
	// placeholderAmount quantities and durations.
	placeholderText   = "[redacted]"
	placeholderBytes  = "W3JlZGFjdGVkXQ=="
	placeholderAmount = "0"
	placeholderTime   = "1970-01-01T00:00:00Z"
)

// placeholder returns a string of the form of another one, so that an object can
// still be decoded.
func placeholder(text string) string {
	if _, err := time.Parse(time.RFC3339, text); err == nil {
		return placeholderTime
	}
	if _, err := time.ParseDuration(text); err == nil {
		return placeholderAmount
	}
	if _, err := resource.ParseQuantity(text); err == nil {
		return placeholderAmount
	}
	const word = 16 // many shorter words are base64, too
	if _, ok := decoded(text); ok && (len(text) >= word || strings.HasSuffix(text, "=")) {
		return placeholderBytes
	}
	return placeholderText
}

// decoded returns what a string in base64 encodes; false if it encodes nothing.
func decoded(text string) (string, bool) {
	bytes, err := base64.StdEncoding.Strict().DecodeString(text)
	return string(bytes), err == nil && len(bytes) > 0
}

// values are the values that an entry must not have.
type values struct {
	all []string
	// copies are the values in the forms that a whole string may have.
	copies map[string]bool
	// texts replaces the values in texts of webhooks, and inStrings within other
	// strings of the objects.
	texts, inStrings *explain.TextRedactor
}

// add adds a value. Booleans and short numbers are part of most texts: replacing
// them would hide nothing.
func (v *values) add(value any) {
	const shortNumber = 3
	switch value := value.(type) {
	case string:
		of, _ := decoded(value)
		for _, text := range []string{value, of} {
			switch text {
			case "true", "false", placeholderText, placeholderAmount, placeholderTime:
				return
			}
		}
		if value != "" {
			v.all = append(v.all, value)
		}
	case json.Number:
		if len(value) > shortNumber {
			v.all = append(v.all, value.String())
		}
	}
}

// complete is called after the last value was added. short says that values of
// any length are replaced within strings of objects. Otherwise that would destroy
// names which contain a short one, such as those of images.
func (v *values) complete(short bool) {
	v.copies = map[string]bool{}
	var long []string
	for _, value := range v.all {
		of, ok := decoded(value)
		if !ok {
			of = value
		}
		for _, form := range []string{value, of, base64.StdEncoding.EncodeToString([]byte(value))} {
			v.copies[form] = true
		}
		const enough = 8
		if len(of) >= enough {
			long = append(long, value)
		}
	}
	v.texts = explain.NewTextRedactor(v.all)
	v.inStrings = v.texts
	if !short {
		v.inStrings = explain.NewTextRedactor(long)
	}
}

// replaceCopy returns a string of an object without the values; false if it has
// none.
func (v *values) replaceCopy(text string) (string, bool) {
	if v.copies[text] {
		return placeholder(text), true
	}
	if clean := v.inStrings.Text(text); clean != text {
		return clean, true
	}
	if of, ok := decoded(text); ok && v.inStrings.Text(of) != of {
		return placeholderBytes, true
	}
	return "", false
}
