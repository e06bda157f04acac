package explain_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/testutil/cputime"
	"example.com/gatehouse/internal/testutil/testtable"
)

// growthCase makes two states of about n bytes that are costly to compare.
type growthCase struct {
	row
	states func(n int) (before, after string)
}

const (
	smallSize  = 8 << 10
	sizeFactor = 16 // the larger size is smallSize*sizeFactor
	// maxTimeFactor lies between the factors of linear time, 16, and of
	// quadratic time, 256.
	maxTimeFactor = 35
)

// TestTimeGrowsWithSize measures time, so no other test runs in parallel. It
// repeats slow measurements, because the garbage collector may have run.
func TestTimeGrowsWithSize(t *testing.T) {
	for _, tc := range testtable.Checked(t, []growthCase{
		{row{"many small items", "the most fields per byte"}, func(n int) (string, string) {
			zeros := strings.Repeat("0,", n/2) + "0]"
			return "[" + zeros, "[1," + zeros
		}},
		{row{"numbers reversed", "everything has moved"}, func(n int) (string, string) {
			return list("%d", 0, n), list("%d", -n/8, n)
		}},
		{row{"other numbers", "nothing is equal"}, func(n int) (string, string) {
			return list("%d", 0, n), list("%d", 1<<20, n)
		}},
		{row{"names reversed", "everything has moved, by key"}, func(n int) (string, string) {
			return list(`{"name":"%d"}`, 0, n), list(`{"name":"%d"}`, -n/16, n)
		}},
		{row{"other names", "all items are removed, and come back"}, func(n int) (string, string) {
			return list(`{"name":"%d"}`, 0, n), list(`{"name":"%d"}`, 1<<20, n)
		}},
		{row{"short lists", "each is short enough to compare all pairs"}, func(n int) (string, string) {
			one, two := list("%d", 0, 400), list("%d", 50, 400)
			return "[" + strings.Repeat(one+",", n/400) + "0]", "[" + strings.Repeat(two+",", n/400) + "1]"
		}},
		{row{"keys", "maps of any size"}, func(n int) (string, string) {
			pairs := strings.Trim(list(`"%d":1`, 0, n), "[]")
			return "{" + pairs + "}", "{" + strings.ReplaceAll(pairs, "5", "x") + "}"
		}},
	}) {
		t.Run(tc.Name(), func(t *testing.T) {
			less, more := tc.time(t, smallSize), tc.time(t, smallSize*sizeFactor)
			for range 4 {
				if more <= less*maxTimeFactor {
					return
				}
				more = min(more, tc.time(t, smallSize*sizeFactor))
			}
			t.Logf("why: %s", tc.Why())
			t.Errorf("%s for %d bytes, %s for %d", less, smallSize, more, smallSize*sizeFactor)
		})
	}
}

// list returns a list of about n bytes whose items have numbers; in reverse if
// first is negative.
func list(item string, first, n int) string {
	var items []string
	for size := 0; size < n; size += len(items[len(items)-1]) + 1 {
		items = append(items, fmt.Sprintf(item, max(first, 0)+len(items)))
	}
	if first < 0 {
		slices.Reverse(items)
	}
	return "[" + strings.Join(items, ",") + "]"
}

func (tc *growthCase) time(t *testing.T, n int) time.Duration {
	t.Helper()
	before, after := tc.states(n)
	states := parseStates(t, []string{"user " + before, "a " + after, "b " + before, "a " + after})
	runtime.GC() // do not count earlier garbage
	began := processorTime(t)
	blamed(t, states)
	diff(t, before, after)
	return processorTime(t) - began
}

func processorTime(t *testing.T) time.Duration {
	t.Helper()
	used, err := cputime.Used()
	if err != nil {
		t.Fatal(err)
	}
	return used
}

type hostileCase struct {
	row
	before, after string
}

// TestHostileObjects covers objects of up to 3 MiB whose paths together would
// fill the memory. They are not compared.
func TestHostileObjects(t *testing.T) {
	t.Parallel()
	n := 3 << 20
	zeros := "[" + strings.Repeat("0,", 600_000) + "0]"
	deep := strings.Repeat(`{"a":1,"b":`, 9000) + "0" + strings.Repeat("}", 9000)
	key, control := strings.Repeat("k", n/2), strings.Repeat(`\u0001`, n/6)
	testtable.Run(t, []hostileCase{
		{row{"many small items", "the number of fields is limited"}, `{"a":` + zeros + `}`, `{"a":[1,` + zeros[1:] + `}`},
		{row{"long key", "every path contains it"}, `{"` + key + `":` + list("%d", 0, n/2) + `}`, `{"` + key + `":[1]}`},
		{row{"deep", "paths get longer and longer"}, deep, strings.ReplaceAll(deep, "1", "2")},
		{row{"control characters", "escapes lengthen paths"}, `{"` + control + `":` + list("%d", 0, 4096) + `}`, `{"` + control + `":[1]}`},
	}, func(t *testing.T, tc hostileCase) {
		const want = "the object has too many fields, or paths that are too long"
		fields, _, _, err := explain.Blame(parseStates(t, []string{"user " + tc.before, "a " + tc.after}))
		if err == nil || !strings.HasSuffix(err.Error(), want) || fields != nil {
			t.Errorf("Blame returned %d fields and %v", len(fields), err)
		}
		changes, err := explain.Diff([]byte(tc.before), []byte(tc.after))
		if err == nil || !strings.HasSuffix(err.Error(), want) || changes != nil {
			t.Errorf("Diff returned %d changes and %v", len(changes), err)
		}
	})
}
