package custom

import (
	"cmp"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// text makes a string: the first candidate that the schema allows.
func (a attempt) text(s *props, n int) string {
	if !a.left.fits(count(s.MinLength)) || !a.left.work(len(s.Pattern)) {
		return ""
	}
	made := a.found(s, n)
	a.left.write(len(made))
	return made
}

// found returns the first allowed candidate, or else the first candidate.
func (a attempt) found(s *props, n int) string {
	var pattern *regexp.Regexp
	if s.Pattern != "" {
		// The error is a pattern that no API server accepts.
		pattern, _ = regexp.Compile(s.Pattern)
	}
	best := ""
	for candidate := range candidates(s, n) {
		if !a.left.work(1 + len(candidate)/8) {
			break
		}
		best = cmp.Or(best, candidate)
		length := utf8.RuneCountInString(candidate)
		if length < count(s.MinLength) || s.MaxLength != nil && length > int(*s.MaxLength) {
			continue
		}
		if pattern == nil || pattern.MatchString(candidate) {
			return candidate
		}
	}
	return best
}

// candidates yields strings that the schema may allow, the best one first.
func candidates(s *props, n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		if example, ok := formatted(s.Format, n); ok && !yield(example) {
			return
		}
		if s.Pattern == "" {
			_ = yield(numbered("sample", n)) && yield(fitted(s, n))
			return
		}
		for _, word := range []string{"sample", "1", "example.com", "https://example.com/sample", "1s"} {
			if !yield(numbered(word, n)) {
				return
			}
		}
		for made := range matching(s.Pattern, count(s.MinLength), n) {
			if !yield(made) {
				return
			}
		}
	}
}

func numbered(word string, n int) string {
	if n == 0 {
		return word
	}
	return word + strconv.Itoa(n)
}

// fitted returns a string of an allowed length.
func fitted(s *props, n int) string {
	word := "sample"
	if short := count(s.MinLength) - len(word); short > 0 {
		word += strings.Repeat("x", short)
	}
	if s.MaxLength != nil && len(word) > int(*s.MaxLength) {
		word = word[:max(0, int(*s.MaxLength))]
	}
	if word == "" || n == 0 {
		return word
	}
	return word[:len(word)-1] + string(rune('a'+n%26))
}

// examples are values of formats, by name without hyphens. %x or %d stands for
// a number.
var examples = map[string]string{
	"bsonobjectid": "507f1f77bcf86cd79943901%x",
	"uri":          "https://example.com/%x",
	"email":        "sample%x@example.com",
	"hostname":     "host%x.example.com",
	"ipv4":         "192.0.2.%d",
	"ipv6":         "2001:db8::%x",
	"cidr":         "192.0.2.%d/32",
	"mac":          "00:00:5e:00:53:0%x",
	"uuid":         "1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633%x",
	"uuid4":        "1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633%x",
	"isbn":         "978-0321751041",
	"isbn10":       "0321751043",
	"isbn13":       "978-0321751041",
	"creditcard":   "4111111111111111",
	"ssn":          "111-11-111%x",
	"hexcolor":     "#00000%x",
	"rgbcolor":     "rgb(0,0,%d)",
	"byte":         "c2FtcGxl",
	"password":     "sample%x",
	"date":         "2025-01-0%d",
	"duration":     "%ds",
	"datetime":     "2025-01-01T00:00:0%dZ",
}

// formatted returns an example of a format. Formats that kube-apiserver does
// not know are ignored.
func formatted(format string, n int) (string, bool) {
	example, ok := examples[strings.ReplaceAll(format, "-", "")]
	if !ok {
		return "", false
	}
	number := 1 + n%9
	return strings.NewReplacer("%x", strconv.FormatInt(int64(number), 16), "%d", strconv.Itoa(number)).Replace(example), true
}
