package tally

import (
	"fmt"
	"slices"
	"sync"
)

// Kept is how many texts Findings keep.
const Kept = 20

// textLength is the maximum length of a text: the first findings matter most,
// and a webhook may have written them.
const textLength = 1000

// Findings are what was not as it should be. The zero value has none; it must
// not be copied.
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

// AddWhole counts a finding whose text is always kept, even after Kept others:
// for findings that occur once in a run, such as leaks at its end. The text
// must be the run's own, and bounded.
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

// Texts returns the first findings, a line with the number of further ones, and
// those of AddWhole; nil if there were none. The caller owns the slice.
func (f *Findings) Texts() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	texts := slices.Clone(f.texts)
	if more := f.count - len(f.texts) - len(f.whole); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more like these", more))
	}
	return append(texts, f.whole...)
}
