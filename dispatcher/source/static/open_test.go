package static

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// unselectable is what no validation has seen: two webhooks with three
// selectors that do not parse.
func unselectable() []runtime.Object {
	broken := func(operator metav1.LabelSelectorOperator) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "k", Operator: operator}}}
	}
	c := &registrationv1.ValidatingWebhookConfiguration{Webhooks: []registrationv1.ValidatingWebhook{
		{Name: "a", NamespaceSelector: broken("N"), ObjectSelector: broken("O")},
		{Name: "b", ObjectSelector: broken("P")},
	}}
	c.Name = "c"
	return []runtime.Object{c}
}

const unselectableText = "webhook \"a\": invalid namespaceSelector: \"N\" is not a valid label selector operator\n" +
	"webhook \"a\": invalid objectSelector: \"O\" is not a valid label selector operator\n" +
	"webhook \"b\": invalid objectSelector: \"P\" is not a valid label selector operator"

// openRow is a folder that cannot be opened.
type openRow struct {
	row
	config Config
	want   string
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	testtable.Run(t, []openRow{{
		row:    row{"no phase", "a mistake of the caller"},
		config: Config{Dir: empty},
		want:   "opening static manifests: Config.Phase is required",
	}, {
		row:    row{"no folder", "S-047: an error aborts start-up"},
		config: Config{Dir: empty + "/none", Phase: admission.Mutating},
		want:   `failed to read manifest directory "` + empty + `/none": open ` + empty + `/none: no such file or directory`,
	}, {
		row:    row{"no folder, exact", "S-047: an error aborts start-up"},
		config: Config{Dir: empty + "/none", Phase: admission.Mutating, Exact: true},
		want:   `failed to read manifest directory "` + empty + `/none": open ` + empty + `/none: no such file or directory`,
	}, {
		row: row{"selectors", "S-047: the error names all of them"},
		config: Config{Dir: empty, Phase: admission.Validating, Load: func(string) ([]runtime.Object, string, error) {
			return unselectable(), "h", nil
		}},
		want: unselectableText,
	}, {
		row: row{"panic", "a host's loader must not end the process"},
		config: Config{Dir: empty, Phase: admission.Validating, Load: func(string) ([]runtime.Object, string, error) {
			panic("not today")
		}},
		want: "not today",
	}}, func(t *testing.T, tc openRow) {
		events := 0
		tc.config.Report = func(Event) { events++ }
		folder, err := Open(tc.config)
		if got := testtable.Text(err); folder != nil || got != tc.want || events > 0 {
			t.Errorf("error:\nwant %s\ngot  %s (folder %v, %d events)", tc.want, got, folder, events)
		}
	})
}

// TestOpen checks the event about what was loaded (S-050), even if it is
// nothing.
func TestOpen(t *testing.T) {
	t.Parallel()
	for want, files := range map[string]map[string]string{
		"loaded: 0 configurations, ": nil,
		"loaded: 2 configurations, manifest/a.static.k8s.io/v.example.com/0 manifest/b.static.k8s.io/w.example.com/0": {
			"1.yaml": validating("b", "w.example.com"), "2.yaml": validating("a", "v.example.com"),
		},
	} {
		dir := t.TempDir()
		write(t, dir, files)
		var d eventLog
		folder, err := Open(Config{Dir: dir, Phase: admission.Validating, Report: d.report})
		if err != nil {
			t.Fatal(err)
		}
		folder.Close()
		folder.Close()
		if diff := cmp.Diff([]string{want}, d.read()); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
	}
}

// TestOpenOnce requires a Folder with Config.Once to have no goroutine, which
// goleak would find, and not to change.
func TestOpenOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.yaml": validating("a", "w.example.com")})
	folder, err := Open(Config{Dir: dir, Phase: admission.Validating, Once: true, Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{"a.yaml": gone})
	if len(folder.Webhooks()) != 1 || folder.Webhooks()[0].UID != uids(t, folder.Current) {
		t.Errorf("in force: %v", folder.Webhooks())
	}
}

