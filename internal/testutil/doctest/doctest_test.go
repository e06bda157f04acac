package doctest_test

import (
	"slices"
	"testing"

	"example.com/gatehouse/internal/testutil/doctest"
)

func TestIn(t *testing.T) {
	t.Parallel()
	got := doctest.In([]byte("| `a/b.TestC`, `d.FuzzE` | `f.Example` and g.TestH |"))
	if want := []doctest.Test{{Package: "a/b", Name: "TestC"}, {Package: "d", Name: "FuzzE"}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestExists(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"TestExists": true, "TestExist": false, "TestExists.": false} {
		if got, err := (doctest.Test{Package: "internal/testutil/doctest", Name: name}).Exists("../../.."); got != want || err != nil {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
	if got, err := (doctest.Test{Package: "internal/testutil/doctst", Name: "TestExists"}).Exists("../../.."); got || err != nil {
		t.Errorf("a folder that is not there: got %v, %v", got, err)
	}
}
