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
	// want is the path as String has it, and pointer as Pointer does.
	want, pointer string
}

func TestParsePath(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []pathCase{
		{row{"nothing", "the whole object has a path too"}, "", "", ""},
		{row{"dot", "kubectl writes the whole object so"}, ".", "", ""},
		{row{"braced dot", "jsonpath writes it so"}, "{.}", "", ""},
		{row{"name", "the shortest path"}, "spec", "spec", "/spec"},
		{row{"usual", "what people type"}, "spec.containers[0].image", "spec.containers[0].image", "/spec/containers/0/image"},
		{row{"leading dot", "kubectl explain has one"}, ".spec.replicas", "spec.replicas", "/spec/replicas"},
		{row{"braces", "copied from -o jsonpath"}, "{.spec.replicas}", "spec.replicas", "/spec/replicas"},
		{row{"spaces around", "copied with them"}, "  { .spec } ", "spec", "/spec"},
		{row{"single quotes", "annotations have slashes and dots"}, "metadata.annotations['example.com/x']", "metadata.annotations['example.com/x']", "/metadata/annotations/example.com~1x"},
		{row{"double quotes", "as in JavaScript"}, `metadata.annotations["example.com/x"].y`, "metadata.annotations['example.com/x'].y", "/metadata/annotations/example.com~1x/y"},
		{row{"quotes after a dot", "jsonpath allows it"}, ".metadata.['labels']", "metadata.labels", "/metadata/labels"},
		{row{"backslash", "kubectl escapes dots so"}, `metadata.labels.example\.com/x`, "metadata.labels['example.com/x']", "/metadata/labels/example.com~1x"},
		{row{"escaped star", "a star with a backslash is a key"}, `data.\*`, "data['*']", "/data/*"},
		{row{"number after a dot", "the keys of config maps may be numbers"}, "data.0", "data.0", "/data/0"},
		{row{"other letters", "keys of custom resources need not be English"}, "spec.größe", "spec['größe']", "/spec/größe"},
		{row{"index first", "the root may be a list"}, "[3].x", "[3].x", "/3/x"},
		{row{"two indexes", "lists may be in lists"}, "spec.matrix[1][2]", "spec.matrix[1][2]", "/spec/matrix/1/2"},
		{row{"wildcard index", "--redact names fields of all containers"}, "spec.containers[*].env", "spec.containers[*].env", "/spec/containers/*/env"},
		{row{"wildcard name", "or of all keys"}, "data.*", "data[*]", "/data/*"},
		{row{"quoted quote", "a key may have one"}, `data['it\'s']`, `data['it\'s']`, "/data/it's"},
		{row{"control characters", "a terminal must not obey a key"}, `data["\u001b[2J\n"]`, `data['\x1b[2J\n']`, "/data/\x1b[2J\n"},
		{row{"empty key", "JSON allows it"}, "data['']", "data['']", "/data/"},
		{row{"pointer", "patches have pointers"}, "/spec/containers/0/image", "spec.containers[0].image", "/spec/containers/0/image"},
		{row{"pointer escapes", "~1 is a slash, and ~01 is not"}, "/a~1b/~01", "['a/b']['~1']", "/a~1b/~01"},
		{row{"pointer zeros", "an index has no zeros before it, so this is a key"}, "/x/007", "x.007", "/x/007"},
		{row{"pointer end", "- is where patches append"}, "/x/-", "x.-", "/x/-"},
		{row{"pointer wildcard", "to take it for a key would show what is to be hidden"}, "/spec/*/x", "spec[*].x", "/spec/*/x"},
		{row{"pointer of an empty key", "it is not the root"}, "/", "['']", "/"},
		{row{"pointer with a space", "which is a part of the key"}, "/a ", "['a ']", "/a "},
	}, func(t *testing.T, tc pathCase) {
		p, err := explain.ParsePath(tc.text)
		if err != nil {
			t.Fatal(err)
		}
		if p.String() != tc.want || p.Pointer() != tc.pointer {
			t.Errorf("%q is %q, %q, want %q, %q", tc.text, p, p.Pointer(), tc.want, tc.pointer)
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
		{row{"two dots", "recursive descent is not supported, and must not find nothing"}, "spec..image", `parsing the path "spec..image": at "..image": a name is missing`},
		{row{"dot at the end", "something was forgotten"}, "spec.", `parsing the path "spec.": at ".": a name is missing`},
		{row{"open bracket", "a shell took it for a pattern"}, "spec[0", `parsing the path "spec[0": at "[0": the bracket is not closed`},
		{row{"name in brackets", "quotes were forgotten, or the shell took them"}, "labels[app]", `parsing the path "labels[app]": at "[app]": "app" is no index; a key needs quotes, as in ['…']`},
		{row{"negative index", "nothing counts from the end here"}, "x[-1]", `parsing the path "x[-1]": at "[-1]": "-1" is no index; a key needs quotes, as in ['…']`},
		{row{"huge index", "it would not fit an int"}, "x[99999999999999999999]", `parsing the path "x[99999999999999999999]": at "[99999999999999999999]": "99999999999999999999" is no index; a key needs quotes, as in ['…']`},
		{row{"no dot after brackets", "two parts run into each other"}, "x[0]y", `parsing the path "x[0]y": at "y": a dot or a bracket is missing`},
		{row{"open quote", "the key does not end"}, "x['a", `parsing the path "x['a": at "['a": the quote or the bracket is not closed`},
		{row{"quote without bracket", "the bracket was forgotten"}, "x['a'", `parsing the path "x['a'": at "['a'": the quote or the bracket is not closed`},
		{row{"unknown escape", "it would have a meaning that nobody knows"}, `x['\z']`, `parsing the path "x['\\z']": at "['\\z']": "\\z']" cannot be in quotes: invalid syntax`},
		{row{"space", "two paths in one"}, "a b", `parsing the path "a b": at "a b": ' ' needs quotes, as in ['…']`},
		{row{"open brace", "half of a template"}, "{.spec", `parsing the path "{.spec": at "{.spec": '{' needs quotes, as in ['…']`},
		{row{"lone tilde", "a JSON pointer escapes it"}, "/a~b", `parsing the path "/a~b": in a JSON pointer, ~ is written ~0: "a~b"`},
		{row{"last tilde", "nothing is after it"}, "/a~", `parsing the path "/a~": in a JSON pointer, ~ is written ~0: "a~"`},
	}, func(t *testing.T, tc pathErrorCase) {
		p, err := explain.ParsePath(tc.text)
		if testtable.Text(err) != tc.want {
			t.Errorf("want %s\ngot  %v (%s)", tc.want, err, p)
		}
	})
}

