package draw

import (
	"math"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// TestLargest: what a schema requires is filled, up to a bound for all lists in each other.
func TestLargest(t *testing.T) {
	t.Parallel()
	text := func(least int64) *apiextensionsv1.JSONSchemaProps {
		return &apiextensionsv1.JSONSchemaProps{Type: "string", MinLength: &least}
	}
	list := func(least int64, of *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
		return &apiextensionsv1.JSONSchemaProps{
			Type: "array", MinItems: &least, Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: of},
		}
	}
	for _, row := range []struct {
		why     string
		of      *apiextensionsv1.JSONSchemaProps
		letters int
	}{
		{"all that is required", list(2, list(3, text(1000))), 6000},
		{"a long text", text(math.MaxInt64), largest},
		{"a long list", list(3_000_000_000, text(1)), largest},
		{"long lists in a list", list(16, list(math.MaxInt64, text(1))), largest},
		{"long texts in a long list", list(math.MaxInt64, text(math.MaxInt64)), largest},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			if got := letters(schemaType(row.of).fill("a", 0)); got != row.letters {
				t.Errorf("%d letters, want %d", got, row.letters)
			}
		})
	}
}

// letters counts the letters of the texts in a value.
func letters(v any) int {
	if word, ok := v.(string); ok {
		return len(word)
	}
	n := 0
	for _, e := range v.([]any) {
		n += letters(e)
	}
	return n
}
