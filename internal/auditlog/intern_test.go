package auditlog

import (
	"strings"
	"testing"
)

// TestLongNames: what clients write cannot fill the memory.
func TestLongNames(t *testing.T) {
	t.Parallel()
	n := newInterner()
	short, long := strings.Repeat("x", maxName), strings.Repeat("x", maxName+1)
	for _, text := range []string{short, long} {
		if n.text([]byte(text)) != text || n.string(text) != text {
			t.Errorf("the text of %d bytes is another one", len(text))
		}
	}
	if len(n.known) != 1 || n.known[short] == "" {
		t.Errorf("the interner keeps %d texts, want the short one", len(n.known))
	}
}
