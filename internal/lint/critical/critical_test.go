package critical_test

import (
	"strings"
	"testing"

	"example.com/gatehouse/internal/lint/critical"
)

// TestAll: the requests can be made, and each says what it is about.
func TestAll(t *testing.T) {
	t.Parallel()
	all, err := critical.All()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 120 {
		t.Errorf("there are %d requests, want 120", len(all))
	}
	seen := map[string]bool{}
	for _, r := range all {
		switch {
		case seen[r.ID]:
			t.Errorf("%s is there twice", r.ID)
		case !strings.HasSuffix(r.Does, ".") || !strings.HasSuffix(r.Breaks, "."):
			t.Errorf("%s does not say what it does and breaks in sentences", r.ID)
		case r.Name == "" && r.Operation != "CREATE" && r.ID != "namespace-empty":
			t.Errorf("%s has no name", r.ID)
		case r.Group == "":
			t.Errorf("%s has no group", r.ID)
		}
		seen[r.ID] = true
	}
}
