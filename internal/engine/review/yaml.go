package review

import (
	"bytes"
	"errors"
	"regexp"
)

const (
	// quick is the size from which on a body is better decoded where nobody has to
	// wait for it, and tiny that for bodies of which it is not known what they are.
	quick = 64 << 10
	tiny  = 1 << 10
)

// Quick reports whether a body is decoded within a few milliseconds: it is short JSON,
// or so short that it does not matter. Failed calls often have nothing to decode.
func Quick(body []byte) bool { return len(body) < tiny || len(body) < quick && isJSON(body) }

// isJSON reports whether the codec takes a body for JSON. Everything else that is
// text it takes for YAML.
func isJSON(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("{"))
}

// These find what may be an anchor or an alias of YAML: at the beginning of a
// value, and with a name. What is in quotes is found, too.
var (
	anchor = regexp.MustCompile(`(?:^|[\s\[\]{},:])&[^\s\[\]{},]`)
	alias  = regexp.MustCompile(`(?:^|[\s\[\]{},:])\*[^\s\[\]{},]`)
)

// errAliases has the words with which kube-apiserver's decoder refuses the worst.
var errAliases = errors.New("yaml: document contains excessive aliasing")

// checkExpansion refuses YAML that may stand for much more than it has bytes: a
// text of 50 KB that is referred to in half of it becomes a gigabyte. JSON has
// no such thing.
func checkExpansion(body []byte) error {
	if isJSON(body) {
		return nil
	}
	// YAML may be in UTF-16, where every other byte of these characters is zero.
	text := bytes.ReplaceAll(body, []byte{0}, nil)
	if anchor.Match(text) && alias.Match(text) {
		return errAliases
	}
	return nil
}
