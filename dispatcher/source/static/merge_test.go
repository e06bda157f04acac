package static

import (
	"context"
	"errors"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/matching"
)

// api is a source of a mutating and a validating webhook, or an error.
type api struct {
	snapshot *matching.Snapshot
	err      error
}

func (a *api) Current(context.Context) (*matching.Snapshot, error) { return a.snapshot, a.err }

func newAPI(name string) *api {
	compiler := matching.NewCompiler()
	m := &registrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}, Webhooks: []registrationv1.MutatingWebhook{{Name: "m"}}}
	v := &registrationv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}, Webhooks: []registrationv1.ValidatingWebhook{{Name: "v"}}}
	return &api{snapshot: matching.NewSnapshot(compiler.Compile(admission.MutatingWebhooks(m)), compiler.Compile(admission.ValidatingWebhooks(v)))}
}

// openFiles opens a folder of a phase, with Exact, so that a change is noticed
// at once.
func openFiles(t *testing.T, phase admission.Phase, content string) *Folder {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.yaml": content})
	folder, err := Open(Config{Dir: dir, Phase: phase, Exact: true, Once: true})
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// reload has a folder that is for once read another file.
func reload(t *testing.T, f *Folder, content string) {
	t.Helper()
	write(t, f.config.Dir, map[string]string{"a.yaml": content})
	f.apply(f.loadNow())
}

// TestMerge requires static webhooks to come first, and the same parts not to
// be merged twice (S-051).
func TestMerge(t *testing.T) {
	t.Parallel()
	v := openFiles(t, admission.Validating, validating("z", "w.example.com"))
	m := openFiles(t, admission.Mutating, manifestOf(admission.Mutating, "z.static.k8s.io", "w.example.com"))
	server := newAPI("a")
	j := Merge(server, v, m)
	const static = "manifest/z.static.k8s.io/w.example.com/0"
	expect := func(when, want, wantStatic string) {
		t.Helper()
		if got := uids(t, j.Current); got != want {
			t.Errorf("%s: %q in force, want %q", when, got, want)
		}
		if got := uids(t, j.Static); got != wantStatic {
			t.Errorf("%s: static %q, want %q", when, got, wantStatic)
		}
		first, _ := j.Current(t.Context())
		if second, _ := j.Current(t.Context()); first != second {
			t.Errorf("%s: put together twice", when)
		}
		alone, _ := j.Static(t.Context())
		if again, _ := j.Static(t.Context()); alone != again {
			t.Errorf("%s: static ones put together twice", when)
		}
	}
	expect("at first", static+" a/m/0 "+static+" a/v/0", static+" "+static)
	server.snapshot = newAPI("b").snapshot
	expect("another configuration in the API", static+" b/m/0 "+static+" b/v/0", static+" "+static)
	reload(t, v, "")
	expect("a folder is empty", static+" b/m/0 b/v/0", static)
	reload(t, m, "")
	expect("both are", "b/m/0 b/v/0", "")
	if got, _ := j.Current(t.Context()); got != server.snapshot {
		t.Error("nothing was added to the API's snapshot, and yet it is another")
	}
	server.snapshot = matching.NewSnapshot(nil, nil)
	expect("nothing is left", "", "")
}

// TestMergeOne requires Static to return the snapshot of a single folder
// unchanged.
func TestMergeOne(t *testing.T) {
	t.Parallel()
	v := openFiles(t, admission.Validating, validating("z", "w.example.com"))
	j := Merge(newAPI("a"), v)
	if got, _ := j.Static(t.Context()); got != v.current.Load() {
		t.Error("Static returns another snapshot than the folder's")
	}
	if got, want := uids(t, j.Current), "a/m/0 manifest/z.static.k8s.io/w.example.com/0 a/v/0"; got != want {
		t.Errorf("%q in force, want %q", got, want)
	}
	if got := uids(t, Merge(newAPI("a")).Static); got != "" {
		t.Errorf("static webhooks without a folder: %q", got)
	}
}

// TestMergeNotReady requires Current to fail until the API's source is ready,
// and Static to return the static webhooks at once (S-010, S-051).
func TestMergeNotReady(t *testing.T) {
	t.Parallel()
	v := openFiles(t, admission.Validating, validating("z", "w.example.com"))
	j := Merge(&api{err: dispatcher.ErrNotReady}, v)
	if s, err := j.Current(t.Context()); s != nil || !errors.Is(err, dispatcher.ErrNotReady) {
		t.Errorf("Current() = %v, %v", s, err)
	}
	if got := uids(t, j.Static); !strings.HasPrefix(got, "manifest/z") {
		t.Errorf("static webhooks: %q", got)
	}
	if s, err := Merge(&api{}, v).Current(t.Context()); s != nil || err != nil {
		t.Errorf("an API that says nothing makes %v, %v", s, err)
	}
}
