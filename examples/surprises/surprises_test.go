package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/gatehouse/internal/testutil/process"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var update = flag.Bool("update", false, "rewrite what the pages show, except for blocks with dots")

// limit is the timeout of a command. Most of them take a second.
const limit = 2 * time.Minute

// pages maps the files with commands to the folders in which the commands run.
func pages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{"../../docs/dispatch.md": "../dispatch"}
	folders, err := filepath.Glob("[0-9]-*")
	if err != nil || len(folders) != 8 {
		t.Fatalf("there are %d surprises, want 8: %v", len(folders), err)
	}
	for _, folder := range folders {
		all[filepath.Join(folder, "README.md")] = folder
	}
	return all
}

// TestPages runs the commands of each page, and compares their output with the
// page.
func TestPages(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for file, folder := range pages(t) {
		t.Run(strings.ReplaceAll(strings.TrimPrefix(file, "../../"), "/", "_"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			checkLinks(t, file, string(text))
			s.play(t, file, folder, string(text))
		})
	}
}

var links = regexp.MustCompile(`\]\(([^):#]+)\)`)

// checkLinks checks that the links of a page lead to existing files.
func checkLinks(t *testing.T, file, page string) {
	t.Helper()
	for _, link := range links.FindAllStringSubmatch(page, -1) {
		if _, err := os.Stat(filepath.Join(filepath.Dir(file), link[1])); err != nil {
			t.Errorf("%s has a link that leads nowhere: %v", file, err)
		}
	}
}

// TestOverview checks that the overview links to every surprise.
func TestOverview(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	checkLinks(t, "README.md", string(text))
	for file := range pages(t) {
		if link := "(" + filepath.ToSlash(file) + ")"; !strings.HasPrefix(file, "..") && !strings.Contains(string(text), link) {
			t.Errorf("README.md has no link %s", link)
		}
	}
}

// TestNoReview sends malformed reviews.
func TestNoReview(t *testing.T) {
	t.Parallel()
	for path, body := range map[string]string{"/allow": "", "/deny": "{}", "/count": `{"request":{"object":[]}}`} {
		answer := httptest.NewRecorder()
		handler().ServeHTTP(answer, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
		if answer.Code != http.StatusBadRequest {
			t.Errorf("%s answers %q with %d %s, want 400", path, body, answer.Code, answer.Body)
		}
	}
}

// stage is the environment in which the commands run.
type stage struct {
	// gatehouse is the path of the command.
	gatehouse string
	// caFile and address belong to the server of the webhooks.
	caFile, address string
}

// newStage builds the command, and serves the webhooks until the test ends.
func newStage(t *testing.T) *stage {
	t.Helper()
	folder := t.TempDir()
	binary, err := process.Build(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	server, bundle, err := newServer()
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{gatehouse: binary, caFile: filepath.Join(folder, "ca.crt")}
	if err := os.WriteFile(s.caFile, bundle, 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.address = listener.Addr().String()
	served := make(chan error, 1)
	go func() { served <- server.ServeTLS(listener, "", "") }()
	t.Cleanup(func() {
		closed := server.Close()
		if err := <-served; closed != nil || !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("serving the webhooks: %v, %v", closed, err)
		}
	})
	return s
}

// play runs the commands of a page, except the one that serves the webhooks,
// because newStage serves them.
func (s *stage) play(t *testing.T, file, folder, page string) {
	t.Helper()
	var outputs []string
	played, rewritten := 0, false
	for _, c := range consoles(t, page) {
		outputs = append(outputs, c.output)
		if strings.HasPrefix(c.command, "go run ..") && strings.Contains(c.command, "--ca-file") {
			continue
		}
		printed := s.run(t, folder, strings.Fields(c.command))
		played++
		switch {
		case c.shows(printed):
		case *update && !strings.Contains(c.output, "...\n"):
			outputs[len(outputs)-1], rewritten = strings.ReplaceAll(printed, s.address, "127.0.0.1:9443"), true
		default:
			t.Errorf("%s:%d: it prints\n%s\nwhich is not what is shown:\n%s", file, c.line, printed, c.output)
		}
	}
	if played == 0 {
		t.Errorf("%s shows no command that could be run", file)
	}
	if rewritten {
		if err := rewrite(file, page, outputs); err != nil {
			t.Error(err)
		}
	}
}

// run runs a command in a folder and returns its output, stdout and stderr
// together. It accepts exit status 1, a denial; a higher one is a mistake in
// the page.
func (s *stage) run(t *testing.T, folder string, args []string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	if args[0] == "gatehouse" {
		args[0] = s.gatehouse
		if at := slices.Index(args, "--ca-file"); at >= 0 && at+1 < len(args) {
			args[at+1] = s.caFile
			args = append(args, "--resolve", "127.0.0.1:9443:"+s.address)
		}
	}
	for i, arg := range args {
		args[i] = strings.Trim(arg, "'")
	}
	command := exec.CommandContext(ctx, args[0], args[1:]...)
	command.Dir = folder
	printed, err := command.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, printed)
	}
	return string(printed)
}

// TestRun starts the program, waits until it serves, and stops it.
func TestRun(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	caFile := filepath.Join(t.TempDir(), "ca.crt")
	said := &firstWrite{done: make(chan struct{})}
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, "127.0.0.1:0", caFile, said) }()
	select {
	case <-said.done:
	case err := <-ended:
		t.Fatalf("it ended at once: %v", err)
	}
	if _, err := os.Stat(caFile); err != nil {
		t.Errorf("there is no certificate: %v", err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
	if _, err := os.Stat(caFile); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the certificate is still there: %v", err)
	}
}

// firstWrite closes a channel at the first write.
type firstWrite struct{ done chan struct{} }

func (f *firstWrite) Write(b []byte) (int, error) {
	close(f.done)
	return len(b), nil
}

// TestShows pins the comparison: dots stand for lines, and for nothing else.
func TestShows(t *testing.T) {
	t.Parallel()
	const printed = "a: admitted\n├─ one in 1.5ms\n│  └─ wait 3µs\n└─ two\n"
	for shown, want := range map[string]bool{
		printed: true,
		"a: admitted\n├─ one in 99s\n│  └─ wait 1s\n└─ two\n":   true,
		"a: admitted\n├─ ...\n└─ two\n":                         true,
		"a: admitted\n...\n":                                    true,
		"a: admitted\n├─ ...\n":                                 true,
		"a: admitted\n├─ one in 99s\n│  └─ wait 1s\n":           false,
		"a: admitted\n├─ other in 99s\n...\n":                   false,
		"...\n└─ three\n":                                       false,
		"a: admitted\n├─ one in 99s\n│  └─ something\n└─ two\n": false,
		"": false,
	} {
		if got := (console{output: shown}).shows(printed); got != want {
			t.Errorf("%s is compared as %v, want %v", fmt.Sprintf("%q", shown), got, want)
		}
	}
}
