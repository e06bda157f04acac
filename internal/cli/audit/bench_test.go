package audit

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/loops"
	"example.com/gatehouse/internal/auditlog/tally"
	"example.com/gatehouse/internal/testutil/audittest"
)

// generated is a log of a number of objects, each created and changed by a webhook, among
// requests that only read.
type generated struct {
	objects, next int
	size          int64
	templates     [][2]string
	rest          []byte
}

func newGenerated(objects int) *generated {
	env := strings.Repeat(`{"name":"SOME_VARIABLE","value":"some value of usual length"},`, 20)
	body := `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","labels":{"a":"b"}},"spec":{"template":{"spec":{"containers":[{"name":"web","env":[` + strings.TrimSuffix(env, ",") + `]}]}}}}`
	patch := `[{"op":"add","path":"/metadata/labels/team","value":"a"},{"op":"add","path":"/metadata/annotations/b","value":"c"}]`
	object := audittest.Of("apps", "deployments", "shop", "NAME")
	var l audittest.Log
	l.Add("get", "ann", ``, object)
	l.Add("create", "ann", body, object, audittest.Called(0, "hook", patch), audittest.Called(1, "other", ""))
	l.Add("list", "controller", ``, object)
	l.Add("update", "controller", body, object, audittest.Called(0, "hook", patch))
	l.Add("patch", "node", `{"status":{"conditions":[{"type":"Ready","status":"True"}]}}`, object, audittest.Answer(body), audittest.Subresource("status"))
	g := &generated{objects: objects}
	for _, line := range l.Lines() {
		before, after, _ := strings.Cut(line, "NAME")
		g.templates = append(g.templates, [2]string{before, after})
	}
	return g
}

// Read returns the next part of the log.
func (g *generated) Read(p []byte) (int, error) {
	if len(g.rest) == 0 {
		if g.next == g.objects {
			return 0, io.EOF
		}
		g.next++
		for _, t := range g.templates {
			g.rest = fmt.Appendf(g.rest, "%sweb-%d%s\n", t[0], g.next, t[1])
		}
	}
	n := copy(p, g.rest)
	g.size += int64(n)
	g.rest = g.rest[n:]
	if len(g.rest) == 0 {
		g.rest = g.rest[:0]
	}
	return n, nil
}

func read(b *testing.B, r io.Reader) {
	t, f := tally.New(), loops.New(loops.Config{})
	stats, err := auditlog.Read(context.Background(), auditlog.Input{Paths: []string{"-"}, Stdin: r}, func(e *auditlog.Event) error {
		t.Add(e)
		f.Add(e)
		return nil
	})
	if err != nil || stats.Broken > 0 {
		b.Fatal(err, stats.Problems)
	}
}

// BenchmarkReport reads a log of 10,000 objects.
func BenchmarkReport(b *testing.B) {
	text, err := io.ReadAll(newGenerated(10000))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		read(b, bytes.NewReader(text))
	}
}

// BenchmarkMillion makes the page of a log of 1,000,000 objects, and reports the memory.
func BenchmarkMillion(b *testing.B) {
	for b.Loop() {
		g := newGenerated(1000000)
		cmd := New()
		cmd.SetArgs([]string{"-", "-o", "html"})
		cmd.SetIn(g)
		cmd.SetOut(io.Discard)
		if err := cmd.ExecuteContext(b.Context()); err != nil {
			b.Fatal(err)
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.SetBytes(g.size)
		b.ReportMetric(float64(m.Sys)/(1<<20), "MiB-sys")
	}
}