// TestReportPanics requires a Report that panics to be called again.
func TestReportPanics(t *testing.T) {
	t.Parallel()
	events := 0
	inBubble(t, Config{}, nil, func(t *testing.T, o *opened) {
		o.config.Report = func(Event) { events++; panic("not our fault") }
		for _, name := range []string{"a", "b"} {
			o.write(t, map[string]string{name + ".yaml": validating(name, "w.example.com")})
			o.wait(2 * quietPeriod)
		}
	})
	if events != 2 {
		t.Errorf("%d events, want 2", events)
	}
}

// TestOpenUnchanging requires Open to load a folder at once if its files are
// old, and after the quiet period if they were written just now.
func TestOpenUnchanging(t *testing.T) {
	t.Parallel()
	for age, want := range map[time.Duration]time.Duration{time.Hour: 0, 0: quietPeriod, -time.Hour: quietPeriod} {
		dir := t.TempDir()
		write(t, dir, map[string]string{"a.yaml": validating("a", "w.example.com")})
		synctest.Test(t, func(t *testing.T) {
			written := time.Now().Add(-age)
			if err := os.Chtimes(filepath.Join(dir, "a.yaml"), written, written); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			folder, err := Open(Config{Dir: dir, Phase: admission.Validating, Once: true})
			if err != nil {
				t.Fatal(err)
			}
			defer folder.Close() // a bubble with goroutines does not end
			if waited := time.Since(start); waited != want || len(folder.Webhooks()) != 1 {
				t.Errorf("written %v ago: waited %v, want %v", age, waited, want)
			}
		})
	}
}

// TestOpenWhileWritten opens a folder that is being written: Open waits for a
// writer that stops after three seconds, and fails if the writer does not stop.
func TestOpenWhileWritten(t *testing.T) {
	t.Parallel()
	whole := validating("a", "v.example.com") + "---\n" + validating("b", "w.example.com")
	for _, stops := range []bool{true, false} {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			end := make(chan struct{})
			defer close(end)
			write(t, dir, map[string]string{"a.yaml": ""})
			go func() {
				for n := 0; !stops || n < 30; n++ {
					select {
					case <-end:
						return
					case <-time.After(100 * time.Millisecond):
						write(t, dir, map[string]string{"a.yaml": whole + strings.Repeat("#", n%30)})
					}
				}
			}()
			folder, err := Open(Config{Dir: dir, Phase: admission.Validating, Once: true})
			if err == nil {
				defer folder.Close()
			}
			if want := `manifest directory "` + dir + `" is being written: it did not stop changing within 10s`; !stops && testtable.Text(err) != want {
				t.Errorf("want %s, got %v", want, err)
			}
			if stops && err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLoadedWhileWritten has a folder change between the looks at it: what was
// read in between is read again.
func TestLoadedWhileWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.yaml": validating("a", "w.example.com")})
	reads := 0
	synctest.Test(t, func(t *testing.T) {
		_, err := Open(Config{Dir: dir, Phase: admission.Validating, Once: true, Load: func(string) ([]runtime.Object, string, error) {
			if reads++; reads == 1 {
				write(t, dir, map[string]string{"b.yaml": validating("b", "w.example.com")})
			}
			return nil, "", errors.New("read")
		}})
		if err == nil || reads != 2 {
			t.Errorf("read %d times, error %v", reads, err)
		}
	})
}

// TestReadWhileWritten is the same for a folder that is open already.
func TestReadWhileWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	reads := 0
	synctest.Test(t, func(t *testing.T) {
		f := &Folder{stop: make(chan struct{}), config: Config{Dir: dir, Load: func(string) ([]runtime.Object, string, error) {
			if reads++; reads == 1 {
				write(t, dir, map[string]string{"a.yaml": validating("a", "w.example.com")})
			}
			return nil, "", nil
		}}}
		if _, ok := f.load(false); !ok || reads != 2 {
			t.Errorf("read %d times, and came to an end: %v", reads, ok)
		}
	})
}
