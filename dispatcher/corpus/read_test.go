package corpus_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/testutil/testtable"
)

// line is an entry with an ID.
func line(id string) string {
	return fmt.Sprintf(`{"apiVersion":"gatehouse/v1alpha1","kind":"RecordedRequest","id":%q,"source":"run","review":{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{}}}`, id) + "\n"
}

func compressed(text string) string {
	e, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	return string(e.EncodeAll([]byte(text), nil))
}

// outline has the IDs and errors that Read returns, without the folder.
func outline(folder string, paths ...string) string {
	var all []string
	for e, err := range corpus.Read(paths...) {
		if err != nil {
			all = append(all, strings.ReplaceAll(err.Error(), folder+"/", ""))
		} else {
			all = append(all, e.ID)
		}
	}
	return strings.Join(all, "\n")
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

type readCase struct {
	row
	files map[string]string
	want  string
}

// TestRead reads folders.
func TestRead(t *testing.T) {
	t.Parallel()
	two := compressed(line("1")) + compressed(line("2"))
	broken := []byte(two)
	broken[len(broken)-1] ^= 0xff
	testtable.Run(t, []readCase{
		{row{"order", "the files are sorted by their names"}, map[string]string{"b.jsonl": line("3"), "a.jsonl": line("1") + line("2"), "c/a.jsonl": line("4")}, "1\n2\n3\n4"},
		{row{"compressed", "a file may have several frames"}, map[string]string{"a.jsonl.zst": two}, "1\n2"},
		{row{"wrong ending", "zstd is known by its first bytes"}, map[string]string{"a.jsonl": two, "b.jsonl.zst": line("3")}, "1\n2\n3"},
		{row{"others", "what is not a file of a corpus is left out"}, map[string]string{"a.jsonl": line("1"), "README": "x", ".b.jsonl": line("2"), ".c/d.jsonl": line("3"), "e.json": line("4")}, "1"},
		{row{"empty", "a file may not have an entry yet"}, map[string]string{"a.jsonl": "", "b.jsonl.zst": ""}, ""},
		{row{"no files", "the path may be wrong"}, map[string]string{"README": "x"}, ".: holds no *.jsonl and no *.jsonl.zst"},
		{row{"broken line", "the next line is read"}, map[string]string{"a.jsonl": "{]\n" + line("2") + "\n" + line("4")},
			"a.jsonl:1: the line is not an entry: invalid character ']' looking for beginning of object key string\n2\na.jsonl:3: the line is empty\n4"},
		{row{"no end", "the last line may lack its line break"}, map[string]string{"a.jsonl": strings.TrimSpace(line("1"))}, "1"},
		{row{"cut off", "a program was killed while it wrote"}, map[string]string{"a.jsonl": line("1") + line("2")[:50], "b.jsonl": line("3")}, "1\na.jsonl:2: the line is cut off: unexpected EOF\n3"},
		{row{"frame cut off", "a program was killed while it wrote"}, map[string]string{"a.jsonl.zst": two[:len(two)-3], "b.jsonl": line("3")},
			"1\na.jsonl.zst:2: the file is cut off here: its compression has no end: unexpected EOF\n3"},
		{row{"frame broken", "the checksum shows it"}, map[string]string{"a.jsonl.zst": string(broken), "b.jsonl": line("3")},
			"1\na.jsonl.zst:2: the compression is broken; the rest of the file is not read: CRC check failed\n3"},
		{row{"long line", "the next line is read"}, map[string]string{"a.jsonl": strings.Repeat("x", 33<<20) + "\n" + line("2")}, "a.jsonl:1: the line is longer than 32 MiB\n2"},
		{row{"bomb", "a line without an end is given up"}, map[string]string{"a.jsonl.zst": compressed(line("1")) + bomb(257<<20), "b.jsonl": line("3")},
			"1\na.jsonl.zst:2: the line is longer than 256 MiB; the rest of the file is not read\n3"},
	}, func(t *testing.T, tc readCase) {
		folder := t.TempDir()
		for name, text := range tc.files {
			write(t, filepath.Join(folder, name), text)
		}
		if diff := cmp.Diff(strings.ReplaceAll(tc.want, ".: ", folder+": "), outline(folder, folder)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// bomb is a small file that decompresses to many spaces.
func bomb(size int64) string {
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, zstd.WithWindowSize(1<<20))
	if err == nil {
		_, err = io.CopyN(w, spaces{}, size)
	}
	if err != nil || w.Close() != nil {
		panic(err)
	}
	return out.String()
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// TestReadWindow requires that a frame cannot demand any memory.
func TestReadWindow(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, zstd.WithWindowSize(64<<20), zstd.WithSingleSegment(false))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(w, strings.NewReader(strings.Repeat(line("1"), 10000))); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	write(t, folder+"/a.jsonl.zst", out.String())
	const want = "a.jsonl.zst:1: the compression is broken; the rest of the file is not read: window size exceeded"
	if got := outline(folder, folder); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestReadLinks follows links, as those of mounted volumes, and opens no pipe.
func TestReadLinks(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, folder+"/corpus/..data/a.jsonl", line("1"))
	for link, to := range map[string]string{"corpus/a.jsonl": "..data/a.jsonl", "to": "corpus", "corpus/loop.jsonl": ".", "corpus/null.jsonl": os.DevNull} {
		if err := os.Symlink(to, filepath.Join(folder, link)); err != nil {
			t.Fatal(err)
		}
	}
	if got := outline(folder, folder+"/to"); got != "1" {
		t.Errorf("got %q, want 1", got)
	}
	if err := os.Symlink("none", folder+"/corpus/none.jsonl"); err != nil {
		t.Fatal(err)
	}
	if got, want := outline(folder, folder+"/to", folder+"/to/a.jsonl"), "1\nopen to/none.jsonl: no such file or directory"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestReadPositions says where each entry is.
func TestReadPositions(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, folder+"/a.jsonl", line("1")+"\n"+line("3"))
	var got []string
	for e, err := range corpus.ReadPositions(folder+"/a.jsonl", folder+"/none") {
		if err == nil {
			got = append(got, e.ID+" at "+strings.TrimPrefix(e.Position.String(), folder))
		}
	}
	if diff := cmp.Diff([]string{"1 at /a.jsonl:1", "3 at /a.jsonl:3"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestReadPart requires that parts return together what Read returns, whatever the lines
// are: each entry in the part of its ID.
func TestReadPart(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, folder+"/a.jsonl", oddLines())
	write(t, folder+"/b.jsonl.zst", compressed(line("x"))+compressed(line("y"))[:40])
	for _, count := range []int{1, 2, 7, 64} {
		testParts(t, count, folder)
	}
}

// oddLines are lines whose IDs are in unusual places, unusual or broken.
func oddLines() (all string) {
	for i, old := range []string{"", "{", "}", `"id"`, `"run"`, `"review":`, "kind"} {
		for j, with := range []string{
			"", " ", "\n", `{`, `"`, `\`, `"id":"a",`, `"id":null,`, `{"id":"b"}`, `"\u0069d":"c",`, `"ID"`, "\x00", "\xff",
		} {
			id := fmt.Sprintf("%d-%d", i, j)
			all += strings.Replace(line(id), old, with, 1) + strings.Replace(line(id+"y"), old, old+with, 1) +
				strings.Replace(line(id+"z"), old, with+old, 1)
		}
	}
	return all + line("é") + line("a\nb") + line("\xff") + line("z")[:60]
}

// testParts reads all parts, of which each has the IDs with a length.
func testParts(t *testing.T, count int, path string) {
	t.Helper()
	want, got := map[string]int{}, map[string]int{}
	values := 0
	for e, err := range corpus.ReadPositions(path) {
		values++
		want[shown(e, err)]++
	}
	for part := range count {
		seen := 0
		has := func(id string) bool { return len(id)%count == part }
		for e, err := range corpus.ReadPart(has, path) {
			seen++
			if err == nil && e.Entry == nil {
				continue
			}
			got[shown(e, err)]++
			if err == nil && !has(e.ID) {
				t.Errorf("part %d of %d has %q", part, count, e.ID)
			}
		}
		if seen != values {
			t.Errorf("part %d of %d has %d values, want %d", part, count, seen, values)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%d parts (-want +got):\n%s", count, diff)
	}
}

func shown(e *corpus.Positioned, err error) string {
	if err != nil {
		return err.Error()
	}
	return e.ID + " at " + e.Position.String()
}

type validateCase struct {
	row
	old, new, want string
}

// TestValidate names the field that is wrong.
func TestValidate(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []validateCase{
		{row{"version", "a later program wrote it"}, "v1alpha1", "v2", `apiVersion: "gatehouse/v2" is not known, want gatehouse/v1alpha1`},
		{row{"kind", "another document"}, "RecordedRequest", "Plan", `kind: "Plan" is not RecordedRequest`},
		{row{"no id", "results name requests by it"}, `"id":"1",`, "", "id: required"},
		{row{"no source", "it says what may be missing"}, `"source":"run",`, "", "source: required"},
		{row{"no review", "there is no request"}, `"review"`, `"other"`, "review: required"},
		{row{"null", "there is no request"}, `"review":{`, `"review":null,"x":{`, "review: required"},
		{row{"review", "the type is wrong"}, `"review":{`, `"review":[],"x":{`, "review: json: cannot unmarshal array into Go value of type struct { v1.TypeMeta; Request json.RawMessage \"json:\\\"request\\\"\" }"},
		{row{"other version", "webhooks logged it"}, "k8s.io/v1", "k8s.io/v1beta1", `review: want AdmissionReview of admission.k8s.io/v1, not "AdmissionReview" of "admission.k8s.io/v1beta1"`},
		{row{"no request", "it is only the response"}, `"request":{}`, `"response":{}`, "review: request: required"},
		{row{"phase", "there are two"}, `"source"`, `"answers":[{"phase":"x"}],"source"`, `answers[0].phase: "x" is not mutating or validating`},
		{row{"webhook", "required"}, `"source"`, `"answers":[{"phase":"mutating"}],"source"`, `answers[0].webhook: required`},
		{row{"outcome", "required"}, `"source"`, `"answers":[{"phase":"mutating","webhook":"w"}],"source"`, `answers[0].outcome: required`},
		{row{"round", "there are two"}, `"source"`, `"answers":[{"phase":"mutating","webhook":"w","outcome":"allowed","round":2}],"source"`, `answers[0].round: 2 is not 0 or 1`},
		{row{"status", "it contradicts"}, `"source"`, `"verdict":{"allowed":true,"status":{}},"source"`, `verdict.status: a request that is allowed has none`},
		{row{"pointer", "it leads nowhere"}, `"source"`, `"redacted":["a"],"source"`, `redacted[0]: "a" is not a JSON pointer`},
		{row{"type", "the decoder names it"}, `"id":"1"`, `"id":1`, `the line is not an entry: json: cannot unmarshal number into Go struct field Entry.id of type string`},
		{row{"unknown field", "a later program may write it"}, `"source"`, `"later":1,"source"`, ""},
	}, func(t *testing.T, tc validateCase) {
		folder := t.TempDir()
		text := strings.Replace(line("1"), tc.old, tc.new, 1)
		write(t, folder+"/a.jsonl", text)
		want := "1"
		if tc.want != "" {
			want = "a.jsonl:1: " + tc.want
		}
		if diff := cmp.Diff(want, outline(folder, folder)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// FuzzRead requires that no file makes Read fail in another way than by errors
// that name the lines.
func FuzzRead(f *testing.F) {
	f.Add([]byte(line("1") + line("2")))
	f.Add([]byte(compressed(line("1")) + compressed(line("2"))))
	f.Add([]byte("{\n\n\x28\xb5\x2f\xfd"))
	f.Add([]byte(strings.Replace(line("1"), `"request":{}`, `"request":{"kind":{"kind":"Secret"},"object":{"data":{"a":"aHVudGVyMg=="}}}`, 1)))
	f.Fuzz(func(t *testing.T, text []byte) {
		file := t.TempDir() + "/a.jsonl"
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		testParts(t, 3, file)
		last := 0
		for e, err := range corpus.ReadPositions(file) {
			if err != nil {
				if !strings.HasPrefix(err.Error(), file+":") {
					t.Fatalf("the error names no line: %v", err)
				}
				continue
			}
			if e.Line <= last {
				t.Fatalf("line %d follows line %d", e.Line, last)
			}
			last = e.Line
			e.Redact()
			if err := e.Validate(); err != nil {
				t.Fatalf("redacted, it is no entry any more: %v", err)
			}
		}
	})
}
