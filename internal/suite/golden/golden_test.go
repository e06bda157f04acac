package golden_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite/expect"
	"example.com/gatehouse/internal/suite/golden"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// created is the answer to the creation of a ConfigMap in which webhooks
// changed nothing but what edits do.
func created(edits ...func(*admission.Response, *corev1.ConfigMap)) *admission.Response {
	sent := &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Name: "c", Namespace: "shop", Labels: map[string]string{"app": "web"}},
		Data:       map[string]string{"a": "1", "b": "two\nlines\n"},
	}
	made := sent.DeepCopy()
	r := &admission.Response{
		Request: &admission.Request{
			Operation: admissionv1.Create, Kind: corev1.SchemeGroupVersion.WithKind("ConfigMap"), Name: "c", Namespace: "shop", Object: sent,
		},
		Allowed: true, Object: made,
	}
	for _, edit := range edits {
		edit(r, made)
	}
	return r
}

func managed(_ *admission.Response, c *corev1.ConfigMap) {
	c.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubectl"}}
}

// generated has the name made by a server.
func generated(r *admission.Response, c *corev1.ConfigMap) {
	sent := r.Request.Object.(*corev1.ConfigMap)
	r.Request.Name, sent.Name, sent.GenerateName = "", "", "c-"
	c.Name, c.GenerateName = "c-x7k2p", "c-"
}

func kindless(_ *admission.Response, c *corev1.ConfigMap) { c.TypeMeta = metav1.TypeMeta{} }

func denied(r *admission.Response, _ *corev1.ConfigMap) {
	r.Allowed, r.Status = false, &metav1.Status{Message: "no"}
}

func deleted(r *admission.Response, _ *corev1.ConfigMap) { r.Object = nil }

const text = `apiVersion: v1
data:
  a: "1"
  b: |
    two
    lines
kind: ConfigMap
metadata:
  labels:
    app: web
  name: c
  namespace: shop
`

// file makes a file in a folder of the test's own and returns its path.
func file(tb testing.TB, text string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "want.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

type edit = func(*admission.Response, *corev1.ConfigMap)

type checkCase struct {
	row
	file string
	edit edit
	want []string
}

func nothing(*admission.Response, *corev1.ConfigMap) {}

func TestCheck(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []checkCase{
		{row{"equal", "nothing has changed"}, text, nothing, nil},
		{row{"another layout", "people format files, and comment them"}, `# what a team gets
{"kind": ConfigMap, apiVersion: v1, metadata: {name: c, labels: {app: web}, namespace: shop}, data: {b: "two\nlines\n", a: '1'}}`, nothing, nil},
		{row{"no kind", "typed objects lose it on their way"}, text, kindless, nil},
		{row{"managed fields", "they tell how it came about"}, text, managed, nil},
		{row{"differences", "each is a failure"}, strings.NewReplacer("app: web", "app: api\n    x: z", "  a:", "  z:").Replace(text), nothing, []string{
			`golden: metadata.labels.app: want "api", got "web"`, `golden: metadata.labels.x: want "z", but it is absent`,
			`golden: data.a: want it absent, got "1"`, `golden: data.z: want "1", but it is absent`}},
		{row{"generated name", "it is another one each time"}, strings.Replace(text, "name: c\n", "generateName: c-\n", 1), generated, nil},
		{row{"name of its own", "it is a part of the object"}, strings.Replace(text, "name: c\n", "name: d\n", 1), nothing, []string{`golden: metadata.name: want "d", got "c"`}},
		{row{"denied", "what a denied request has come to is nothing to compare"}, text, denied, []string{"golden: the request was denied, so there is no final object"}},
		{row{"deleted", "nothing is left"}, text, deleted, []string{"golden: there is no final object, as there is none after a deletion"}},
	}, func(t *testing.T, tc checkCase) {
		got, err := golden.Check(file(t, tc.file), created(tc.edit))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tc.want, texts(got)); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}

func texts(failures []expect.Failure) []string {
	var all []string
	for _, f := range failures {
		all = append(all, f.Text)
	}
	return all
}

func TestCheckWithoutFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "folder", "want.yaml")
	got, err := golden.Check(path, created())
	want := []expect.Failure{{Field: "golden", Text: "golden: " + path + " does not exist: create it with --update"}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("error %v; -want +got\n%s", err, d)
	}
}

// TestCheckMoves has a list in another order: a failure that says so, with a
// path in it.
func TestCheckMoves(t *testing.T) {
	t.Parallel()
	r := created()
	r.Object.(*corev1.ConfigMap).Finalizers = []string{"example.com/b", "example.com/a"}
	got, err := golden.Check(file(t, text+"  finalizers: [example.com/a, example.com/b]\n"), r)
	want := []expect.Failure{{
		Field: "golden", Path: "metadata.finalizers[0]", Want: `"metadata.finalizers[1]"`, Got: `"metadata.finalizers[0]"`,
		Text: `golden: the position of metadata.finalizers[0]: want "metadata.finalizers[1]", got "metadata.finalizers[0]"`,
	}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("error %v; -want +got\n%s", err, d)
	}
}

// TestCheckSecrets compares the data of Secrets, and shows none of it.
func TestCheckSecrets(t *testing.T) {
	t.Parallel()
	secret := &corev1.Secret{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"}, ObjectMeta: metav1.ObjectMeta{Name: "s"},
		Data: map[string][]byte{"password": []byte("hunter2")},
	}
	r := &admission.Response{
		Request: &admission.Request{Kind: corev1.SchemeGroupVersion.WithKind("Secret"), Name: "s", Object: secret}, Allowed: true, Object: secret.DeepCopy(),
	}
	got, err := golden.Check(file(t, "{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {password: aHVudGVyMw==}}"), r)
	want := []expect.Failure{{
		Field: "golden", Path: "data.password", Want: "(hidden)", Got: "(hidden)", Text: "golden: data.password: differs (both are hidden)",
	}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("error %v; -want +got\n%s", err, d)
	}
}

type errorCase struct {
	row
	// file is what is in it, and want the error after its path.
	file, want string
}

func TestCheckErrors(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []errorCase{
		{row{"several documents", "one of them would never be compared"}, text + "---\n" + text, ": document 2 (line 14): is a second document: a golden file has one"},
		{row{"empty", "the file is incomplete"}, "# nothing\n", ": line 1: there is no object"},
		{row{"conflict", "git leaves such lines"}, "a: b\n<<<<<<< ours\nb: c\n", ": document 1 (line 2): invalid YAML: could not find expected ':'"},
		{row{"no object", "it is YAML, but not of Kubernetes"}, "\na: b\n", ": document 1 (line 2): apiVersion is missing"},
		{row{"twice", "a merge may leave a key twice"}, "apiVersion: v1\nkind: ConfigMap\ndata: {a: x}\ndata: {a: y}\n", `: document 1 (line 4): duplicate field "data"`},
	}, func(t *testing.T, tc errorCase) {
		path := file(t, tc.file)
		failures, err := golden.Check(path, created())
		if got := strings.TrimPrefix(testtable.Text(err), path); got != tc.want || failures != nil {
			t.Errorf("got %q and %v\nwant %q", got, failures, tc.want)
		}
	})
}
