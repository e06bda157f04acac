package rewrite

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"
	kubernetes "sigs.k8s.io/yaml"
)

// TestRandomChanges changes drawn objects in drawn styles: the result is the object that
// was wanted, every comment is still there, and only the lines of changed values differ.
func TestRandomChanges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := &drawn{T: t}
		text := d.file()
		documents, err := read("a.yaml", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		old, err := decode(documents[0])
		if err != nil {
			t.Fatal(err)
		}
		want := runtime.DeepCopyJSON(old)
		changed := d.mutate(want["spec"])
		after, err := File("a.yaml", []byte(text), []Change{{documents[0], want}})
		if err != nil {
			t.Fatalf("%v\n%s\nwant %v", err, text, want)
		}
		var got map[string]any
		if err := kubernetes.Unmarshal(after, &got); err != nil || !reflect.DeepEqual(integers(got), any(want)) {
			t.Fatalf("%v\n%s\ngot\n%s\n%v\nwant\n%v", err, text, after, got, want)
		}
		if n := missing(text, string(after)); n > changed {
			t.Fatalf("%d lines differ after %d changes:\n%s\ngot\n%s", n, changed, text, after)
		}
		for n := range d.comments {
			if !strings.Contains(string(after), fmt.Sprintf("# comment %d.", n)) {
				t.Fatalf("comment %d is gone:\n%s\ngot\n%s", n, text, after)
			}
		}
	})
}

// missing returns how many lines of a text another one does not have in the same order.
func missing(text, other string) int {
	lines, others := strings.Split(text, "\n"), strings.Split(other, "\n")
	// common[j] is the length of the longest common subsequence with others[:j].
	common := make([]int, len(others)+1)
	for _, line := range lines {
		diagonal := 0
		for j, o := range others {
			longest := max(common[j], common[j+1])
			if line == o {
				longest = diagonal + 1
			}
			diagonal, common[j+1] = common[j+1], longest
		}
	}
	return len(lines) - common[len(others)]
}

// drawn draws files and changes.
type drawn struct {
	*rapid.T
	comments int
}

var scalars = []string{"x", "a b", "it's", "true", "5", "", "a: b", "- c", "ü#", "# no", "two\nlines\n", "\"q\"", "~"}

// file draws an object with comments.
func (d *drawn) file() string {
	root := &yaml.Node{Kind: yaml.MappingNode}
	root.Content = append(root.Content, word("apiVersion"), word("v1"), word("kind"), word("X"), word("spec"), d.mapping(3, false))
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(rapid.SampledFrom([]int{2, 4}).Draw(d.T, "indent"))
	if err := encoder.Encode(root); err != nil {
		d.Fatal(err)
	}
	return out.String()
}

func word(text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: text} }

func (d *drawn) node(depth int, flow bool) *yaml.Node {
	kind := "scalar"
	if depth > 0 {
		kind = rapid.SampledFrom([]string{"scalar", "mapping", "sequence"}).Draw(d.T, "kind")
	}
	switch kind {
	case "mapping":
		return d.mapping(depth, flow)
	case "sequence":
		n := &yaml.Node{Kind: yaml.SequenceNode, Style: d.flow(flow)}
		for range rapid.IntRange(0, 3).Draw(d.T, "items") {
			n.Content = append(n.Content, d.node(depth-1, isFlow(n)))
			d.comment(n.Content[len(n.Content)-1], isFlow(n))
		}
		return n
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: rapid.SampledFrom(scalars).Draw(d.T, "text")}
	if rapid.Bool().Draw(d.T, "number") {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: "7"}
	}
	n.Style = rapid.SampledFrom([]yaml.Style{0, yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle}).Draw(d.T, "style")
	return n
}

func (d *drawn) mapping(depth int, flow bool) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Style: d.flow(flow)}
	for i := range rapid.IntRange(0, 3).Draw(d.T, "fields") {
		key := word(string(rune('a' + i)))
		d.comment(key, isFlow(n))
		n.Content = append(n.Content, key, d.node(depth-1, isFlow(n)))
	}
	return n
}

// flow draws a style; within flow style there is no other.
func (d *drawn) flow(within bool) yaml.Style {
	if within || rapid.IntRange(0, 3).Draw(d.T, "flow") == 0 {
		return yaml.FlowStyle
	}
	return 0
}

// comment draws a comment before a node.
func (d *drawn) comment(n *yaml.Node, flow bool) {
	if !flow && rapid.Bool().Draw(d.T, "comment") {
		n.HeadComment = fmt.Sprintf("# comment %d.", d.comments)
		d.comments++
	}
}

// mutate draws changes of a value in place, and returns how many lines they may change.
func (d *drawn) mutate(value any) int {
	n := 0
	object, _ := value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch v := object[name].(type) {
		case map[string]any:
			n += d.mutate(v)
		case []any:
			if rapid.Bool().Draw(d.T, "append") {
				object[name] = append(v, d.value())
				n++
			}
		default:
			// A block scalar stays: it has no style that fits every text.
			if text, _ := v.(string); !strings.Contains(text, "\n") && rapid.Bool().Draw(d.T, "set") {
				object[name] = rapid.SampledFrom(scalars).Draw(d.T, "new")
				n++
			}
		}
	}
	if object != nil && rapid.Bool().Draw(d.T, "add") {
		object["z"] = d.value()
		n++
	}
	return n
}

// value draws a new value.
func (d *drawn) value() any {
	return rapid.SampledFrom([]any{"x", int64(5), []any{"a", int64(1)}, map[string]any{"y": "&& <b>", "v": []any{map[string]any{"w": "u"}}}}).Draw(d.T, "value")
}
