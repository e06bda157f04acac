package explain_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/gatehouse/dispatcher/explain"
)

// large returns states of an object with a number of fields, each of which
// changes some.
func large(fields, states int) []explain.State {
	value := func(i, state int) int {
		if i*states/fields == state {
			return state
		}
		return -1
	}
	var all []explain.State
	for state := range states {
		var items []string
		for i := range fields / 4 {
			items = append(items, fmt.Sprintf(
				`{"name":"variable-%d","value":"some text of usual length","number":%d,"more":{"flag":true}}`, i, value(i*4, state)))
		}
		object := `{"metadata":{"name":"x"},"spec":{"env":[` + strings.Join(items, ",") + `]}}`
		all = append(all, explain.State{
			Object: json.RawMessage(object), By: explain.Writer{By: explain.ByWebhook, Webhook: fmt.Sprint("w", state)},
		})
	}
	return all
}

// BenchmarkBlame has 50 webhooks, each of which changes some of 10,000 fields.
func BenchmarkBlame(b *testing.B) {
	states := large(10_000, 50)
	size := 0
	for i := range states {
		size += len(states[i].Object)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, _, err := explain.Blame(states); err != nil {
			b.Fatal(err)
		}
	}
}

// TestBlameOfLargeObjects blames a smaller version of the object of
// BenchmarkBlame.
func TestBlameOfLargeObjects(t *testing.T) {
	t.Parallel()
	got := blamed(t, large(2_000, 50))
	by := map[string]int{}
	for i := range got.fields {
		by[got.fields[i].Writer.Webhook]++
	}
	if len(got.fields) != 2_001 || len(got.removed) != 0 || by["w0"] < 1500 || by["w49"] == 0 {
		t.Errorf("%d fields, %d removed; by %v", len(got.fields), len(got.removed), by)
	}
}
