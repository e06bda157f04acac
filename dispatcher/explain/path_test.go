package explain_test

import (
	"testing"

	"pgregory.net/rapid"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

type pathCase struct {
	row
	text string
	// want is the result of String, and pointer a JSON pointer for the path.
	want, pointer string
}

func TestParsePath(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []pathCase{
		{row{"nothing", "it is the path of the root"}, "", "", ""},
		{row{"dot", "kubectl's form of the root"}, ".", "", ""},
		{row{"braced dot", "jsonpath's form of the root"}, "{.}", "", ""},
		{row{"name", "the shortest path"}, "spec", "spec", "/spec"},
		{row{"usual", "the usual form"}, "spec.containers[0].image", "spec.containers[0].image", "/spec/containers/0/image"},
		{row{"leading dot", "the form of kubectl explain"}, ".spec.replicas", "spec.replicas", "/spec/replicas"},
		{row{"braces", "the form of -o jsonpath"}, "{.spec.replicas}", "spec.replicas", "/spec/replicas"},
		{row{"spaces around", "surrounding spaces are ignored"}, "  { .spec } ", "spec", "/spec"},
		{row{"single quotes", "annotations have slashes and dots"}, "metadata.annotations['example.com/x']", "metadata.annotations['example.com/x']", "/metadata/annotations/example.com~1x"},
		{row{"double quotes", "the form of JavaScript"}, `metadata.annotations["example.com/x"].y`, "metadata.annotations['example.com/x'].y", "/metadata/annotations/example.com~1x/y"},
		{row{"quotes after a dot", "jsonpath allows it"}, ".metadata.['labels']", "metadata.labels", "/metadata/labels"},
		{row{"backslash", "the form of kubectl"}, `metadata.labels.example\.com/x`, "metadata.labels['example.com/x']", "/metadata/labels/example.com~1x"},
		{row{"escaped star", "a star with a backslash is a key"}, `data.\*`, "data['*']", "/data/*"},
		{row{"number after a dot", "the keys of config maps may be numbers"}, "data.0", "data.0", "/data/0"},
		{row{"other letters", "keys of custom resources need not be English"}, "spec.größe", "spec['größe']", "/spec/größe"},
		{row{"index first", "the root may be a list"}, "[3].x", "[3].x", "/3/x"},
		{row{"two indexes", "lists may be in lists"}, "spec.matrix[1][2]", "spec.matrix[1][2]", "/spec/matrix/1/2"},
		{row{"wildcard index", "--redact names fields of all containers"}, "spec.containers[*].env", "spec.containers[*].env", "/spec/containers/*/env"},
		{row{"wildcard name", "or of all keys"}, "data.*", "data[*]", "/data/*"},
		{row{"quoted quote", "a key may have one"}, `data['it\'s']`, `data['it\'s']`, "/data/it's"},
		{row{"control characters", "escape sequences must not reach a terminal"}, `data["\u001b[2J\n"]`, `data['\x1b[2J\n']`, "/data/\x1b[2J\n"},
		{row{"empty key", "JSON allows it"}, "data['']", "data['']", "/data/"},
		{row{"pointer", "the form of JSON patches"}, "/spec/containers/0/image", "spec.containers[0].image", "/spec/containers/0/image"},
		{row{"pointer escapes", "~1 is a slash, and ~01 is not"}, "/a~1b/~01", "['a/b']['~1']", "/a~1b/~01"},
		{row{"pointer zeros", "an index has no leading zeros"}, "/x/007", "x.007", "/x/007"},
		{row{"pointer end", "patches append at -"}, "/x/-", "x.-", "/x/-"},
		{row{"pointer wildcard", "as a key it would redact nothing"}, "/spec/*/x", "spec[*].x", "/spec/*/x"},
		{row{"pointer of an empty key", "it is not the root"}, "/", "['']", "/"},
		{row{"key of an item", "what people write for kubectl's merge keys"}, "spec.containers[name=web].image", `spec.containers[name="web"].image`, "/spec/containers/*/image"},
		{row{"keys of an item", "the form of managed fields and of conflicts"}, `.spec.ports[port=80,protocol="TCP"]`, `spec.ports[port=80,protocol="TCP"]`, "/spec/ports/*"},
		{row{"item by its value", "the form of managed fields for sets"}, `.metadata.finalizers[="a/b"]`, `metadata.finalizers[="a/b"]`, "/metadata/finalizers/*"},
		{row{"value with brackets", "a quoted value may have anything"}, `{.x[name='a],b=c']}`, `x[name="a],b=c"]`, "/x/*"},
		{row{"pointer with a space", "spaces are part of a pointer"}, "/a ", "['a ']", "/a "},
	}, func(t *testing.T, tc pathCase) {
		p, err := explain.ParsePath(tc.text)
		if err != nil {
			t.Fatal(err)
		}
		if p.String() != tc.want || !path(t, tc.pointer).Covers(p) {
			t.Errorf("%q is %q, want %q, which %q covers", tc.text, p, tc.want, tc.pointer)
		}
	})
}

