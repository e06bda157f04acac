package explain

import "slices"

// align returns, for each item of a list, its index in an earlier state of the
// list; -1 for new items. It matches items by a merge key if there is one.
// Otherwise it matches equal items, and then items that follow matched ones.
func align(before, after []jsonValue) []int {
	origins := slices.Repeat([]int{-1}, len(after))
	if key := mergeKey(before, after); key != "" {
		alignByKey(key, before, after, origins)
		return origins
	}
	head, from, to := 0, len(before), len(after)
	for head < min(from, to) && before[head].id == after[head].id {
		origins[head] = head
		head++
	}
	for from > head && to > head && before[from-1].id == after[to-1].id {
		from, to = from-1, to-1
		origins[to] = from
	}
	alignEqual(before[:from], after[:to], head, origins)
	alignNeighbours(len(before), origins)
	return origins
}

// mergeKeys are the merge keys of Kubernetes' lists, in order of preference.
var mergeKeys = [...]string{
	"name", "containerPort", "port", "key", "ip", "uid", "mountPath", "devicePath", "topologyKey", "type",
}

// mergeKey returns the first key that identifies the items of both lists; "" if
// none does.
func mergeKey(before, after []jsonValue) string {
	for _, key := range mergeKeys {
		if unique(key, before) && unique(key, after) {
			return key
		}
	}
	return ""
}

// unique reports whether every item has a different scalar under the key.
func unique(key string, items []jsonValue) bool {
	seen := map[int]bool{}
	for i := range items {
		v := items[i].get(key)
		if v == nil || !v.isScalar() || seen[v.id] {
			return false
		}
		seen[v.id] = true
	}
	return true
}

func alignByKey(key string, before, after []jsonValue, origins []int) {
	indexes := make(map[int]int, len(before))
	for i := range before {
		indexes[before[i].get(key).id] = i
	}
	for j := range after {
		if i, ok := indexes[after[j].get(key).id]; ok {
			origins[j] = i
		}
	}
}

// alignEqual aligns equal items after the head of both lists, first with first.
func alignEqual(before, after []jsonValue, head int, origins []int) {
	left := map[int][]int{}
	for i := head; i < len(before); i++ {
		left[before[i].id] = append(left[before[i].id], i)
	}
	for j := head; j < len(after); j++ {
		if same := left[after[j].id]; len(same) > 0 {
			origins[j], left[after[j].id] = same[0], same[1:]
		}
	}
}

// alignNeighbours aligns each remaining item with the one of n earlier items
// that followed the origin of its predecessor, if that is left.
func alignNeighbours(n int, origins []int) {
	matched := matchedItems(origins, n)
	next := 0
	for j := range origins {
		if origins[j] < 0 && next < n && !matched[next] {
			origins[j] = next
		}
		if origins[j] >= 0 {
			next = origins[j] + 1
		}
	}
}

// matchedItems reports which of the n earlier items stayed.
func matchedItems(origins []int, n int) []bool {
	matched := make([]bool, n)
	for _, i := range origins {
		if i >= 0 {
			matched[i] = true
		}
	}
	return matched
}

// longestIncreasing marks a longest increasing subsequence of the origins:
// these items stayed in order, the other ones were moved. New items are not
// marked.
func longestIncreasing(origins []int) []bool {
	// ends[k] is the index at which the increasing subsequence of length k+1
	// with the lowest end ends; previous[j] is the index before j in the
	// subsequence that ends at j.
	var ends []int
	previous := make([]int, len(origins))
	for j, i := range origins {
		if i < 0 {
			continue
		}
		k, _ := slices.BinarySearchFunc(ends, i, func(end, i int) int { return origins[end] - i })
		if previous[j] = -1; k > 0 {
			previous[j] = ends[k-1]
		}
		if k == len(ends) {
			ends = append(ends, j)
		}
		ends[k] = j
	}
	marked := make([]bool, len(origins))
	if len(ends) > 0 {
		for j := ends[len(ends)-1]; j >= 0; j = previous[j] {
			marked[j] = true
		}
	}
	return marked
}
