package static

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// loadRow is a folder and what is loaded from it. DIR stands for the folder.
type loadRow struct {
	row
	// phase is Validating if it is not set.
	phase admission.Phase
	files map[string]string
	// want are the uids, in order.
	want string
	err  string
}

func (tc *loadRow) expect(t *testing.T) {
	if tc.phase == 0 {
		tc.phase = admission.Validating
	}
	dir := t.TempDir()
	write(t, dir, tc.files)
	found, _, err := Load(dir, tc.phase)
	var got []string
	for _, c := range found {
		for _, w := range webhooksOf(c) {
			got = append(got, w.UID)
		}
	}
	if text := strings.ReplaceAll(testtable.Text(err), dir, "DIR"); text != tc.err {
		t.Errorf("error:\nwant %s\ngot  %s", tc.err, text)
	}
	if got := strings.Join(got, " "); got != tc.want {
		t.Errorf("loaded %q, want %q", got, tc.want)
	}
}

func TestLoadFiles(t *testing.T) {
	t.Parallel()
	list := "kind: List\nitems:\n" + item(validating("b", "w.example.com")) + item(validating("a", "w.example.com"))
	testtable.Run(t, []loadRow{{
		row: row{"empty folder", "S-040: a server may have no manifests"},
	}, {
		row: row{"extensions", "S-040: three of them, in any case, and nothing else"},
		files: map[string]string{
			"1.yaml": validating("a", "w.example.com"), "2.YML": validating("b", "w.example.com"), "3.Json": toJSON(t, validating("c", "w.example.com")),
			"4.txt": "{]", "5.yaml.bak": "{]", "yaml": "{]", ".yaml.swp": "{]",
		},
		want: "manifest/a.static.k8s.io/w.example.com/0 manifest/b.static.k8s.io/w.example.com/0 manifest/c.static.k8s.io/w.example.com/0",
	}, {
		row:   row{"folder in the folder", "S-040: it is not looked into, whatever it is called"},
		files: map[string]string{"a.yaml/b.yaml": "{]", "c/d.yaml": "{]"},
	}, {
		row:   row{"empty file", "S-040: skipped"},
		files: map[string]string{"a.yaml": "", "b.yaml": validating("b", "w.example.com")},
		want:  "manifest/b.static.k8s.io/w.example.com/0",
	}, {
		row:   row{"blank documents", "S-040: dropped, also when nothing else is there"},
		files: map[string]string{"a.yaml": "---\n" + validating("a", "w.example.com") + "---\n\n---\n \n---\n" + validating("b", "w.example.com") + "---\n", "b.yaml": "\n \n"},
		want:  "manifest/a.static.k8s.io/w.example.com/0 manifest/b.static.k8s.io/w.example.com/0",
	}, {
		row: row{"sorted by name", "S-046: not by file, nor by order in a file; webhooks stay in order"},
		files: map[string]string{
			"1.yaml": validating("c", "z.example.com", "y.example.com") + "---\n" + validating("a", "w.example.com"),
			"2.yaml": validating("b", "w.example.com"),
		},
		want: "manifest/a.static.k8s.io/w.example.com/0 manifest/b.static.k8s.io/w.example.com/0 " +
			"manifest/c.static.k8s.io/z.example.com/0 manifest/c.static.k8s.io/y.example.com/0",
	}, {
		row:   row{"List", "S-042: unwrapped, and lists in lists"},
		files: map[string]string{"a.yaml": "apiVersion: v1\nkind: List\nitems:\n" + item("apiVersion: v1\n"+list)},
		want:  "manifest/a.static.k8s.io/w.example.com/0 manifest/b.static.k8s.io/w.example.com/0",
	}, {
		row:   row{"List of any version", "S-042: apiVersion is not looked at"},
		files: map[string]string{"a.yaml": "apiVersion: example.com/v7\n" + list},
		want:  "manifest/a.static.k8s.io/w.example.com/0 manifest/b.static.k8s.io/w.example.com/0",
	}, {
		row:   row{"list of the kind", "S-042: a ValidatingWebhookConfigurationList has its items"},
		files: map[string]string{"a.yaml": "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfigurationList\nitems:\n" + item(validating("a", "w.example.com"))},
		want:  "manifest/a.static.k8s.io/w.example.com/0",
	}, {
		row: row{"mutating", "S-042: the other phase has the other kind"}, phase: admission.Mutating,
		files: map[string]string{"a.yaml": manifestOf(admission.Mutating, "a.static.k8s.io", "w.example.com"), "b.yaml": "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfigurationList\nitems: []\n"},
		want:  "manifest/a.static.k8s.io/w.example.com/0",
	}}, func(t *testing.T, tc loadRow) { tc.expect(t) })
}

