package equivalence_test

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"example.com/gatehouse/internal/equivalence"
)

// folders returns the pairs of a kind.
func folders(t *testing.T, kind string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("testdata", kind, "*"))
	if err != nil || len(all) < 10 {
		t.Fatalf("%d pairs: %v", len(all), err)
	}
	return all
}

// mostTried bounds the requests until a difference is found.
const mostTried = 1000

// enough requests show that nothing is found where nothing is.
const enough = 600

// TestDifferent finds a small counterexample in each pair with a typical mistake. The
// files say what the mistake is.
func TestDifferent(t *testing.T) {
	t.Parallel()
	for _, folder := range folders(t, "different") {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			v := comparePair(t, folder, equivalence.Options{Requests: mostTried})
			d := v.Different
			if d == nil {
				t.Fatalf("no difference in %d requests: %+v", v.Drawn, v)
			}
			text, _ := json.Marshal(d.Fields)
			t.Logf("%s: %d drawn, %d invalid, found with %d, shrunk with %d to %d: %s\n%s", time.Since(began), v.Drawn, v.Invalid, d.Found, d.Tried,
				d.Extra(), d.Aspect, text)
			if d.Extra() > 5 {
				t.Errorf("%d fields more than required: %s", d.Extra(), text)
			}
		})
	}
}

// TestEqual finds no difference in the pairs that are equal. The files have the proofs.
func TestEqual(t *testing.T) {
	t.Parallel()
	for _, folder := range folders(t, "equal") {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			v := comparePair(t, folder, equivalence.Options{Requests: enough})
			if d := v.Different; d != nil {
				text, _ := json.Marshal(d.Fields)
				t.Fatalf("%s\n%s\n%v\n%v", d.Aspect, text, d.Before.Response.Status, d.After.Response.Status)
			}
			t.Logf("%s: %+v", time.Since(began), v)
			if v.Drawn < enough || v.Branches < 3 {
				t.Errorf("%d requests in %d branches", v.Drawn, v.Branches)
			}
		})
	}
}
