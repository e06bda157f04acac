package merge

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/internal/testutil/testtable"
)

type boundRow struct {
	row
	of           types.PatchType
	stored, body string
	fails        string
}

// many is a list of n times an element.
func many(n int, element string) string {
	return "[" + strings.TrimSuffix(strings.Repeat(element+",", n), ",") + "]"
}

// nested is a value in n objects.
func nested(n int, value string) string {
	return strings.Repeat(`{"a":`, n) + value + strings.Repeat("}", n)
}

// containers patches a deployment with n containers.
func containers(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`{"name":"%d"}`, i)
	}
	return `{"spec":{"template":{"spec":{"containers":[` + strings.Join(all, ",") + `]}}}}`
}

// doubling copies n times all that a field has by then.
func doubling(n int) string {
	all := []string{`{"op":"add","path":"/spec/any","value":{"k":"` + strings.Repeat("x", 1000) + `"}}`}
	for i := range n {
		all = append(all, fmt.Sprintf(`{"op":"copy","from":"/spec/any","path":"/spec/any/x%d"}`, i))
	}
	return "[" + strings.Join(all, ",") + "]"
}

func TestBounds(t *testing.T) {
	t.Parallel()
	const add = `{"op":"add","path":"/spec/size","value":3}`
	size := func(n int) string {
		return `{"spec":{"any":"` + strings.Repeat("x", n-len(`{"spec":{"any":""}}`)) + `"}}`
	}
	m := merger(t, true)
	testtable.Run(t, []boundRow{
		{row{"size below", "as much as a server reads"}, types.MergePatchType, widget, size(maxPatch), ""},
		{row{"size above", "one byte more"}, types.MergePatchType, widget, size(maxPatch + 1), "413 Request entity too large: limit is 3145728"},
		{row{"strategic size above", "the bound of all patches"}, types.StrategicMergePatchType, deployment, size(maxPatch + 1), "413 Request entity too large: limit is 3145728"},
		{row{"operations below", "as many as a server takes"}, types.JSONPatchType, widget, many(10_000, add), ""},
		{row{"operations above", "one more"}, types.JSONPatchType, widget, many(10_001, add), "413 Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001"},
		{row{"copies", "a gigabyte of a kilobyte"}, types.JSONPatchType, widget, doubling(20), "422 the copies that the patch makes have more than 3145728 bytes: the server"},
		{row{"few copies", "they are allowed"}, types.JSONPatchType, widget, doubling(5), ""},
		{row{"depth below", "small patches may be deep"}, types.MergePatchType, widget, `{"spec":{"any":` + nested(1000, `"x"`) + `}}`, ""},
		{row{"depth above", "each level is parsed again"}, types.MergePatchType, widget, `{"spec":{"any":` + nested(3000, `"`+strings.Repeat("x", 1<<20)+`"`) + `}}`,
			"413 Request entity too large: the patch is nested 3002 levels deep, which is too deep for its size"},
		{row{"brackets in texts", "they are no levels"}, types.MergePatchType, widget, `{"spec":{"any":"\"` + strings.Repeat("[{", 1<<20) + `"}}`, ""},
		{row{"too deep for JSON", "the decoder has a bound"}, types.MergePatchType, widget, nested(20_000, `1`), "400 invalid JSON patch"},
		{row{"lists below", "every element is looked for"}, types.StrategicMergePatchType, deployment, containers(500), ""},
		{row{"lists above", "every element would be looked for among all"}, types.StrategicMergePatchType, deployment, containers(40_000),
			"413 Request entity too large: the lists of the patch have 40000 elements, which are too many to be merged with 2"},
	}, func(t *testing.T, tc boundRow) {
		_, err := m.Patch(object(t, tc.stored), []byte(tc.body), tc.of, Options{})
		if text := coding(err); tc.fails == "" && err != nil || !strings.HasPrefix(text, tc.fails) {
			t.Errorf("error %.300q, want %q", text, tc.fails)
		}
	})
}

// growthRow makes patches of a size.
type growthRow struct {
	row
	of     types.PatchType
	stored string
	body   func(n int) string
}

// TestWorkGrowsWithSize counts what is allocated for a patch and for one twice
// as large: what is quadratic takes four times as much. So nothing runs at the
// same time.
func TestWorkGrowsWithSize(t *testing.T) {
	const little = 1 << 20 // less than a patch's own size says nothing
	m := merger(t, true)
	for _, tc := range testtable.Checked(t, []growthRow{
		{row{"depth", "libraries parse each level again"}, types.MergePatchType, widget, func(n int) string {
			return `{"spec":{"any":` + nested(3000*n, `"`+strings.Repeat("x", n<<18)+`"`) + `}}`
		}},
		{row{"brackets in texts", "they are no levels"}, types.MergePatchType, widget, func(n int) string {
			return `{"spec":{"any":"` + strings.Repeat("[{", n<<19) + `"}}`
		}},
		{row{"operations", "each may write the object again"}, types.JSONPatchType, widget, func(n int) string {
			return many(5000*n, `{"op":"add","path":"/spec/size","value":3}`)
		}},
		{row{"copies", "each may double the object"}, types.JSONPatchType, widget, func(n int) string { return doubling(20 * n) }},
		{row{"lists", "each element may be looked for among all"}, types.StrategicMergePatchType, deployment, func(n int) string {
			return containers(32_000 * n)
		}},
	}) {
		patch := func(n int) uint64 {
			stored, body := object(t, tc.stored), []byte(tc.body(n))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _ = m.Patch(stored, body, tc.of, Options{}) // of which TestBounds knows what it comes to
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		patch(1) // what is made once for the process is made here
		if once, twice := patch(1), patch(2); twice >= 3*max(once, little) {
			t.Errorf("%s: %d bytes are allocated, and %d for a patch twice as large (%s)", tc.Name(), once, twice, tc.Why())
		}
	}
}
