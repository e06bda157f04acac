package wide

import (
	"encoding/json"
	"fmt"
)

// written is a value as JSON.
func written(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// around is how much is shown of texts before and after they part.
const around = 60

// parting shows two texts from a little before the place where they part: what
// is different in an object of a kilobyte would take long to find otherwise.
func parting(got, want string) string {
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	if got == want {
		return "it does not show in " + got
	}
	from := max(0, at-around)
	return fmt.Sprintf("…%s…, want …%s…", got[from:min(len(got), at+around)],
		want[from:min(len(want), at+around)])
}
