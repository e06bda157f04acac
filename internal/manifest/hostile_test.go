package manifest_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestHostile feeds input that is made to exhaust a reader. That the test ends
// is half of what it checks.
func TestHostile(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		input func() string
		want  string
	}
	rows := []test{
		{row{"alias bomb", "nine levels of nine aliases make 3 GB"}, aliasBomb,
			"document contains excessive aliasing"},
		{row{"alias of itself", "an endless document"}, func() string { return "a: &a [*a]" },
			"anchor (…) value contains itself"},
		{row{"deep JSON", "one bracket per stack frame"}, func() string { return `{"a":` + strings.Repeat("[", 1e6) },
			"exceeded max depth"},
		{row{"deep YAML", "indentation is quadratic, flow is not"}, func() string { return strings.Repeat("[", 1e6) },
			"exceeded max depth"},
		{row{"many brackets", "deep, but within what parsers take"}, func() string { return "a: " + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) },
			"apiVersion is missing"},
		{row{"deep lists", "each level of List is read again for the next"}, deepLists,
			"lists are nested more than 16 deep"},
		{row{"long line", "no line feed in sight"}, func() string { return strings.Repeat("x", 33<<20) },
			"a.yaml: read document 1: line 1: more than 32 MiB without a separator line (---)"},
		{row{"long document", "no separator in sight"}, func() string { return strings.Repeat("# a comment\n", 3<<20) },
			"more than 32 MiB without a separator line (---)"},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		var got []string
		for _, err := range manifest.Documents("a.yaml", strings.NewReader(r.input())) {
			got = append(got, fmt.Sprint(err))
		}
		if len(got) != 1 || !strings.Contains(got[0], r.want) {
			t.Errorf("%s: got %.500q, want one error with %q", r.Why(), got, r.want)
		}
	})
}

// TestLongKey: reading takes memory, and so time, that is not quadratic in the length of a key
// and the items below it. It is not parallel: it counts the allocations of the process.
func TestLongKey(t *testing.T) {
	bytesFor := func(n int) uint64 {
		text := podYAML + "a: {b: 1, b: 2}\n? " + strings.Repeat("k", n) + "\n: [" + strings.Repeat("0,", n) + "0] # end\n"
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		comments := last(t, text).Comments()
		runtime.ReadMemStats(&after)
		if len(comments) != 1 {
			t.Fatalf("%d comments", len(comments))
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if once, twice := bytesFor(10_000), bytesFor(20_000); twice > 3*once {
		t.Errorf("%d bytes for 10,000, %d for 20,000", once, twice)
	}
}

func aliasBomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x]\n")
	for i := 1; i < 10; i++ {
		alias := fmt.Sprintf("*a%d", i-1)
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.Join([]string{alias, alias, alias, alias, alias, alias, alias, alias, alias}, ","))
	}
	return b.String()
}

func deepLists() string {
	const depth = 2000
	return strings.Repeat(`{"apiVersion":"v1","kind":"List","items":[`, depth) + strings.Repeat("]}", depth)
}
