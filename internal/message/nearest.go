package message

import (
	"cmp"
	"slices"
	"strings"
)

const (
	// maxNearest is how many names are suggested at most.
	maxNearest = 3
	// minPart is how long a name must be to be recognized within another one.
	minPart = 3
)

// DidYouMean returns "did you mean a, b?", with the known names that word may
// have been meant for, the likeliest first. It is empty if there are none. It
// ends a message about a name that does not exist.
func DidYouMean(word string, known []string) string {
	names := nearest(word, known)
	if len(names) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(names, ", ") + "?"
}

// nearest returns the known names that word may have been meant for, the
// likeliest first.
func nearest(word string, known []string) []string {
	type candidate struct {
		name   string
		misses int
	}
	var candidates []candidate
	for _, name := range known {
		if slices.ContainsFunc(candidates, func(c candidate) bool { return c.name == name }) {
			continue
		}
		misses := Distance(word, name)
		if partOf(word, name) || partOf(name, word) {
			misses = min(misses, 2)
		}
		if misses <= max(2, len(word)/5) && misses < len(word) {
			candidates = append(candidates, candidate{name, misses})
		}
	}
	slices.SortStableFunc(candidates,
		func(a, b candidate) int { return cmp.Compare(a.misses, b.misses) })
	var names []string
	for _, c := range candidates[:min(maxNearest, len(candidates))] {
		names = append(names, c.name)
	}
	return names
}

func partOf(
	part, whole string,
) bool {
	return len(part) >= minPart && strings.Contains(whole, part)
}
