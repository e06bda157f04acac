package explain

// aligner maps the items of a list to those of an earlier state of the list.
type aligner struct {
	// pairsLeft is how many pairs of items it may still compare.
	pairsLeft int
}

const (
	// maxPairsPerList limits the pairs compared in one list: 512 items with 512.
	maxPairsPerList = 512 * 512
	// maxPairs limits the pairs compared in all lists of an object.
	maxPairs = 64 * maxPairsPerList
)

func newAligner() *aligner { return &aligner{pairsLeft: maxPairs} }

// align returns, for each item of after, its index in before; -1 for new items.
func (a *aligner) align(before, after []jsonValue) []int {
	origins := make([]int, len(after))
	for j := range origins {
		origins[j] = -1
	}
	head := 0
	for head < min(len(before), len(after)) && before[head].id == after[head].id {
		origins[head] = head
		head++
	}
	from, to := len(before), len(after)
	for from > head && to > head && before[from-1].id == after[to-1].id {
		from, to = from-1, to-1
		origins[to] = from
	}
	a.alignMiddle(before[head:from], after[head:to], origins[head:to])
	for j := head; j < to; j++ {
		if origins[j] >= 0 {
			origins[j] += head
		}
	}
	return origins
}

// alignMiddle aligns lists without their equal heads and tails.
func (a *aligner) alignMiddle(before, after []jsonValue, origins []int) {
	if len(before) == 0 || len(after) == 0 {
		return
	}
	if key := mergeKey(before, after); key != "" {
		alignByKey(key, before, after, origins)
		return
	}
	if pairs := len(before) * len(after); pairs <= min(maxPairsPerList, a.pairsLeft) {
		a.pairsLeft -= pairs
		alignLongest(before, after, origins)
	}
	alignEqual(before, after, origins)
	alignGaps(len(before), origins)
}

// mergeKeys are the merge keys of Kubernetes' lists, in order of preference.
func mergeKeys() [10]string {
	return [...]string{
		"name", "containerPort", "port", "key", "ip", "uid", "mountPath", "devicePath", "topologyKey", "type",
	}
}

// mergeKey returns the first key that identifies the items of both lists; "" if none
// does.
func mergeKey(before, after []jsonValue) string {
	for _, key := range mergeKeys() {
		if unique(key, before) && unique(key, after) {
			return key
		}
	}
	return ""
}

// unique reports whether every item has a different scalar under the key.
func unique(key string, items []jsonValue) bool {
	if v := items[0].get(key); v == nil {
		return false // the usual case
	}
	seen := make(map[int32]bool, len(items))
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
	indexes := make(map[int32]int, len(before))
	for i := range before {
		indexes[before[i].get(key).id] = i
	}
	for j := range after {
		if i, ok := indexes[after[j].get(key).id]; ok {
			origins[j] = i
		}
	}
}

// unmatched returns the indexes of the n earlier items that were removed.
func unmatched(origins []int, n int) []int {
	matched := make([]bool, n)
	for _, i := range origins {
		if i >= 0 {
			matched[i] = true
		}
	}
	var rest []int
	for i := range matched {
		if !matched[i] {
			rest = append(rest, i)
		}
	}
	return rest
}