type coverCase struct {
	row
	pattern, other  string
	matches, covers bool
}

func TestPathCovers(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []coverCase{
		{row{"itself", "a path is where it is"}, "spec.x", "spec.x", true, true},
		{row{"a part", "what is in something hidden is hidden"}, "spec", "spec.x[0]", false, true},
		{row{"the whole", "what something hidden is in is not"}, "spec.x", "spec", false, false},
		{row{"beside", "another field"}, "spec.x", "spec.y", false, false},
		{row{"a longer name", "names are compared, not text"}, "spec.x", "spec.xy", false, false},
		{row{"any index", "for all containers"}, "spec.containers[*].env", "spec.containers[7].env[0].value", false, true},
		{row{"any key", "for all keys"}, "data.*", "data['x.y']", true, true},
		{row{"a wildcard is not matched", "a field alone is less than all"}, "data.x", "data.*", false, false},
		{row{"wildcards match", "all are all"}, "data.*", "data.*", true, true},
		{row{"an index is no key", "data.0 is in a map"}, "data[0]", "data.0", false, false},
		{row{"a pointer's index", "pointers do not tell"}, "/data/0", "data[0]", true, true},
		{row{"a pointer's key", "pointers do not tell"}, "/data/0", "data.0", true, true},
		{row{"a pointer is matched", "an index may be what it means"}, "data[0]", "/data/0", true, true},
		{row{"another number", "numbers are compared"}, "/data/0", "data[1]", false, false},
		{row{"the root", "everything is in it"}, "", "spec.x", false, true},
		{row{"a key called star", "it stands for itself alone"}, "data['*']", "data.x", false, false},
	}, func(t *testing.T, tc coverCase) {
		pattern, other := path(t, tc.pattern), path(t, tc.other)
		if pattern.Matches(other) != tc.matches || pattern.Covers(other) != tc.covers {
			t.Errorf("%s and %s: got %t, %t", pattern, other, pattern.Matches(other), pattern.Covers(other))
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

// TestPathIsImmutable goes two ways from one path.
func TestPathIsImmutable(t *testing.T) {
	t.Parallel()
	p := path(t, "a.b.c")
	x, y := p.Key("x"), p.Key("y").Index(1)
	if x.String() != "a.b.c.x" || y.String() != "a.b.c.y[1]" || p.String() != "a.b.c" {
		t.Errorf("got %s and %s from %s", x, y, p)
	}
}

// TestPathRoundTrip writes paths of any keys in both forms and reads them again.
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
		if read.String() != p.String() || !read.Matches(p) || !p.Matches(read) {
			t.Errorf("%q is read as %q", p, read)
		}
		if read := path(t, p.Pointer()); read.Pointer() != p.Pointer() || !read.Matches(p) {
			t.Errorf("%q is read as %q", p.Pointer(), read.Pointer())
		}
	})
}

// FuzzParsePath reads what nobody has written, and what it understands a second time.
func FuzzParsePath(f *testing.F) {
	for _, text := range []string{
		"spec.containers[0].image", "{.a['b\\'c'][*]}", "/a~1b/0/*", `x["\u001b"].\*`, "a..b", "['", "['\xff']", "/~2",
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
		if !p.Matches(read) {
			t.Errorf("%q is %q, which it does not match", text, p)
		}
		if again := path(t, p.Pointer()); again.Pointer() != p.Pointer() {
			t.Errorf("%q is %q, and that %q", text, p.Pointer(), again.Pointer())
		}
	})
}
