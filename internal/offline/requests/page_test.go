package requests_test

import (
	"os"
	"regexp"
	"testing"
)

// TestPage makes a request of every example on the page about requests. None of
// them needs more than the defaults of the command line.
func TestPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/requests.md")
	if err != nil {
		t.Fatal(err)
	}
	w, lines := newWorld(t, settling()...), ""
	for _, example := range regexp.MustCompile("(?s)```(?:yaml|json)\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		made, err := w.make(t, with(func(s *settings) { s.Namespace = "default" }), example[1], "")
		if err != nil {
			t.Errorf("%v in\n%s", err, example[1])
		}
		lines += made + "\n"
	}
	matchFile(t, lines, "page.txt")
}
