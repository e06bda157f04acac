package patch

import (
	"encoding/json"
	"strconv"
	"strings"
)

// maxDepth is the length of the longest path that pathOf returns. It cuts
// longer paths, which Kubernetes objects do not need.
const maxDepth = 32

// pathOf returns the path in the member "path" or "from" of an operation, as
// the library walks it. The path ends at the first list, because the indexes of
// elements change as others come and go.
func pathOf(operation map[string]*json.RawMessage, member string) []string {
	tokens := tokensOf(operation, member)
	for i, token := range tokens {
		if i == maxDepth || isIndex(token) {
			return tokens[:i]
		}
	}
	return tokens
}

// tokensOf splits a pointer. Like the library it ignores the text before the
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
