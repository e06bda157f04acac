package test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestSeparate: each error has its own annotation, unless it has more text than those in
// it.
func TestSeparate(t *testing.T) {
	t.Parallel()
	a, b, c := errors.New("a"), errors.New("b"), errors.New("c")
	type test struct {
		row
		err  error
		want []string
	}
	testtable.Run(t, []test{
		{row{"nothing", "there is no error"}, nil, nil},
		{row{"one", "it is made of nothing"}, a, []string{"a"}},
		{row{"joined", "they stand on lines of their own"}, errors.Join(a, errors.Join(b, c)), []string{"a", "b", "c"}},
		{row{"in a sentence", "half a sentence means nothing"}, fmt.Errorf("%w; %w", a, b), []string{"a; b"}},
		{row{"wrapped", "the prefix belongs to all of them"}, fmt.Errorf("x: %w", errors.Join(a, b)), []string{"x: a\nb"}},
	}, func(t *testing.T, tc test) {
		var got []string
		for _, err := range splitErrors(tc.err) {
			got = append(got, err.Error())
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

func TestInertError(t *testing.T) {
	t.Parallel()
	err := inertError(errors.Join(errors.New("::a::b"), errors.New("c ##[d]\x1b")))
	if got, want := err.Error(), ": :a::b\nc ## [d]\\x1b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