type pathErrorCase struct {
	row
	text, want string
}

func TestParsePathErrors(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []pathErrorCase{
		{row{"two dots", "recursive descent is not supported"}, "spec..image", `parsing the path "spec..image": at "..image": a name is missing`},
		{row{"dot at the end", "the last name is missing"}, "spec.", `parsing the path "spec.": at ".": a name is missing`},
		{row{"open bracket", "the bracket is missing"}, "spec[0", `parsing the path "spec[0": at "[0": the bracket is not closed`},
		{row{"name in brackets", "keys in brackets need quotes"}, "labels[app]", `parsing the path "labels[app]": at "[app]": "app" is not an index; a key needs quotes, as in ['…']`},
		{row{"negative index", "indexes count from the start"}, "x[-1]", `parsing the path "x[-1]": at "[-1]": "-1" is not an index; a key needs quotes, as in ['…']`},
		{row{"huge index", "the index does not fit an int"}, "x[99999999999999999999]", `parsing the path "x[99999999999999999999]": at "[99999999999999999999]": "99999999999999999999" is not an index; a key needs quotes, as in ['…']`},
		{row{"no dot after brackets", "steps need a separator"}, "x[0]y", `parsing the path "x[0]y": at "y": a dot or a bracket is missing`},
		{row{"open quote", "the key does not end"}, "x['a", `parsing the path "x['a": at "['a": the quote or the bracket is not closed`},
		{row{"quote without bracket", "the closing bracket is missing"}, "x['a'", `parsing the path "x['a'": at "['a'": the quote or the bracket is not closed`},
		{row{"unknown escape", "unknown escapes are errors"}, `x['\z']`, `parsing the path "x['\\z']": at "['\\z']": "\\z']" cannot be in quotes: invalid syntax`},
		{row{"space", "spaces need quotes"}, "a b", `parsing the path "a b": at "a b": ' ' needs quotes, as in ['…']`},
		{row{"open brace", "the closing brace is missing"}, "{.spec", `parsing the path "{.spec": at "{.spec": '{' needs quotes, as in ['…']`},
		{row{"lone tilde", "a JSON pointer escapes it"}, "/a~b", `parsing the path "/a~b": in a JSON pointer, ~ is written ~0: "a~b"`},
		{row{"last tilde", "an escape needs a digit"}, "/a~", `parsing the path "/a~": in a JSON pointer, ~ is written ~0: "a~"`},
		{row{"no value", "the value is missing"}, "x[name=]", `parsing the path "x[name=]": at "[name=]": the value of "name" is missing or not closed`},
		{row{"open value", "the bracket is missing"}, "x[name=web", `parsing the path "x[name=web": at "[name=web": the value of "name" is missing or not closed`},
		{row{"open quote of a value", "the quote is missing"}, `x[name="web]`, `parsing the path "x[name=\"web]": at "[name=\"web]": the quote or the bracket is not closed`},
		{row{"text after a value", "keys need a comma"}, `x[name="web"y]`, `parsing the path "x[name=\"web\"y]": at "[name=\"web\"y]": the bracket is not closed`},
		{row{"no key", "a comma needs another key"}, "x[name=web,80]", `parsing the path "x[name=web,80]": at "[name=web,80]": "80]" is not KEY=VALUE, as in [name=web]`},
	}, func(t *testing.T, tc pathErrorCase) {
		p, err := explain.ParsePath(tc.text)
		if testtable.Text(err) != tc.want {
			t.Errorf("want %s\ngot  %v (%s)", tc.want, err, p)
		}
	})
}

