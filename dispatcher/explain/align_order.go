package explain

import "slices"

// alignLongest aligns equal items by a longest common subsequence.
func alignLongest(before, after []jsonValue, origins []int) {
	// longest[i][j] is the length of the longest common subsequence of before[i:] and
	// after[j:]. It fits into uint16: with maxPairsPerList it is at most 512.
	longest := make([][]uint16, len(before)+1)
	row := make([]uint16, (len(before)+1)*(len(after)+1))
	for i := range longest {
		longest[i], row = row[:len(after)+1], row[len(after)+1:]
	}
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(after) - 1; j >= 0; j-- {
			if before[i].id == after[j].id {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(before) && j < len(after); {
		switch {
		case before[i].id == after[j].id:
			origins[j] = i
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
}

// alignEqual aligns the remaining items with equal ones, first with first. These items
// were moved, or the lists are too long for alignLongest.
func alignEqual(before, after []jsonValue, origins []int) {
	left := map[int32][]int{}
	for _, i := range unmatched(origins, len(before)) {
		left[before[i].id] = append(left[before[i].id], i)
	}
	for j := range after {
		if equal := left[after[j].id]; origins[j] < 0 && len(equal) > 0 {
			origins[j], left[after[j].id] = equal[0], equal[1:]
		}
	}
}

// alignGaps aligns the remaining items between two items that stayed in order, first
// with first.
func alignGaps(n int, origins []int) {
	inOrder := longestIncreasing(origins)
	left := unmatched(origins, n)
	for j := 0; j < len(origins); {
		if origins[j] >= 0 {
			if inOrder[j] {
				left = left[countBelow(left, origins[j]):]
			}
			j++
			continue
		}
		end, bound := j, n
		for end < len(origins) && !inOrder[end] {
			end++
		}
		if end < len(origins) {
			bound = origins[end]
		}
		for ; j < end; j++ {
			if origins[j] < 0 && len(left) > 0 && left[0] < bound {
				origins[j], left = left[0], left[1:]
			}
		}
	}
}

// countBelow returns how many of the sorted numbers are less than the bound.
func countBelow(numbers []int, bound int) int {
	i, _ := slices.BinarySearch(numbers, bound)
	return i
}

// longestIncreasing marks a longest increasing subsequence of the origins: these items
// stayed in order, the other ones were moved. New items are not marked.
func longestIncreasing(origins []int) []bool {
	// ends[k] is the index at which the increasing subsequence of length k+1 with the
	// lowest end ends; previous[j] is the index before j in the subsequence that ends at
	// j.
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
