package message

// Distance is how many letters have to be inserted, dropped or replaced to make
// b of a. It takes time and memory in proportion to the product and the sum of
// their lengths: callers see to it that the words are short.
func Distance(a, b string) int {
	// costs[j] is the distance of what has been seen of a from b[:j].
	costs := make([]int, len(b)+1)
	for j := range costs {
		costs[j] = j
	}
	for i := range len(a) {
		diagonal := costs[0]
		costs[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = costs[j+1]
			costs[j+1] = min(replaced, costs[j]+1, costs[j+1]+1)
		}
	}
	return costs[len(b)]
}
