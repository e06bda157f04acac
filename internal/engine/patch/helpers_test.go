package patch

import (
	"testing"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// defaults returns the default limits.
func defaults(t testing.TB) *limits.Limits { return limited(t, limits.Limits{}) }

// limited are some limits, and the defaults for the others.
func limited(t testing.TB, l limits.Limits) *limits.Limits {
	t.Helper()
	l, err := l.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	return &l
}