// TestLoadErrors pins whole texts. That they are kube-apiserver's is compared
// with its own loader elsewhere.
func TestLoadErrors(t *testing.T) {
	t.Parallel()
	testtable.Run(t, append(decodeErrorRows(), ruleErrorRows()...), func(t *testing.T, tc loadRow) { tc.expect(t) })
}

func decodeErrorRows() []loadRow {
	one := func(why, name, content, err string) loadRow {
		return loadRow{row: row{name, why}, files: map[string]string{"a.yaml": content}, err: "error loading DIR/a.yaml: " + err}
	}
	good := validating("a", "w.example.com")
	return []loadRow{
		one("S-042: a typo must not be a webhook less", "unknown field", good+"extra: 1\n", `strict decoding error: unknown field "extra"`),
		one("S-042: which one is meant?", "duplicate field", good+"kind: ValidatingWebhookConfiguration\n",
			"strict decoding error: yaml: unmarshal errors:\n  line 6: key \"kind\" already set in map"),
		one("S-042: the type is required", "no kind", "apiVersion: admissionregistration.k8s.io/v1\n",
			`Object 'Kind' is missing in 'apiVersion: admissionregistration.k8s.io/v1'`),
		one("S-040: two separators at the beginning are a document", "two separators", "---\n---\n"+good, "Object 'Kind' is missing in '---'"),
		one("S-042: the other phase has another folder", "other phase", manifestOf(admission.Mutating, "a.static.k8s.io", "w.example.com"),
			"unsupported resource type *v1.MutatingWebhookConfiguration"),
		one("S-042: as above", "list of the other phase", "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfigurationList\nitems: []\n",
			"unsupported resource type *v1.MutatingWebhookConfigurationList"),
		one("S-042: known, and not supported", "v1beta1", strings.Replace(good, "/v1", "/v1beta1", 1),
			"unsupported resource type *v1beta1.ValidatingWebhookConfiguration"),
		one("S-042: policies have other folders", "policy", "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n",
			"unsupported resource type *v1.ValidatingAdmissionPolicy"),
		one("S-042: unknown", "Pod", "apiVersion: v1\nkind: Pod\n",
			`no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"`),
		one("S-042: the error does not name the item", "bad item", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod}\n",
			`failed to decode list item: no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"`),
		one("S-042: rejected as it would be outside of the list", "item of another kind", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Status}\n",
			"unsupported resource type *v1.Status"),
		one("S-042: neither YAML nor JSON", "no YAML", "{]", "couldn't get version/kind; json parse error: invalid character ']' looking for beginning of object key string"),
	}
}

func ruleErrorRows() []loadRow {
	good := validating("a", "w.example.com")
	one := func(why, name, content, err string) loadRow {
		return loadRow{row: row{name, why}, files: map[string]string{"a.yaml": content}, err: "error loading DIR/a.yaml: " + err}
	}
	client := func(config string) string {
		return strings.Replace(good, `{url: "https://127.0.0.1/w.example.com"}`, config, 1)
	}
	const invalid = `ValidatingWebhookConfiguration "a.static.k8s.io": `
	mutating := one("S-043: with the kind in front", "invalid, mutating", manifestOf(admission.Mutating, "a.static.k8s.io", "w"),
		`MutatingWebhookConfiguration "a.static.k8s.io": webhooks[0].name: Invalid value: "w": should be a domain with at least three segments separated by dots`)
	mutating.phase = admission.Mutating
	return []loadRow{
		mutating,
		one("S-043: validated as on creation", "invalid", strings.Replace(good, ", sideEffects: None", "", 1),
			invalid+"webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun"),
		one("S-043: all that is wrong, as an aggregate", "invalid twice", strings.ReplaceAll(validating("a", "w.example.com", "v.example.com"), ", sideEffects: None", ""),
			invalid+"[webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun, webhooks[1].sideEffects: Required value: must specify one of None, NoneOnDryRun]"),
		one("S-043: validation wants to know the name first", "no name", strings.Replace(good, "name: a.static.k8s.io", "", 1),
			`ValidatingWebhookConfiguration "": metadata.name: Required value: name or generateName is required`),
		one("S-044: generateName is no name, and validation is content", "generateName", strings.Replace(good, "name: a.static", "generateName: a.static", 1),
			`ValidatingWebhookConfiguration "": metadata.name: Required value: name or generateName is required`),
		one("S-044: others belong to the API", "name without the ending", strings.Replace(good, "a.static.k8s.io", "a", 1),
			`"a" in file "DIR/a.yaml" must have a name ending with ".static.k8s.io"`),
		one("S-044: within a file", "name twice", good+"---\n"+good, `duplicate name "a.static.k8s.io" found in file "DIR/a.yaml" (previously seen in "DIR/a.yaml")`),
		{
			row:   row{"name twice in the folder", "S-044: the error names both files"},
			files: map[string]string{"a.yaml": good, "b.yaml": good},
			err:   `error loading DIR/b.yaml: duplicate name "a.static.k8s.io" found in file "DIR/b.yaml" (previously seen in "DIR/a.yaml")`,
		},
		one("S-045: a service needs a cluster to be found in", "service", client("{service: {name: a, namespace: b}}"),
			`webhook "w.example.com" in "a.static.k8s.io" (file "DIR/a.yaml"): clientConfig.service is not supported for static manifests; use clientConfig.url instead`),
		one("S-043, S-045: validation is faster", "no address", client("{}"),
			invalid+"webhooks[0].clientConfig: Required value: exactly one of url or service is required"),
	}
}

