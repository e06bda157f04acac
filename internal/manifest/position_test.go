package manifest_test

import (
	"errors"
	"fmt"
	"testing"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestPositionOf(t *testing.T) {
	t.Parallel()
	doc := last(t, podYAML+"spec:\n  a: b\n")
	plain := errors.New("no")
	type test struct {
		row
		err  error
		line int // 0 for none
	}
	testtable.Run(t, []test{
		{row{"document", "it is that of its first line"}, doc.Wrap("", plain), 1},
		{row{"field", "it is that of the field"}, doc.Wrap("spec.a", plain), 4},
		{row{"wrapped", "wrapping does not hide it"}, fmt.Errorf("reading: %w", doc.Wrap("spec", plain)), 3},
		{row{"wrapped twice", "the outer one is what the text says"}, doc.Wrap("spec", doc.Wrap("spec.a", plain)), 3},
		{row{"several", "the first is as good as any"}, errors.Join(plain, doc.Wrap("spec", plain), doc.Wrap("", plain)), 3},
		{row{"no position", "it is about no document"}, plain, 0},
		{row{"nothing", "there is no error"}, nil, 0},
	}, func(t *testing.T, tc test) {
		got, ok := manifest.PositionOf(tc.err)
		want := manifest.Position{}
		if tc.line > 0 {
			want = manifest.Position{File: "a.yaml", Number: 1, Line: tc.line}
		}
		if got != want || ok != (tc.line > 0) {
			t.Errorf("%s: got %v, %t, want %v", tc.Why(), got, ok, want)
		}
	})
}