type coverCase struct {
	row
	pattern, other string
	covers         bool
}

func TestPathCovers(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []coverCase{
		{row{"itself", "a path covers itself"}, "spec.x", "spec.x", true},
		{row{"a part", "a path covers its children"}, "spec", "spec.x[0]", true},
		{row{"the whole", "a path does not cover its parents"}, "spec.x", "spec", false},
		{row{"sibling", "siblings differ"}, "spec.x", "spec.y", false},
		{row{"a longer name", "names are compared as a whole"}, "spec.x", "spec.xy", false},
		{row{"any index", "the wildcard matches every index"}, "spec.containers[*].env", "spec.containers[7].env[0].value", true},
		{row{"any key", "the wildcard matches every key"}, "data.*", "data['x.y']", true},
		{row{"a wildcard is not matched", "a key does not match a wildcard"}, "data.x", "data.*", false},
		{row{"wildcards match", "a wildcard matches a wildcard"}, "data.*", "data.*", true},
		{row{"an index is no key", "an index does not match a key"}, "data[0]", "data.0", false},
		{row{"a pointer's index", "a number in a pointer matches both"}, "/data/0", "data[0]", true},
		{row{"a pointer's key", "a number in a pointer matches both"}, "/data/0", "data.0", true},
		{row{"a pointer is matched", "a number in a pointer may be an index"}, "data[0]", "/data/0", true},
		{row{"another number", "numbers are compared"}, "/data/0", "data[1]", false},
		{row{"the root", "the root covers every path"}, "", "spec.x", true},
		{row{"an item", "which item that is depends on the object"}, "x[name=web].image", "x[3].image", true},
		{row{"an item is no key", "maps have no items"}, "x[name=web]", "x.name", false},
		{row{"the same item", "keys and values are compared"}, `x[name="web"]`, "x[name=web].image", true},
		{row{"another item", "keys and values are compared"}, "x[name=web]", "x[name=db]", false},
		{row{"a key called star", "a quoted * is a key"}, "data['*']", "data.x", false},
	}, func(t *testing.T, tc coverCase) {
		pattern, other := path(t, tc.pattern), path(t, tc.other)
		if got := pattern.Covers(other); got != tc.covers {
			t.Errorf("%s and %s: got %t", pattern, other, got)
		}
	})
}

func path(t rapid.TB, text string) explain.Path {
	t.Helper()
	p, err := explain.ParsePath(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPathIsImmutable extends one path twice.
func TestPathIsImmutable(t *testing.T) {
	t.Parallel()
	p := path(t, "a.b.c")
	x, y := p.Key("x"), p.Key("y").Index(1)
	if x.String() != "a.b.c.x" || y.String() != "a.b.c.y[1]" || p.String() != "a.b.c" {
		t.Errorf("got %s and %s from %s", x, y, p)
	}
}

// TestPathRoundTrip formats random paths and parses them again.
func TestPathRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var p explain.Path
		for range rapid.IntRange(0, 5).Draw(t, "length") {
			if rapid.Bool().Draw(t, "key") {
				p = p.Key(rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z~/.'"*\\\[\]0-9]{0,4}`)).Draw(t, "name"))
			} else {
				p = p.Index(rapid.IntRange(0, 1<<40).Draw(t, "index"))
			}
		}
		read := path(t, p.String())
		if read.String() != p.String() || !read.Covers(p) || !p.Covers(read) {
			t.Errorf("%q is read as %q", p, read)
		}
	})
}

// FuzzParsePath parses random texts, and the formatted paths again.
func FuzzParsePath(f *testing.F) {
	for _, text := range []string{
		"spec.containers[0].image", "{.a['b\\'c'][*]}", "/a~1b/0/*", `x["\u001b"].\*`, "a..b", "['", "['\xff']", "/~2",
		`.a[name="web"].b[port=80,protocol='TCP'][="\n"]`, "a[b=c d]", "a[=]", `a[x="\xff"]`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := explain.ParsePath(text)
		if err != nil {
			return
		}
		read := path(t, p.String())
		if read.String() != p.String() {
			t.Errorf("%q is %q, and that %q", text, p, read)
		}
		if !p.Covers(read) {
			t.Errorf("%q is %q, which it does not cover", text, p)
		}
	})
}
