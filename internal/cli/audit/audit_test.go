package audit

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/testutil/audittest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// execute runs the command with a log.
func execute(t *testing.T, log string, args ...string) (out string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "audit.log")
	if err := os.WriteFile(path, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	cmd := New()
	cmd.SetArgs(append([]string{path}, args...))
	cmd.SetOut(&printed)
	cmd.SetErr(&bytes.Buffer{})
	cmd.SilenceUsage = true
	err = cmd.ExecuteContext(t.Context())
	return printed.String(), err
}

// fight is a log in which a webhook and an operator fight about an object. verb and body are
// those of the operator's requests.
func fight(verb, body string, of audittest.Edit, query string) *audittest.Log {
	var log audittest.Log
	const stored = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"shop","labels":{"team":"a"}},"data":{"password":"Zq7hunter2Wx"}}`
	for range 5 {
		log.Add(verb, "operator", body, of, audittest.Query(query), audittest.Answer(stored),
			audittest.Called(0, "hook", `[{"op":"add","path":"/metadata/labels/team","value":"a"}]`))
	}
	return &log
}

type requestRow struct {
	row
	verb, body, query string
	group             string
}

// TestRequest: the request of a loop is one that gatehouse run reads.
func TestRequest(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []requestRow{
		{row{"update", "the body is the object"}, "update", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"shop","labels":{}}}`, "", ""},
		{row{"merge patch", "of a custom resource"}, "patch", `{"metadata":{"labels":{"team":null}}}`, "", "example.com"},
		{row{"strategic patch", "of a built-in kind"}, "patch", `{"metadata":{"labels":{"team":null}}}`, "", ""},
		{row{"JSON patch", "it is a list"}, "patch", `[{"op":"remove","path":"/metadata/labels/team"}]`, "", ""},
		{row{"apply", "it names a manager and has a kind"}, "patch", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"shop","labels":{"team":"b"}}}`, "fieldManager=x&force=true", ""},
	}, func(t *testing.T, tc requestRow) {
		out, err := execute(t, fight(tc.verb, tc.body, audittest.Of(tc.group, "configmaps", "shop", "c"), tc.query).Text(), "-o", "json")
		if !errors.Is(err, message.ErrDenied) {
			t.Fatal(err)
		}
		var report struct {
			Loops []struct{ Request json.RawMessage }
		}
		if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Loops) != 1 {
			t.Fatalf("%v\n%s", err, out)
		}
		for d, err := range manifest.Documents("request", bytes.NewReader(report.Loops[0].Request)) {
			if err == nil {
				_, err = requestfile.Read(d)
			}
			if err != nil {
				t.Errorf("%v\n%s", err, report.Loops[0].Request)
			}
		}
	})
}

// TestSecret: the request of a loop about a Secret is not printed, nor are its values.
func TestSecret(t *testing.T) {
	t.Parallel()
	log := fight("update", `{"metadata":{"name":"c","labels":{}},"stringData":{"password":"Zq7hunter2Wx"}}`,
		audittest.Of("", "secrets", "shop", "c"), "").Text()
	for _, args := range [][]string{{"-o", "json"}, {}, {"--object", "secret/shop/c"}, {"--object", "secret/shop/c", "-o", "json"}} {
		out, err := execute(t, log, args...)
		if err != nil && !errors.Is(err, message.ErrDenied) || strings.Contains(out, "hunter2") || !strings.Contains(out, "metadata.labels.team") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}

type redactRow struct {
	row
	verb, body string
}

// TestRedact: a value at a path of --redact is in no report and no corpus, and what is in its
// place can be read.
func TestRedact(t *testing.T) {
	t.Parallel()
	const object = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"shop","labels":{}},"data":{"password":"Zq7hunter2Wx"}}`
	hidden := base64.StdEncoding.EncodeToString([]byte("[redacted]"))
	testtable.Run(t, []redactRow{
		{row{"update", "the value is in the object and the old one"}, "update", object},
		{row{"merge patch", "it has the form of the object"}, "patch", `{"metadata":{"labels":{"team":null}},"data":{"password":"Zq7hunter2Wx"}}`},
		{row{"JSON patch", "the path is in the operation"}, "patch", `[{"op":"remove","path":"/metadata/labels/team"},{"op":"replace","path":"/data/password","value":"Zq7hunter2Wx"}]`},
	}, func(t *testing.T, tc redactRow) {
		log := fight("create", object, audittest.Of("", "configmaps", "shop", "c"), "")
		more := fight(tc.verb, tc.body, audittest.Of("", "configmaps", "shop", "c"), "")
		text := log.Lines()[0] + "\n" + strings.ReplaceAll(more.Text(), `"id-`, `"more-`)
		folder := filepath.Join(t.TempDir(), "corpus")
		for _, args := range [][]string{{"-o", "json"}, {"--record", folder}, {"--object", "configmap/shop/c"}, {"--object", "configmap/shop/c", "-o", "json"}} {
			out, err := execute(t, text, append(args, "--redact", "data.password")...)
			if err != nil && !errors.Is(err, message.ErrDenied) || strings.Contains(out, "hunter2") || !strings.Contains(out, "metadata.labels.team") {
				t.Errorf("%v: %v\n%s", args, err, out)
			}
			if args[0] == "-o" && !strings.Contains(out, hidden) {
				t.Errorf("the requests of loops are missing:\n%s", out)
			}
		}
		files, err := corpus.Files(folder)
		if err != nil || len(files) != 1 {
			t.Fatalf("%q, %v", files, err)
		}
		written, err := os.ReadFile(files[0])
		if err != nil || strings.Contains(string(written), "hunter2") || !strings.Contains(string(written), hidden) {
			t.Errorf("%v\n%s", err, written)
		}
		if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
	})
}

type sinceRow struct {
	row
	value, want string
}

func TestParseSince(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)
	testtable.Run(t, []sinceRow{
		{row{"duration", "before now"}, "1h30m", "2026-11-26T08:30:00Z"},
		{row{"time", "as in the log"}, "2026-11-26T09:00:00.5+01:00", "2026-11-26T08:00:00.5Z"},
		{row{"nothing", "all events"}, "", "0001-01-01T00:00:00Z"},
		{row{"negative", "a mistake"}, "-1h", "error"},
		{row{"date", "without a time it is ambiguous"}, "2026-11-26", "error"},
	}, func(t *testing.T, tc sinceRow) {
		got := "error"
		if at, err := parseSince(tc.value, now); err == nil {
			got = at.UTC().Format(time.RFC3339Nano)
		}
		if got != tc.want {
			t.Errorf("got %s", got)
		}
	})
}

// TestNoLoop: the status is that of success.
func TestNoLoop(t *testing.T) {
	t.Parallel()
	var log audittest.Log
	log.Add("update", "ann", `{}`)
	out, err := execute(t, log.Text()+"{broken\n")
	if err != nil || !strings.Contains(out, "audit.log:2: not an event") || strings.Contains(out, "LOOP") {
		t.Errorf("%v\n%s", err, out)
	}
}
