package review

import (
	"bytes"
	"errors"
	"regexp"
)

const (
	// maxInlineJSON is the size below which the engine decodes JSON inline, and
	// maxInlineText the size for other bodies.
	maxInlineJSON = 64 << 10
	maxInlineText = 1 << 10
)

// Quick reports whether decoding a body takes no more than a few milliseconds.
// The engine decodes other bodies on a separate goroutine, with which 10 calls
// of mutating webhooks take 1.2 to 1.8 times as long. Responses of failed calls
// are often empty.
func Quick(body []byte) bool {
	return len(body) < maxInlineText || len(body) < maxInlineJSON && isJSON(body)
}

// isJSON reports whether the codec decodes a body as JSON. It decodes all other
// text as YAML.
func isJSON(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("{"))
}

// anchor and alias match YAML's anchors and aliases: at the beginning of a
// value, and with a name. They also match within quotes.
var (
	anchor = regexp.MustCompile(`(?:^|[\s\[\]{},:])&[^\s\[\]{},]`)
	alias  = regexp.MustCompile(`(?:^|[\s\[\]{},:])\*[^\s\[\]{},]`)
)

// errAliases has the text of kube-apiserver's decoder.
var errAliases = errors.New("yaml: document contains excessive aliasing")

// checkExpansion refuses YAML that may expand to many times its size: 50 KB of
// aliases of a long text become a gigabyte. JSON cannot expand.
func checkExpansion(body []byte) error {
	if isJSON(body) {
		return nil
	}
	// YAML may be in UTF-16, where every other byte of these characters is
	// zero.
	text := bytes.ReplaceAll(body, []byte{0}, nil)
	if anchor.Match(text) && alias.Match(text) {
		return errAliases
	}
	return nil
}
