package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

// described describes the documents of a text, cut from a size on.
func described(file, text string, limit int) []string {
	var all []string
	d := &documents{input: newInput(strings.NewReader(text)), file: file, limit: limit}
	d.yield = func(doc *Document, err error) bool {
		if err != nil {
			all = append(all, err.Error())
			return true
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, doc.JSON); err != nil {
			all = append(all, err.Error())
		}
		all = append(all, fmt.Sprintf("%s %s %s %s metadata in %d", doc.Position, doc.Item, doc.Kind, &compact,
			doc.At("metadata.name").Line))
		return true
	}
	d.read()
	return all
}

const (
	itemA = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a}\"]"}}`
	itemB = "{\"apiVersion\":\"v1\",\n\"kind\":\"Pod\",\n\"metadata\":\n{\"name\":\"b\"}}"
	listB = `{"apiVersion":"v1","items":[` + itemA + ",\n" + itemB + `],"kind":"List","metadata":{"resourceVersion":""}}`
	plain = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n"
	// kubectl is a list as kubectl prints it.
	kubectl = `apiVersion: v1
items:
- apiVersion: v1
  data:
    a: |
      - b

      # c
    d: "e
      - f"
  kind: ConfigMap
  metadata:
    name: a
# between
-
  apiVersion: v1
  kind: Pod
  metadata:

    name: b
- {apiVersion: v1, kind: Pod, metadata: {name: c}}
kind: List
metadata:
  resourceVersion: ""
`
)

// TestCut compares documents that are read in pieces with those of whole texts.
func TestCut(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		file, text string
		// want is what is read in pieces, if it is not what is read whole.
		want []string
	}
	indented := "apiVersion: v1\nitems:\n\n  - apiVersion: v1\n    kind: Pod\n    metadata:\n      name: a\n  - " + itemA + "\nkind: List\n"
	testtable.Run(t, []test{
		{testtable.Row{"JSON lines", "one object in each line"}, "a.json", itemA + "\n" + itemA + "\n\n" + itemA, nil},
		{testtable.Row{"JSON values", "they may have many lines, and be no objects"}, "a", itemB + itemB + "null\n" + itemB + " 3 " + itemA, nil},
		{testtable.Row{"JSON list", "the kind comes after the items"}, "a.json", listB, nil},
		{testtable.Row{"lists and lines", "and separators"}, "a", listB + "\n" + itemB + "\n---\n" + plain + "---\n" + listB, nil},
		{testtable.Row{"list of a kind", "what API servers return"}, "a", `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"}},` + itemA + "]}", nil},
		{testtable.Row{"list of a kind in YAML", "some write it"}, "a", "kind: PodList\napiVersion: v1\nitems:\n- metadata:\n    name: a\n", nil},
		{testtable.Row{"list in a list", "it is held whole"}, "a", `{"kind":"List","apiVersion":"v1","items":[` + listB + "," + itemA + "]}", nil},
		{testtable.Row{"kubectl's YAML", "block scalars, quotes and comments are left alone"}, "a", kubectl, nil},
		{testtable.Row{"indented", "other tools indent dashes"}, "a", indented, nil},
		{testtable.Row{"after others", "line numbers go on"}, "a", plain + "---\n" + kubectl + "---\n" + plain + "...\n" + itemB, nil},
		{testtable.Row{"separator with content", "it is a line of the list"}, "a", "--- !!map\n" + kubectl, nil},
		{testtable.Row{"line breaks of Windows", "they are line breaks"}, "a", strings.ReplaceAll(kubectl, "\n", "\r\n"), nil},
		{testtable.Row{"null item", "it is no manifest"}, "a", "kind: List\napiVersion: v1\nitems:\n-\n- " + itemA + "\n", nil},
		{testtable.Row{"item without a kind", "as always"}, "a", `{"kind":"List","apiVersion":"v1","items":[{"kind":"Pod"},` + itemA + "]}", nil},
		{testtable.Row{"empty", "no items"}, "a.json", `{"kind":"List","apiVersion":"v1","items":[]}`, nil},
		{testtable.Row{"field of the list", "it is not known"}, "a", `{"kind":"List","apiVersion":"v1","item":3,"items":[]}`, nil},
		{testtable.Row{"no list", "a large object with such a field"}, "a", `{"kind":"Gizmo","apiVersion":"e/v1","spec":1,"items":[` + itemA + "]}",
			[]string{`a: document 1 (line 1) items[0] /v1, Kind=Pod ` + itemA + ` metadata in 1`, "a: document 1 (line 1): more than 1 MiB with items, and no list"}},
		{testtable.Row{"cut short", "the items before the end were read"}, "a.json", listB[:strings.Index(listB, itemB)],
			[]string{`a.json: document 1 (line 1) items[0] /v1, Kind=Pod ` + itemA + ` metadata in 1`, "a.json: document 1 (line 2): invalid JSON: unexpected end of JSON input"}},
		{testtable.Row{"no comma", "the next piece is read all the same"}, "a", "{\"kind\":\"List\",\n\"apiVersion\":\"v1\",\n\"metadata\":{\"resourceVersion\":\"\"}\n\"items\":[]}\n---\n" + plain,
			[]string{`a: document 1 (line 4): invalid JSON: '"' where ',' is wanted`, `a: document 2 (line 6)  /v1, Kind=Pod {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}} metadata in 9`}},
		{testtable.Row{"anchor of another item", "an item is read by itself"}, "a", "kind: List\nitems:\n- &a {apiVersion: v1, kind: Pod}\n- *a\napiVersion: v1\n",
			[]string{`a: document 1 (line 3) items[0] /v1, Kind=Pod {"apiVersion":"v1","kind":"Pod"} metadata in 3`, "a: document 1 (line 4): invalid YAML: unknown anchor (…) referenced"}},
		{testtable.Row{"open quotes", "they might go on in the next item"}, "a", "kind: List\nitems:\n- apiVersion: v1\n  kind: \"Pod\n- \"\napiVersion: v1\n",
			[]string{"a: document 1 (line 4): invalid YAML: found unexpected end of stream"}},
		{testtable.Row{"no items", "a mapping"}, "a", "kind: List\nitems:\n  apiVersion: v1\n  kind: Pod\napiVersion: v1\n",
			[]string{"a: document 1 (line 3): items is not a list"}},
	}, func(t *testing.T, tc test) {
		want := tc.want
		if want == nil {
			want = described(tc.file, tc.text, cutPiece)
		}
		// The first line of a kind must be in the piece.
		for _, limit := range []int{30, 60} {
			if diff := cmp.Diff(want, described(tc.file, tc.text, limit)); diff != "" {
				t.Errorf("%s: from %d bytes on (-want +got):\n%s", tc.Why(), limit, diff)
			}
		}
	})
}

