package manifest_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestPartAs is about pods in a place where nothing else can stand.
func TestPartAs(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		input, want string
	}
	pod := schema.GroupVersionKind{Version: "v1", Kind: "Pod"}
	testtable.Run(t, []test{
		{row{"nothing written", "the plain case"}, "c: {spec: {}}\n", `{"apiVersion":"v1","kind":"Pod","spec":{}}`},
		{row{"empty", "no comma stands before nothing"}, "c: {}\n", `{"apiVersion":"v1","kind":"Pod"}`},
		{row{"all written", "what is there is not written twice"}, "c: {apiVersion: v1, kind: Pod, spec: {}}\n", `{"apiVersion":"v1","kind":"Pod","spec":{}}`},
		{row{"half written", "each is of its own"}, "c: {kind: Pod}\n", `{"apiVersion":"v1","kind":"Pod"}`},
	}, func(t *testing.T, r test) {
		part, err := last(t, podYAML+r.input).PartAs("c", pod)
		if err != nil {
			t.Fatal(err)
		}
		if string(part.JSON) != r.want || part.Kind != pod || part.Item != "c" || part.Line != 3 {
			t.Errorf("got %v: %s %s, %s\nwant %s", part.Position, part.Item, part.Kind, part.JSON, r.want)
		}
		if _, err := decode(t, part); err != nil {
			t.Error(err)
		}
	})
}

func TestPartAsErrors(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		input, want string
	}
	testtable.Run(t, []test{
		{row{"absent", "there is nothing to take"}, "", "(line 1): c is missing"},
		{row{"null", "it is as good as absent"}, "c: null\n", "(line 3): c is missing"},
		{row{"text", "it has no fields"}, "c: pod.yaml\n", "(line 3): c: must be an object"},
		{row{"list", "it has none either"}, "c: []\n", "(line 3): c: must be an object"},
		{row{"another kind", "the line is that of the kind"}, "c:\n  apiVersion: v1\n  kind: Service\n",
			`(line 5): c: kind: must be Pod, or not be written, but is "Service"`},
		{row{"another version", "a kind of another version is another kind"}, "c:\n  apiVersion: v2\n",
			`(line 4): c: apiVersion: must be v1, or not be written, but is "v2"`},
		{row{"a version that is none", "v1 without quotes is a text, 1 is not"}, "c: {apiVersion: 1}\n",
			`(line 3): c: apiVersion: must be v1, or not be written`},
		{row{"null for a kind", "it cannot be filled in without being there twice"}, "c: {kind: null}\n",
			`(line 3): c: kind: must be Pod, or not be written`},
		{row{"unknown field", "lines stay those of the file"}, "c:\n\n  speck: {}\n", `(line 5): c: unknown field "speck"`},
		{row{"duplicate kind", "it is found, although the last one is right"}, "c:\n  kind: Service\n  kind: Pod\n",
			`(line 5): c: duplicate field "kind"`},
	}, func(t *testing.T, r test) {
		part, err := last(t, podYAML+r.input).PartAs("c", schema.GroupVersionKind{Version: "v1", Kind: "Pod"})
		if err == nil {
			_, err = decode(t, part)
		}
		if got, want := testtable.Text(err), "a.yaml: document 1 "+r.want; got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	})
}

// TestAttach puts a document in the place of the name of its file.
func TestAttach(t *testing.T) {
	t.Parallel()
	pod := last(t, "# a pod\n"+podYAML)
	doc := last(t, "apiVersion: a/v1\nkind: Envelope\nto: [{}, {letter: pod.yaml, after: 1}]\n")
	doc.Attach("to[1].letter", pod)

	const want = `{"apiVersion":"a/v1","kind":"Envelope","to":[{},{"after":1,"letter":{"apiVersion":"v1","kind":"Pod"}}]}`
	if string(doc.JSON) != want {
		t.Errorf("\n got %s\nwant %s", doc.JSON, want)
	}
	if part, err := doc.Part("to[1].letter"); part != pod || err != nil {
		t.Errorf("the part is %v, %v", part, err)
	}
	if at := doc.At("to[1].letter"); at.Line != 3 {
		t.Errorf("the field stands at %v", at)
	}
	if _, err := doc.Part("to[1].after"); err == nil || !strings.HasSuffix(err.Error(), "must be an object with apiVersion and kind") {
		t.Errorf("the field beside it gave %v", err)
	}
}

// TestAttachLate attaches after parts have been taken, and to what is there
// twice.
func TestAttachLate(t *testing.T) {
	t.Parallel()
	pod := last(t, podYAML)
	doc := last(t, `{"apiVersion":"a/v1","kind":"B","c":{"d":1},"c":{"d":2}}`)
	if _, err := doc.Part("c"); err == nil {
		t.Error("what has no kind became a part")
	}
	doc.Attach("c.d", pod)
	doc.Attach("c.e", pod)
	const want = `{"apiVersion":"a/v1","kind":"B","c":{"d":1},"c":{"d":{"apiVersion":"v1","kind":"Pod"}}}`
	if string(doc.JSON) != want {
		t.Errorf("\n got %s\nwant %s", doc.JSON, want)
	}
	outer, err := doc.PartAs("c", schema.GroupVersionKind{Version: "v1", Kind: "Envelope"})
	if err != nil {
		t.Fatal(err)
	}
	if inner, err := outer.Part("d"); err != nil || inner.Kind.Kind != "Pod" {
		t.Errorf("the part of the part is %v, %v", inner, err)
	}
}
