package patch

import (
	"math"
	"math/rand"
	"testing"
)

// FuzzBound compares the bound of the copies with what they measure, for
// patches that apply: it is never less.
func FuzzBound(f *testing.F) {
	f.Add([]byte{0, 4, 2, 0, 7, 4, 2, 0, 0})             // add an object, copy the root's member
	f.Add([]byte{5, 4, 4, 2, 0, 4, 4, 2, 0, 4, 2, 2, 0}) // copies of copies
	f.Add([]byte{8, 0, 2, 0, 8, 4, 8, 7, 0, 4, 8, 6, 0}) // within lists
	f.Fuzz(func(t *testing.T, script []byte) {
		document, operations := made(script)
		checkBound(t, document, operations)
	})
}

// checkBound reports whether something was copied.
func checkBound(t *testing.T, document string, operations Operations) bool {
	t.Helper()
	copied, applies := measuredGrowth(operations, []byte(document))
	if !applies {
		return false
	}
	if steps, err := measureInSteps(withoutTests(operations), []byte(document), math.MaxInt); err != nil || steps != copied {
		t.Errorf("%s on %s copies %d bytes, in steps %d (%v)", asJSON(t, operations), document, copied, steps, err)
	}
	got := bound(operations, []byte(document), math.MaxInt)
	if got < copied {
		t.Errorf("%s on %s copies %d bytes, more than the bound of %d", asJSON(t, operations), document, copied, got)
	}
	return copied > 0
}

func measuredGrowth(operations Operations, document []byte) (copied int, applies bool) {
	defer func() { _ = recover() }()
	copied, err := measure(operations, document, math.MaxInt)
	if err != nil {
		return 0, false
	}
	// The rest, after the last copy, has to apply as well.
	_, err = withoutTests(operations).Apply(document)
	return copied, err == nil
}

// TestRandomBounds is the fuzz target with fixed seeds and mostly copies.
func TestRandomBounds(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(1))
	copied := 0
	for range 15_000 {
		script := make([]byte, 1+4*(1+random.Intn(8)))
		random.Read(script)
		for i := 1; i < len(script); i += 4 {
			if random.Intn(2) == 0 {
				script[i] = 4 // copy
			} else if random.Intn(2) == 0 {
				script[i] = 0 // add
			}
		}
		document, operations := made(script)
		if checkBound(t, document, operations) {
			copied++
		}
	}
	if copied < 200 {
		t.Errorf("only %d patches copied something", copied)
	}
	t.Logf("%d patches copied something", copied)
}

// TestSizeIsMeasuredOnce: many operations may move the same large value.
func TestSizeIsMeasuredOnce(t *testing.T) {
	t.Parallel()
	document := &documentValue{raw: []byte(`{"a":"large"}`)}
	want := document.size([]string{"a"})
	document.members["a"].raw = nil
	if got := document.size([]string{"a"}); got != want || want < len(`"large"`) {
		t.Errorf("the size is %d at first, and then %d", want, got)
	}
}