// TestCutMemory reads lists and streams in much less memory than they have.
func TestCutMemory(t *testing.T) {
	pod := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","annotations":{"b":"` + strings.Repeat("c", 8<<10) + `"}}}`
	const pods, limit = 600, 64 << 10 // 5 MiB
	for name, from := range map[string]*repeated{
		"list":       {head: `{"apiVersion":"v1","items":[` + pod, text: "," + pod, tail: `],"kind":"List"}`},
		"lines":      {head: pod, text: "\n" + pod},
		"separators": {head: pod, text: "\n---\n" + pod},
		"YAML":       {head: "apiVersion: v1\nitems:\n- " + pod, text: "\n- " + pod, tail: "\nkind: List\n"},
	} {
		from.times = pods - 1
		before, seen, most := heapInUse(), 0, uint64(0)
		d := &documents{input: newInput(from), file: "a", limit: limit}
		d.yield = func(_ *Document, err error) bool {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if seen++; seen%200 == 0 {
				most = max(most, heapInUse())
			}
			return true
		}
		d.read()
		if seen != pods || most > before+(2<<20) {
			t.Errorf("%s: %d documents, with up to %d bytes in use, %d before", name, seen, most, before)
		}
	}
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// repeated reads as head, many times text, and tail.
type repeated struct {
	head, text, tail string
	times            int
	rest             string
}

func (r *repeated) Read(p []byte) (int, error) {
	for r.rest == "" {
		switch {
		case r.head != "":
			r.rest, r.head = r.head, ""
		case r.times > 0:
			r.rest = r.text
			r.times--
		case r.tail != "":
			r.rest, r.tail = r.tail, ""
		default:
			return 0, io.EOF
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// FuzzCut checks that a text is the same in pieces and whole, or a mistake.
func FuzzCut(f *testing.F) {
	for _, seed := range []string{listB, kubectl, plain + "---\n" + kubectl, itemB + itemA, "items:\n- a", `{"items":[`, "{\"a\": 1}}\n---\n" + plain, "items:\n  - {a: b}\n- c\n", "00000000000000\nitems:\n#000000000000000\n "} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cut := described("a", text, 30)
		for _, line := range cut {
			if !strings.Contains(line, "metadata in") {
				return
			}
		}
		if diff := cmp.Diff(described("a", text, cutPiece), cut); diff != "" {
			t.Errorf("of %q (-whole +cut):\n%s", text, diff)
		}
	})
}
