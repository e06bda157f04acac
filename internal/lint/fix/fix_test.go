package fix_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/fix"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/rules"
)

var update = flag.Bool("update", false, "write the diffs of testdata")

// examine returns a cluster and the findings of a rule, or of all rules if it is empty.
func examine(t *testing.T, rule string, files ...string) (*lint.Cluster, []lint.Finding) {
	t.Helper()
	in, err := inventory.Read(inventory.Files{Paths: files})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	c, err := lint.NewCluster(t.Context(), in, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), nil)
	if err != nil {
		t.Fatal(err)
	}
	chosen := slices.DeleteFunc(rules.All(), func(r *lint.Rule) bool { return rule != "" && r.ID != rule })
	report, err := lint.Run(c, chosen)
	if err != nil {
		t.Fatal(err)
	}
	return c, report.Findings
}

// TestGuiltyFiles fixes a file for each rule with a remedy. The diff is that of testdata,
// every comment is kept, and the finding is gone.
func TestGuiltyFiles(t *testing.T) {
	t.Parallel()
	for _, rule := range fix.Rules() {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("testdata", rule+".yaml")
			c, findings := examine(t, rule, path)
			if len(findings) == 0 {
				t.Fatal("there is no finding")
			}
			files, err := fix.Files(c, findings)
			if err != nil || len(files) != 1 {
				t.Fatalf("%d files change: %v", len(files), err)
			}
			checkDiff(t, rule, files[0].Diff())
			checkComments(t, files[0])
			after := filepath.Join(t.TempDir(), "after.yaml")
			if err := os.WriteFile(after, files[0].After, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, left := examine(t, rule, after); len(left) > 0 {
				t.Errorf("a finding is left: %s", left[0].Message)
			}
		})
	}
}

func checkDiff(t *testing.T, rule, got string) {
	t.Helper()
	path := filepath.Join("testdata", rule+".diff")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func checkComments(t *testing.T, f fix.File) {
	t.Helper()
	comments := regexp.MustCompile(`# comment.*`)
	before, after := comments.FindAll(f.Before, -1), comments.FindAll(f.After, -1)
	if len(before) < 3 || !slices.EqualFunc(before, after, slices.Equal[[]byte]) {
		t.Errorf("the comments %s became %s", before, after)
	}
}

// TestAllAtOnce fixes everything of a file: no remedy undoes another one, and what is
// left has none.
func TestAllAtOnce(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{"blocks-nodes", "deadlock", "serial-timeouts"} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("testdata", rule+".yaml"))
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "a.yaml")
			for range 3 { // a remedy of one finding may uncover another one
				if err := os.WriteFile(path, text, 0o600); err != nil {
					t.Fatal(err)
				}
				c, findings := examine(t, "", path)
				files, err := fix.Files(c, findings)
				if err != nil {
					t.Fatal(err)
				}
				if len(files) == 0 {
					return
				}
				text = files[0].After
			}
			t.Errorf("there is always something to fix:\n%s", text)
		})
	}
}

func TestEveryRemedyHasARule(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, r := range rules.All() {
		known[r.ID] = true
	}
	for _, id := range fix.Rules() {
		if !known[id] || !fix.HasRemedy(id) {
			t.Errorf("%s is no rule", id)
		}
	}
	if len(known) == len(fix.Rules()) {
		t.Error("every rule has a remedy")
	}
}

// guilty is a webhook that refuses its own pods.
const guilty = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: guard
webhooks:
- name: guard.example.com
  clientConfig: {service: {namespace: guard, name: guard}}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  admissionReviewVersions: [v1]
  sideEffects: None
`

func TestRefusals(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	anchored := filepath.Join(folder, "anchored.yaml")
	text := strings.Replace(guilty, "  sideEffects", "  namespaceSelector: &all {}\n  objectSelector: *all\n  sideEffects", 1)
	if err := os.WriteFile(anchored, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, findings := examine(t, "blocks-own-pods", anchored)
	files, err := fix.Files(c, findings)
	want := anchored + ": document 1 (line 10): webhooks[0].namespaceSelector: cannot be changed: it is an anchor or alias, which other parts of the file share"
	if len(files) > 0 || err == nil || err.Error() != want {
		t.Errorf("%d files and %v, want %s", len(files), err, want)
	}
	in, err := inventory.Read(inventory.Files{Paths: []string{"-"}, Stdin: strings.NewReader(guilty)})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if c, err = lint.NewCluster(t.Context(), in, time.Now(), nil); err != nil {
		t.Fatal(err)
	}
	report, err := lint.Run(c, rules.All())
	if err != nil {
		t.Fatal(err)
	}
	_, err = fix.Files(c, report.Findings)
	if want := "standard input: cannot be changed: give the file that it came from"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestSilencedFindingsStay(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.yaml")
	text := strings.Replace(guilty, "  name: guard\n", "  name: guard\n  annotations: {lint.gatehouse/blocks-own-pods: known}\n", 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, findings := examine(t, "blocks-own-pods", path)
	if files, err := fix.Files(c, findings); len(findings) != 1 || len(files) > 0 || err != nil {
		t.Errorf("%d findings change %d files: %v", len(findings), len(files), err)
	}
}

// TestWrite follows a link, keeps the mode, and refuses a file that has changed.
func TestWrite(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	target, link := filepath.Join(folder, "target.yaml"), filepath.Join(folder, "link.yaml")
	if err := errors.Join(os.WriteFile(target, []byte(guilty), 0o600), os.Chmod(target, 0o640)); err != nil { // whatever the umask is
		t.Fatal(err)
	}
	if err := os.Symlink("target.yaml", link); err != nil {
		t.Fatal(err)
	}
	c, findings := examine(t, "blocks-own-pods", link)
	files, err := fix.Files(c, findings)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files change: %v", len(files), err)
	}
	if now, err := os.ReadFile(target); err != nil || string(now) != guilty {
		t.Errorf("Files has written: %v", err)
	}
	if err := fix.Write(files); err != nil {
		t.Fatal(err)
	}
	now, err := os.ReadFile(target)
	if err != nil || string(now) != string(files[0].After) {
		t.Errorf("%v: the file has\n%s", err, now)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v: %v", info.Mode(), err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v are left: %v", entries, err)
	}
	want := link + ": cannot be written: the file has changed since it was read"
	if err := fix.Write(files); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
