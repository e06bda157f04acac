package recent_test

import (
	"testing"

	"pgregory.net/rapid"

	"example.com/gatehouse/internal/auditlog/recent"
)

// TestMap compares with a list of keys, the most recently used first.
func TestMap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const most = 3
		m := recent.New[int, int](most)
		var keys []int
		dropped := 0
		without := func(key int) (rest []int, found bool) {
			for _, k := range keys {
				if k == key {
					found = true
				} else {
					rest = append(rest, k)
				}
			}
			return rest, found
		}
		for range 30 {
			key := rapid.IntRange(0, 5).Draw(t, "key")
			rest, found := without(key)
			if rapid.IntRange(0, 4).Draw(t, "delete") == 0 {
				m.Delete(key)
				keys = rest
				continue
			}
			value := m.Get(key)
			if (value != nil) != found || found && *value != key {
				t.Fatalf("key %d: found %v", key, value)
			}
			if value == nil {
				*m.Add(key) = key
			}
			if keys = append([]int{key}, rest...); len(keys) > most {
				keys = keys[:most]
				dropped++
			}
		}
		var got []int
		for key := range m.All() {
			got = append(got, key)
		}
		if len(got) != len(keys) || m.Len() != len(keys) || m.Dropped() != dropped {
			t.Fatalf("got %v, dropped %d, want %v, %d", got, m.Dropped(), keys, dropped)
		}
		for i := range keys {
			if got[i] != keys[i] {
				t.Errorf("got %v, want %v", got, keys)
			}
		}
	})
}
