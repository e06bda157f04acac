package cli

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/cli/program"
	"example.com/gatehouse/internal/testutil/replaytest"
	"example.com/gatehouse/internal/testutil/reviewtest"
)

// recordedCluster is a cluster with a corpus.
type recordedCluster struct {
	folder, corpus, manifests string
}

// newRecordedCluster records n requests with four webhooks, of which the last denies some,
// and four policies: every replay compiles them.
func newRecordedCluster(t *testing.T, n int) *recordedCluster {
	t.Helper()
	folder := t.TempDir()
	c := &recordedCluster{folder, filepath.Join(folder, "corpus"), filepath.Join(folder, "config", "cluster.yaml")}
	const documents = 3 * 4 // a webhook, a policy and a binding of each
	manifests := strings.Join(strings.Split(replaytest.Manifests(4), "---\n")[:documents], "---\n")
	if err := os.Mkdir(filepath.Dir(c.manifests), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.manifests, []byte(manifests), 0o600); err != nil {
		t.Fatal(err)
	}
	entries, err := replaytest.Entries(t.Context(), manifests, n)
	if err != nil {
		t.Fatal(err)
	}
	w, err := corpus.Create(c.corpus)
	if err != nil {
		t.Fatal(err)
	}
	for e := range entries {
		if err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *recordedCluster) path(name string) string { return filepath.Join(c.folder, name) }

// run runs a command in this process and returns its output.
func (c *recordedCluster) run(t *testing.T, status int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, said bytes.Buffer
	if got := execute(t.Context(), args, strings.NewReader(""), &out, &said); got != status {
		t.Fatalf("%v: exit status %d, want %d\n%s", args, got, status, said.String())
	}
	return out.String(), said.String()
}

// replay replays a shard into a folder.
func (c *recordedCluster) replay(t *testing.T, status int, results string, args ...string) (stdout, stderr string) {
	t.Helper()
	return c.run(t, status, append([]string{
		"replay", c.corpus, "-f", c.manifests, "--answers=recorded", "-o", c.path(results),
	}, args...)...)
}

// merged merges a folder and returns the file and the summary.
func (c *recordedCluster) merged(t *testing.T, results string) (file, summary string) {
	t.Helper()
	output := c.path(results + ".jsonl")
	summary, _ = c.run(t, 0, "merge", c.path(results), "-o", output, "--summary=json")
	text, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), summary
}

// killed is the shard of the example that is killed.
const killed = 3

// TestReplayJob runs the shards of the example as processes with the environment of
// its pods. One is killed half way, and started again.
func TestReplayJob(t *testing.T) {
	t.Parallel()
	c := newRecordedCluster(t, 160)
	c.replay(t, 0, "whole")
	want, _ := c.merged(t, "whole")
	job := readJob(t)
	hook := newKiller(t)
	c.kill(t, c.pod(t, job, killed, hook), hook)
	for i := range int(*job.Spec.Completions) {
		if out, err := c.pod(t, job, i, hook).CombinedOutput(); err != nil {
			t.Fatalf("shard %d: %v\n%s", i, err, out)
		}
	}
	if got, _ := c.merged(t, "results"); got != want {
		t.Error("the shards of the Job have other results than one replay")
	}
}

func readJob(t *testing.T) *batchv1.Job {
	t.Helper()
	text, err := os.ReadFile("../../examples/replay-job/job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	job := &batchv1.Job{}
	if err := yaml.UnmarshalStrict(text, job); err != nil {
		t.Fatal(err)
	}
	return job
}

// pod returns the command of a pod of the Job, with the folders of its volumes, that
// calls the killer.
func (c *recordedCluster) pod(t *testing.T, job *batchv1.Job, index int, hook *killer) *exec.Cmd {
	t.Helper()
	container := job.Spec.Template.Spec.Containers[0]
	volumes := strings.NewReplacer("/corpus", c.corpus, "/config", filepath.Dir(c.manifests),
		"/results", c.path("results"))
	var args []string
	for _, arg := range container.Args {
		args = append(args, volumes.Replace(arg))
	}
	cmd := exec.CommandContext(t.Context(), "gatehouse", args...)
	cmd.Env = append(os.Environ(), "JOB_COMPLETION_INDEX="+strconv.Itoa(index))
	for _, v := range container.Env {
		cmd.Env = append(cmd.Env, v.Name+"="+v.Value)
	}
	ca := c.path("ca.crt")
	if err := os.WriteFile(ca, hook.ca, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd.Args = append(cmd.Args, "--parallel=1", "--ca-file="+ca,
		"--resolve=hook-01.webhooks.svc:443:"+hook.Listener.Addr().String())
	return cmd
}

// killer is a webhook that never answers its fourth request.
type killer struct {
	*httptest.Server
	ca []byte
	// reached is closed by the fourth request, which ends when killed is.
	reached, killed chan struct{}
}

func newKiller(t *testing.T) *killer {
	t.Helper()
	authority, err := certs.NewAuthority("killer")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := authority.Server("hook-01.webhooks.svc")
	if err != nil {
		t.Fatal(err)
	}
	k := &killer{ca: authority.Bundle(), reached: make(chan struct{}), killed: make(chan struct{})}
	var calls atomic.Int32
	allow := reviewtest.Answer(func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		return &admissionv1.AdmissionResponse{Allowed: true}
	})
	k.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 4 {
			close(k.reached)
			<-k.killed
			return
		}
		allow.ServeHTTP(w, r)
	}))
	k.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	k.StartTLS()
	t.Cleanup(k.Close)
	return k
}

