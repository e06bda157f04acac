package patch

import (
	"encoding/json"
	"strconv"
	"strings"
)

// maxDepth is how far down the bound tells places apart. Objects of Kubernetes
// are not that deep, and what lies deeper is taken for the whole of it.
const maxDepth = 32

// placeOf returns the way to the place that a member of an operation, "path" or
// "from", points at, as the library walks it. Elements of lists are not told
// apart, because they move when others come and go: the way ends at the list.
func placeOf(operation map[string]*json.RawMessage, member string) []string {
	tokens := tokensOf(operation, member)
	for i, token := range tokens {
		if i == maxDepth || isIndex(token) {
			return tokens[:i]
		}
	}
	return tokens
}

// tokensOf splits a pointer. The library does not look at what comes before the
// first slash.
func tokensOf(operation map[string]*json.RawMessage, member string) []string {
	var pointer string
	if raw := operation[member]; raw == nil || json.Unmarshal(*raw, &pointer) != nil {
		return nil
	}
	tokens := strings.SplitN(pointer, "/", maxDepth+2)[1:]
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for i := range tokens {
		tokens[i] = unescape.Replace(tokens[i])
	}
	return tokens
}

// isIndex reports whether a token could point into a list.
func isIndex(token string) bool {
	if token == "-" {
		return true
	}
	_, err := strconv.Atoi(token)
	return err == nil
}
