package custom

import (
	"context"
	"errors"
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

type costCase struct {
	row
	// schema is that of the field, which is required.
	schema string
	want   error
}

// TestCost has schemas that want very much. Without limits most of these would
// take hours, or all the memory there is.
func TestCost(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []costCase{
		{row{"long string", "it is not even begun"}, `{type: string, minLength: 4000000000}`, errLarge},
		{row{"string that just fits", "a request may be that large"}, `{type: string, minLength: 3000000}`, nil},
		{row{"long pattern", "the length counts, whatever the pattern says"}, `{type: string, minLength: 4000000000, pattern: '^a+$'}`, errLarge},
		{row{"list of long strings", "each of them would fit"}, `{type: array, minItems: 5000000, items: {type: string, minLength: 1000}}`, errLarge},
		{row{"list of lists", "thousand times thousand"}, `{type: array, minItems: 100000, items: {type: array, minItems: 100000, items: {type: string}}}`, errLong},
		{row{"millions of numbers", "each takes some text"}, `{type: array, minItems: 5000000, items: {type: integer}}`, errLarge},
		{row{"list of numbers", "they take little text, but time"}, `{type: array, minItems: 1000000, items: {type: integer}}`, errLong},
		{row{"many numbers", "thousands are not too many"}, `{type: array, minItems: 5000, items: {type: integer}}`, nil},
		{row{"map", "every property has a name"}, `{type: object, minProperties: 30000000, additionalProperties: {type: string}}`, errLarge},
		{row{"smaller map", "the values have to be made"}, `{type: object, minProperties: 1000000, additionalProperties: {type: string}}`, errLong},
		{row{"map of long strings", "values count like names"}, `{type: object, minProperties: 1000000, additionalProperties: {type: string, minLength: 100}}`, errLarge},
		{row{"long defaults", "what the schema says itself has a length, too"}, `{type: array, minItems: 100000, items: {type: string, enum: [` + longWord + `]}}`, errLarge},
		{row{"long names", "they are the schema's, and are in every object"}, `{type: array, minItems: 50000, items: {type: object, required: [` + longWord + `], properties: {` + longWord + `: {type: boolean}}}}`, errLarge},
		{row{"untyped map", "nothing is said about its values"}, `{type: object, minProperties: 1000000, x-kubernetes-preserve-unknown-fields: true}`, errLong},
		{row{"no such strings", "finding that out takes long for each of many"}, `{type: array, minItems: 50000, items: {type: string, pattern: '^[a-z]+$', maxLength: 0}}`, errLong},
		{row{"other branch", "the first one is too large"}, `{type: string, anyOf: [{minLength: 4000000000}, {minLength: 3}]}`, nil},
	}, func(t *testing.T, tc costCase) {
		object, err := Object(t.Context(), read(t, "{type: object, required: [it], properties: {it: "+tc.schema+"}}"))
		if !errors.Is(err, tc.want) || (object == nil) != (tc.want != nil) {
			t.Errorf("got an object: %t, error %v, want %v", object != nil, err, tc.want)
		}
	})
}

const longWord = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"

// TestEnded makes nothing when it is too late.
func TestEnded(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	object, err := Object(ctx, read(t, `{type: object}`))
	if object != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", object, err)
	}
}

// TestBrief has a validator quote a long string.
func TestBrief(t *testing.T) {
	t.Parallel()
	_, err := Object(t.Context(), read(t, `{type: object, required: [it], properties: {it: {type: string, format: ipv4, minLength: 100000}}}`))
	if got := testtable.Text(err); !strings.HasPrefix(got, `it: Invalid value: "samplexxx`) || !strings.HasSuffix(got, "…") || len(got) > 600 {
		t.Errorf("got %d bytes: %.700s", len(got), got)
	}
}