// kill starts a pod, and kills it when the killer has its fourth request. Three
// results are written then.
func (c *recordedCluster) kill(t *testing.T, cmd *exec.Cmd, hook *killer) {
	t.Helper()
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-hook.reached:
	case err := <-ended:
		t.Fatalf("the shard ended: %v\n%s", err, said.String())
	}
	name := filepath.Join(c.path("results"), fmt.Sprintf("results-%d-of-8.jsonl", killed))
	if lines := linesIn(t, name); lines != 1+3 {
		t.Errorf("%d lines are written, want a header and three results", lines)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
	close(hook.killed)
}

func linesIn(t *testing.T, name string) (lines int) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for in := bufio.NewReader(file); ; lines++ {
		if _, err := in.ReadString('\n'); errors.Is(err, io.EOF) {
			return lines
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestReplayBroken: a line that is not readable is named, with --broken skip the rest
// is used, and the replay before it goes on from there.
func TestReplayBroken(t *testing.T) {
	t.Parallel()
	c := newRecordedCluster(t, 6)
	files, err := corpus.Files(c.corpus)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	lines[2] = "{\"not\":\"an entry\"}\n"
	lines[5] = lines[5][:len(lines[5])/2] // cut off
	if err := os.WriteFile(files[0], []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	_, said := c.replay(t, program.BadInput, "results")
	if !strings.Contains(said, files[0]+":3: ") || !strings.Contains(said, "--broken skip") {
		t.Errorf("the line is not named:\n%s", said)
	}
	out, said := c.replay(t, 0, "results", "--broken=skip")
	for _, want := range []string{"continuing after 2 results", files[0] + ":3: ", files[0] + ":6: "} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said:\n%s", want, said)
		}
	}
	if !strings.Contains(out, "4 requests: 4 allowed, 0 denied\n2 lines of the corpus could not be read") {
		t.Errorf("summary:\n%s", out)
	}
	if _, said := c.replay(t, 0, "results"); !strings.Contains(said, "shard 0/1 is already complete") {
		t.Errorf("a finished replay is repeated:\n%s", said)
	}
}

// TestReplayRefuses other inputs for results that were begun.
func TestReplayRefuses(t *testing.T) {
	t.Parallel()
	c := newRecordedCluster(t, 3)
	c.replay(t, 0, "results")
	_, said := c.replay(t, program.BadInput, "results", "--namespaces=recorded")
	if !strings.Contains(said, "the results of other configurations or flags") {
		t.Error(said)
	}
	w, err := corpus.Create(c.corpus) // another file with the same requests
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range corpus.Read(c.corpus) {
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(e); err != nil {
			t.Fatal(err)
		}
		break
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, said := c.replay(t, program.BadInput, "results"); !strings.Contains(said, "the results of another corpus") {
		t.Error(said)
	}
	c.replay(t, 0, "twice")
	_, said = c.run(t, program.BadInput, "merge", c.path("twice"), "-o", c.path("all.jsonl"))
	if !strings.Contains(said, "requests with the same ID") {
		t.Error(said)
	}
	for _, args := range [][]string{
		{"replay", "-o", "x"}, {"replay", "x"}, {"replay", "x", "-o", "y", "--answers=maybe"},
		{"replay", "x", "-o", "y", "--shard=2/2"}, {"replay", "x", "-o", "y", "--broken=fix"},
		{"replay", "x", "-o", "y", "--parallel=0"}, {"replay", "x", "-o", "y", "--summary=xml"},
		{"merge"}, {"merge", "x"}, {"merge", "x", "-o", "y", "--duplicates=drop"},
	} {
		if _, said := c.run(t, program.BadInput, args...); strings.Count(said, "\n") > 3 {
			t.Errorf("%v: %s", args, said)
		}
	}
}

// TestReplayPaths: a path that cannot be read or written is a mistake of the caller.
func TestReplayPaths(t *testing.T) {
	t.Parallel()
	c := newRecordedCluster(t, 1)
	_, said := c.replay(t, program.BadInput, filepath.Join("config", "cluster.yaml"))
	if want := c.manifests + ": cannot be a folder for results: not a directory"; !strings.Contains(said, want) {
		t.Errorf("got %s, want %s", said, want)
	}
	c.replay(t, 0, "results")
	none := c.path("none")
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"merge", c.path("results"), "-o", none + "/all.jsonl"}, none + "/all.jsonl: no folder can be created beside it: "},
		{[]string{"merge", none, "-o", c.path("all.jsonl")}, none + ": cannot be read: "},
		{[]string{"replay", none, "-f", c.manifests, "-o", c.path("results")}, none + ": cannot be read: "},
		{[]string{"diff", "--before", c.manifests, "--after", c.manifests, none}, none + ": cannot be read: "},
		{[]string{"corpus", none}, none + ": cannot be read: "},
	} {
		if _, said := c.run(t, program.BadInput, tc.args...); !strings.Contains(said, tc.want) {
			t.Errorf("%s says %s, want %s", tc.args[0], said, tc.want)
		}
	}
}

// TestReplayJobIsValid: an API server would create the Jobs.
func TestReplayJobIsValid(t *testing.T) {
	t.Parallel()
	c := &recordedCluster{}
	out, _ := c.run(t, 0, "run", "../../examples/replay-job")
	if !strings.Contains(out, "jobs.batch/replay") || !strings.Contains(out, "jobs.batch/merge") {
		t.Error(out)
	}
}
