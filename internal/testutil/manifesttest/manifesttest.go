package manifesttest

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"example.com/gatehouse/internal/manifest"
)

// Documents returns the documents of a text, with file as their file name. The
// file need not exist.
func Documents(tb testing.TB, file, text string) []*manifest.Document {
	tb.Helper()
	var all []*manifest.Document
	for d, err := range manifest.Documents(file, strings.NewReader(text)) {
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, d)
	}
	return all
}

// Only returns the one document of a text, as Documents does. It is an error if
// there are more, or none.
func Only(tb testing.TB, file, text string) *manifest.Document {
	tb.Helper()
	all := Documents(tb, file, text)
	if len(all) != 1 {
		tb.Fatalf("there are %d documents", len(all))
	}
	return all[0]
}

// Compact returns the JSON of a document, or of a part of one, without spaces.
// If it is not JSON, the reason is returned in its place.
func Compact(raw []byte) string {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return err.Error()
	}
	return b.String()
}
