package auditlog_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/testutil/audittest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// readAll returns the audit IDs in the order of the visits, and the stats.
func readAll(t *testing.T, in auditlog.Input) ([]string, *auditlog.Stats) {
	t.Helper()
	var ids []string
	stats, err := auditlog.Read(context.Background(), in, func(e *auditlog.Event) error {
		ids = append(ids, e.AuditID)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids, stats
}

func write(t *testing.T, folder, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// sample returns a log of updates.
func sample(n int) *audittest.Log {
	var l audittest.Log
	for range n {
		l.Add("update", "ann", `{"metadata":{"name":"web"}}`)
	}
	return &l
}

func gzipped(text string) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return out.Bytes()
}

func zstdOf(text string) []byte {
	z, _ := zstd.NewWriter(nil)
	return z.EncodeAll([]byte(text), nil)
}

func list(lines []string) string {
	return `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[` + strings.Join(lines, ",") + `]}`
}

func indented(line string) string {
	var out bytes.Buffer
	_ = json.Indent(&out, []byte(line), "", "  ")
	return out.String()
}

type form struct {
	row
	content []byte
	// broken are the positions and messages of what is no event.
	broken []string
}

// TestForms: each file has three events, whatever its form.
func TestForms(t *testing.T) {
	t.Parallel()
	log := sample(3)
	lines, text := log.Lines(), log.Text()
	const broken, other = "not an event: the JSON is broken or cut off", "not an event: it has no verb, stage or auditID"
	testtable.Run(t, []form{
		{row{"lines", "what the log backend writes"}, []byte(text), nil},
		{row{"without a last line feed", "a file that was copied"}, []byte(strings.TrimSpace(text)), nil},
		{row{"Windows", "lines end with CR LF"}, []byte(strings.ReplaceAll(text, "\n", "\r\n")), nil},
		{row{"gzip", "rotated logs"}, gzipped(text), nil},
		{row{"gzip files joined", "cat a.gz b.gz is a gzip file"}, append(gzipped(lines[0]+"\n"), gzipped(lines[1]+"\n"+lines[2])...), nil},
		{row{"zstd", "archives"}, zstdOf(text), nil},
		{row{"list", "what the webhook backend sends"}, []byte(list(lines)), nil},
		{row{"lists", "several batches"}, []byte(list(lines[:1]) + "\n" + list(lines[1:]) + "\n"), nil},
		{row{"indented", "jq ."}, []byte(indented(lines[0]) + "\n" + indented(lines[1]) + "\n" + indented(lines[2])), nil},
		{row{"indented list", "kubectl-like output"}, []byte(indented(list(lines))), nil},
		{row{"one line", "events without line feeds"}, []byte(strings.Join(lines, "")), nil},
		{row{"empty lines", "they are nothing"}, []byte("\n \n" + strings.Join(lines, "\n\n") + "\n\n"), nil},
		{row{"zeros", "a crash of the machine leaves zeros"}, []byte(text + "\x00\x00\x00"), nil},
		{
			row{"truncated", "the server was killed, and a new one appends"},
			[]byte(lines[0] + "\n" + lines[1][:100] + lines[1] + "\n" + lines[2] + "\n" + lines[2][:50]),
			[]string{"a.log:2: " + broken, "a.log:4: " + broken},
		},
		{row{"interleaved", "two servers write one file without locks"}, []byte(lines[0][:200] + lines[1][:300] + lines[0][200:] + "\n" + text), []string{"a.log:1: " + broken, "a.log:1: " + broken}},
		{row{"prefix", "a container runtime's prefix"}, []byte("2026-11-26T10:00:00Z stdout F " + lines[0] + "\n" + lines[1] + "\n" + lines[2]), []string{"a.log:1: " + broken}},
		{row{"other JSON", "not an audit log"}, []byte(`{"a":1}` + "\n" + text + `[1]` + "\n"), []string{"a.log:1: " + other, "a.log:5: " + broken}},
		{row{"other item", "a list with something else"}, []byte(list(append([]string{`{"a":1}`, `7`}, lines...))), []string{"a.log:1: not an event: an item of the list", "a.log:1: not an event: an item of the list"}},
		{row{"cut off document", "an indented event that does not end hides no other"}, []byte("{\n" + text), []string{"a.log:1: " + broken}},
		{row{"half a gzip file", "what is there is read"}, cutGzip(text), []string{"a.log:4: reading failed: unexpected EOF"}},
	}, func(t *testing.T, tc form) {
		dir := t.TempDir()
		ids, stats := readAll(t, auditlog.Input{Paths: []string{write(t, dir, "a.log", tc.content)}})
		if want := []string{"id-1", "id-2", "id-3"}; !slices.Equal(ids, want) {
			t.Errorf("got %q", ids)
		}
		var got []string
		for _, p := range stats.Problems {
			got = append(got, strings.ReplaceAll(p.String(), dir+"/", ""))
		}
		if d := cmp.Diff(tc.broken, got); d != "" || stats.Broken != len(tc.broken) {
			t.Errorf("%d problems, -want +got\n%s", stats.Broken, d)
		}
	})
}

// cutGzip returns a gzip file without its end, from which the text can still be read.
func cutGzip(text string) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = io.WriteString(z, text)
	_ = z.Flush()
	return out.Bytes()
}

// TestOrder: the events of several files, and of several servers in one file, are visited
// in the order of their times.
func TestOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		lines := sample(60).Lines()
		files := make([][]string, rapid.IntRange(1, 4).Draw(rt, "files"))
		for _, line := range lines {
			i := rapid.IntRange(0, len(files)-1).Draw(rt, "file")
			files[i] = append(files[i], line)
		}
		dir := t.TempDir()
		var paths []string
		for i, file := range files {
			for range 5 { // two servers write to the file
				if j := rapid.IntRange(0, max(len(file)-1, 0)).Draw(rt, "late"); j > 0 {
					file[j-1], file[j] = file[j], file[j-1]
				}
			}
			paths = append(paths, write(t, dir, fmt.Sprint(i), []byte(strings.Join(file, "\n"))))
		}
		ids, stats := readAll(t, auditlog.Input{Paths: paths})
		for i, id := range ids {
			if want := fmt.Sprint("id-", i+1); id != want {
				rt.Fatalf("event %d is %s", i+1, id)
			}
		}
		if len(ids) != len(lines) || stats.Late > 0 || stats.Files != len(files) {
			rt.Errorf("%d events, %+v", len(ids), stats)
		}
	})
}

func TestWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	var l audittest.Log
	l.Add("update", "ann", `{}`)
	l.Add("get", "ann", ``)
	l.Add("get", "ann", ``, audittest.Annotated("failed-open.validating.webhook.admission.k8s.io/round_0_index_0", "exec"))
	l.Add("update", "ann", `{}`)
	text := l.Text() + strings.Replace(l.Lines()[3], "ResponseComplete", "RequestReceived", 1) + "\n" +
		strings.Replace(l.Lines()[3], "ResponseComplete", "Panic", 1)
	ids, stats := readAll(t, auditlog.Input{Paths: []string{"-"}, Stdin: strings.NewReader(text),
		Since: time.Date(2026, 11, 26, 10, 0, 1, 0, time.UTC)})
	if want := []string{"id-3", "id-4", "id-4"}; !slices.Equal(ids, want) {
		t.Errorf("got %q", ids)
	}
	if stats.Events != 6 || stats.Early != 1 || stats.Reading != 1 || stats.Partial != 1 || stats.Bytes != int64(len(text)) {
		t.Errorf("got %+v", stats)
	}
}

// eventIn returns the only event of a log.
func eventIn(t *testing.T, text string) *auditlog.Event {
	t.Helper()
	var found []*auditlog.Event
	_, err := auditlog.Read(t.Context(), auditlog.Input{Paths: []string{"-"}, Stdin: strings.NewReader(text)}, func(e *auditlog.Event) error {
		found = append(found, e)
		return nil
	})
	if err != nil || len(found) != 1 {
		t.Fatalf("%d events, error %v", len(found), err)
	}
	return found[0]
}

// TestTimes: a time can be encoded, whatever its zone.
func TestTimes(t *testing.T) {
	t.Parallel()
	e := eventIn(t, strings.ReplaceAll(sample(1).Text(), `.000000Z"`, `+24:00"`))
	if _, err := json.Marshal(e.Time); err != nil || e.Time.IsZero() {
		t.Errorf("time %v, error %v", e.Time, err)
	}
}

