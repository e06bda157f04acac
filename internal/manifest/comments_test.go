package manifest_test

import (
	"fmt"
	"slices"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

func TestComments(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		text string
		want []string // LINE TEXT FIELD OF
	}
	testtable.Run(t, []test{
		{row{"none", "most documents have none"}, podYAML, nil},
		{row{"object", "what stands above the first field is about the object"},
			"# a\n\n# b\n# c\n" + podYAML, []string{"5 # a  5", "3 # b  5", "4 # c  5"}},
		{row{"text", "a text may look like a comment"}, podYAML + "data: |\n  # a\n  b # c\nd: \"# e\"\n", nil},
		{row{"fields", "each is about what it stands above or behind"},
			podYAML + "# a\nspec: # b\n  # c\n  d: e # f\n", []string{"3 # a spec 4", "4 # b spec 4", "5 # c spec.d 6", "6 # f spec.d 6"}},
		{row{"items", "a comment above a dash is about the item"},
			podYAML + "a:\n# b\n- c: d # e\n  # f\n  g: h\n# i\n- j # k\n",
			[]string{"4 # b a[0] 5", "5 # e a[0].c 5", "6 # f a[0].g 7", "8 # i a[1] 9", "9 # k a[1] 9"}},
		{row{"nothing", "what follows is a blank line, or the end"},
			podYAML + "a: b\n# c\n\nd: e\n# f\n", []string{"3 # c a 0", "6 # f d 0"}},
		{row{"flow", "there are comments between brackets"},
			podYAML + "a: [b, # c\n  d] # e\n", []string{"3 # e a 3", "3 # c a[0] 3"}},
		{row{"later", "the lines are those of the file"}, podYAML + "---\n" + podYAML + "a: b # c\n", []string{"6 # c a 6"}},
		{row{"JSON", "it has no comments"}, `{"apiVersion": "v1", "kind": "Pod", "a": "# b"}`, nil},
	}, func(t *testing.T, tc test) {
		var got []string
		for _, c := range last(t, tc.text).Comments() {
			got = append(got, fmt.Sprintf("%d %s %s %d", c.Line, c.Text, c.Field, c.Of))
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: got %q, want %q", tc.Why(), got, tc.want)
		}
	})
}
