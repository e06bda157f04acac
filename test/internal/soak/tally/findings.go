package tally

import (
	"fmt"
	"slices"
	"sync"
)

// Kept is how many texts Findings keep.
const Kept = 20

// textLength is how long each of them may be: the first of what is wrong is what
// one wants to read, and a webhook may have written it.
const textLength = 1000

// Findings are what was not as it should be. The zero value has none; it must not
// be copied.
type Findings struct {
	mu    sync.Mutex
	count int
	texts []string
	whole []string
}

// Add counts a finding. The first Kept are kept as text.
func (f *Findings) Add(format string, arguments ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	if len(f.texts) == Kept {
		return
	}
	text := fmt.Sprintf(format, arguments...)
	if len(text) > textLength {
		text = fmt.Sprintf("%s… (%d bytes)", text[:textLength], len(text))
	}
	f.texts = append(f.texts, text)
}

// AddWhole counts a finding whose text is kept whole, even after Kept others: for
// what is found once in a run, such as what is left at its end. Its text must be of
// the run's own making, and bounded.
func (f *Findings) AddWhole(format string, arguments ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	f.whole = append(f.whole, fmt.Sprintf(format, arguments...))
}

// Count is how many there were.
func (f *Findings) Count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.count
}

// Texts returns the first findings, a line that says how many more there were, and
// those that are kept whole; nothing if there were none. It belongs to the caller.
func (f *Findings) Texts() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	texts := slices.Clone(f.texts)
	if more := f.count - len(f.texts) - len(f.whole); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more like these", more))
	}
	return append(texts, f.whole...)
}
