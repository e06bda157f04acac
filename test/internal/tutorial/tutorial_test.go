package tutorial

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/testenv"
)

// binary is the built command.
var binary string

func TestMain(m *testing.M) { os.Exit(process.Run(context.Background(), m, &binary)) }

var (
	// fences are the blocks of the page. The line before may name the file that a block is.
	fences = regexp.MustCompile("(?ms)(?:^([^\n]*)\n\n)?^```(\\w+)\n(.*?)^```$")
	fileIn = regexp.MustCompile("`([^`]+)`:$")
)

// TestEmbedding follows the tutorial, on ports that are free.
func TestEmbedding(t *testing.T) {
	for _, program := range []string{"kubectl", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			testenv.Missing(t, err)
		}
	}
	text, err := os.ReadFile("../../../docs/tutorials/embedding.md")
	if err != nil {
		t.Fatal(err)
	}
	repository, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	fetchGraph(t, repository)
	first, second := freePorts(t)
	page := strings.NewReplacer("../gatehouse", repository, "8443", first, "9443", second).
		Replace(string(text))
	folder := t.TempDir()
	s := startShell(t, folder)
	for _, block := range fences.FindAllStringSubmatch(page, -1) {
		file := fileIn.FindStringSubmatch(block[1])
		switch {
		case block[2] == "console":
			for example := range strings.SplitSeq(strings.TrimPrefix(block[3], "$ "), "\n$ ") {
				command, shown, _ := strings.Cut(strings.TrimSpace(example), "\n")
				s.run(t, command, shown)
			}
		case file != nil:
			write(t, filepath.Join(folder, file[1]), block[3])
		}
	}
	if s.commands < 15 {
		t.Errorf("the page has %d commands, and more are expected", s.commands)
	}
}

// fetchGraph fetches the go.mod files of all modules that a module depends on, if the cache
// lacks them. go get reads them, and the builds before it do not.
func fetchGraph(t *testing.T, module string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "go", "list", "-m", "all")
	c.Dir = module
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", c, err, out)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// patience is the time in which a command has to print what the page shows.
const patience = 2 * time.Minute

// varying is what differs from run to run, with what stands for it.
var varying = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`(?m)^[IWE]\d{4} [0-9:.]+ +\d+ (\w+\.go):\d+\]`), "$1]"},
	{regexp.MustCompile(`\b\d{4}[-/]\d\d[-/]\d\d[T ][0-9:]+Z?`), "DATE"},
	{regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`), "UID"},
	{regexp.MustCompile(`ready on https://127\.0\.0\.1:\d+`), "ready on ADDRESS"},
	{regexp.MustCompile(`\b[0-9.]+(µs|ms|s)(\n|,)`), "TIME$2"},
	{regexp.MustCompile(`TLS_[A-Z0-9_]+`), "CIPHER"},
	// A request that comes before the change that the page makes is counted, too.
	{regexp.MustCompile(`(?m)^(apiserver_\w+\{.*\}) \d+$`), "$1 COUNT"},
}

func steady(text string) string {
	for _, v := range varying {
		text = v.pattern.ReplaceAllString(text, v.with)
	}
	return text
}

// matches reports whether a command has printed what the page shows, on which a line with …
// stands for any lines.
func matches(printed, shown string) bool {
	pattern := regexp.QuoteMeta(steady(shown + "\n"))
	pattern = regexp.MustCompile(`(?m)^…\n`).ReplaceAllString(pattern, `(?s:.*)`)
	return regexp.MustCompile("^" + pattern + "$").MatchString(steady(printed))
}