// TestSize: the window counts all that an event has.
func TestSize(t *testing.T) {
	t.Parallel()
	e := eventIn(t, strings.ReplaceAll(sample(1).Text(), "/deployments/web", "/deployments/web?"+strings.Repeat("a", 1<<20)))
	if e.Size < 1<<20 {
		t.Errorf("size %d", e.Size)
	}
}

func TestLongLine(t *testing.T) {
	t.Parallel()
	text := sample(1).Text() + strings.Repeat("x", 33<<20) + "\n" + sample(1).Text()
	ids, stats := readAll(t, auditlog.Input{Paths: []string{"-"}, Stdin: strings.NewReader(text)})
	if len(ids) != 2 || stats.Broken != 1 || stats.Problems[0].String() != "standard input:2: the line is longer than 32 MiB" {
		t.Errorf("got %q, %+v", ids, stats)
	}
}

func TestMissingFile(t *testing.T) {
	t.Parallel()
	_, stats := readAll(t, auditlog.Input{Paths: []string{"missing.log"}})
	if stats.Broken != 1 || stats.Problems[0].String() != "missing.log: no such file or directory" {
		t.Errorf("got %+v", stats)
	}
}

// TestPipe: a pipe is read once.
func TestPipe(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		_, _ = io.WriteString(w, sample(20).Text())
		_ = w.Close()
	}()
	ids, stats := readAll(t, auditlog.Input{Paths: []string{fmt.Sprint("/dev/fd/", r.Fd())}})
	if len(ids) != 20 || stats.Broken > 0 {
		t.Errorf("got %q, %+v", ids, stats)
	}
}

// TestFollow: what comes on standard input is counted when the reading is interrupted, and
// the error of a visit ends the reading.
func TestFollow(t *testing.T) {
	t.Parallel()
	in, out := io.Pipe()
	defer in.Close()
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.WriteString(out, sample(5000).Text()) // more than the window has
	}()
	n := 0
	stats, err := auditlog.Read(ctx, auditlog.Input{Paths: []string{"-"}, Stdin: in}, func(*auditlog.Event) error {
		if n++; n == 900 {
			stop()
		}
		return nil
	})
	if err != nil || stats.Events < 900 {
		t.Errorf("%d visits, %v, %+v", n, err, stats)
	}
	wrong := errors.New("enough")
	_, err = auditlog.Read(context.Background(), auditlog.Input{Paths: []string{"-"}, Stdin: strings.NewReader(sample(3).Text())},
		func(*auditlog.Event) error { return wrong })
	if !errors.Is(err, wrong) {
		t.Errorf("got %v", err)
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := write(t, dir, "a.log", nil)
	if err := os.Mkdir(filepath.Join(dir, "b"), 0o700); err != nil {
		t.Fatal(err)
	}
	got, err := auditlog.Files([]string{dir, "-", a})
	if want := []string{a, "-", a}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := auditlog.Files([]string{filepath.Join(dir, "c")}); err == nil {
		t.Error("a missing file is no error")
	}
}

// FuzzLines: no line panics, and a good one after it is read.
func FuzzLines(f *testing.F) {
	good := sample(1).Text()
	for _, seed := range []string{good, good[:200], list([]string{good}), indented(good), `{"verb":"update","stage":"ResponseComplete","auditID":"","annotations":{"patch.webhook.admission.k8s.io/round_0_index_0":"{"}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, begin := range [][]byte{gzipped("")[:2], zstdOf("")[:4]} {
			if bytes.HasPrefix(line, begin) {
				return
			}
		}
		ids := 0
		text := string(line) + "\n" + good
		_, err := auditlog.Read(context.Background(), auditlog.Input{Paths: []string{"-"}, Stdin: strings.NewReader(text)}, func(e *auditlog.Event) error {
			e.Manager()
			e.Name()
			if ids++; e.AuditID == "id-1" {
				ids += 1 << 20
			}
			return nil
		})
		if err != nil || ids < 1<<20 {
			t.Errorf("%v, %d", err, ids)
		}
	})
}
