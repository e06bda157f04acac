package vitals

import (
	"cmp"
	"fmt"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
)

// stacksLength bounds the text about leaks: thousands of leaked goroutines have
// a few different stacks.
const stacksLength = 8 << 10

// stacks counts the goroutines with each stack.
type stacks struct {
	counts map[string]int // by the stack's text
}

// takeStacks returns the stacks of all goroutines but the caller's.
func takeStacks() *stacks {
	const asks = "soak/vitals.takeStacks+"
	var text strings.Builder
	// A Builder takes everything.
	_ = pprof.Lookup("goroutine").WriteTo(&text, 1)
	s := &stacks{counts: map[string]int{}}
	// After a line about all there are paragraphs, each beginning "count @
	// addresses".
	_, paragraphs, _ := strings.Cut(text.String(), "\n")
	for paragraph := range strings.SplitSeq(paragraphs, "\n\n") {
		head, stack, _ := strings.Cut(paragraph, "\n")
		number, _, _ := strings.Cut(head, " @ ")
		if count, err := strconv.Atoi(number); err == nil && !strings.Contains(stack, asks) {
			s.counts[stack] += count
		}
	}
	return s
}

// since returns the stacks that there are more often than there were, with by
// how much, the most frequent first. With nil there were none.
func (s *stacks) since(before *stacks) string {
	more := map[string]int{}
	var kinds []string
	for stack, count := range s.counts {
		if before != nil {
			count -= before.counts[stack]
		}
		if count > 0 {
			more[stack] = count
			kinds = append(kinds, stack)
		}
	}
	slices.SortFunc(kinds, func(a, b string) int {
		return cmp.Or(cmp.Compare(more[b], more[a]), strings.Compare(a, b))
	})
	var text strings.Builder
	for _, stack := range kinds {
		fmt.Fprintf(&text, "%d at\n%s\n", more[stack], stack)
		if text.Len() > stacksLength {
			return text.String()[:stacksLength] + "…\n"
		}
	}
	return cmp.Or(text.String(), "none\n")
}