// TestCheckClients has client configurations that validation rejects earlier
// (S-045).
func TestCheckClients(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]*string{"no url": nil, "empty url": new("")} {
		c := &registrationv1.MutatingWebhookConfiguration{Webhooks: []registrationv1.MutatingWebhook{{
			Name: "w", ClientConfig: registrationv1.WebhookClientConfig{URL: url},
		}}}
		c.Name = "a"
		const want = `webhook "w" in "a" (file "f"): clientConfig.url is required for static manifests`
		if got := testtable.Text(checkClients(c, "f")); got != want {
			t.Errorf("%s: want %s, got %s", name, want, got)
		}
	}
}

// TestLoadDefaults requires Load to apply the defaults of an API server
// (S-043).
func TestLoadDefaults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.yaml": validating("a", "w.example.com")})
	found, _, err := Load(dir, admission.Validating)
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	w := found[0].(*registrationv1.ValidatingWebhookConfiguration).Webhooks[0]
	if w.FailurePolicy == nil || *w.FailurePolicy != registrationv1.Fail || w.NamespaceSelector == nil || w.TimeoutSeconds == nil || *w.TimeoutSeconds != 10 {
		t.Errorf("not defaulted: %+v", w)
	}
	static := webhooksOf(found[0])[0]
	if !static.Static {
		t.Error("the webhook does not know that it is static")
	}
}

// TestLoadFolderErrors has folders that cannot be read (S-040).
func TestLoadFolderErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, want := range map[string]string{
		"":             "manifest directory path is empty",
		dir + "/none":  fmt.Sprintf("failed to read manifest directory %q: open %s: no such file or directory", dir+"/none", dir+"/none"),
		dir + "/links": fmt.Sprintf("failed to read file %q: open %s: no such file or directory", dir+"/links/a.yaml", dir+"/links/a.yaml"),
	} {
		if strings.HasSuffix(name, "links") {
			link(t, dir+"/none.yaml", name+"/a.yaml")
		}
		if _, _, err := Load(name, admission.Mutating); testtable.Text(err) != want {
			t.Errorf("%q: want %s, got %v", name, want, err)
		}
	}
}

// TestHash requires the hash to depend on the content and the ends of files,
// and not on their names (S-041).
func TestHash(t *testing.T) {
	t.Parallel()
	a, b := validating("a", "w.example.com"), validating("b", "w.example.com")
	hashOf := func(files map[string]string) string {
		dir := t.TempDir()
		write(t, dir, files)
		_, hash, err := Load(dir, admission.Validating)
		if err != nil {
			t.Fatal(err)
		}
		return hash
	}
	want := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(a+"\x00"+b+"\x00")))
	for _, files := range []map[string]string{
		{"a.yaml": a, "b.yaml": b}, {"0.yml": a, "1.json": "", "2.yml": b, "3.txt": a},
	} {
		if got := hashOf(files); got != want {
			t.Errorf("hash %s, want %s", got, want)
		}
	}
	if hashOf(map[string]string{"a.yaml": a + "---\n" + b}) == want {
		t.Error("one file has the hash of two")
	}
	if got := hashOf(map[string]string{"a.yaml": ""}); got != "" {
		t.Errorf("hash %q of nothing", got)
	}
}
