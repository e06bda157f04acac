package pluginconfig_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/engine/pluginconfig"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

const (
	admission = "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n"
	webhooks  = "apiVersion: apiserver.config.k8s.io/v1\nkind: WebhookAdmissionConfiguration\n"
	inline    = "{apiVersion: apiserver.config.k8s.io/v1, kind: WebhookAdmissionConfiguration, kubeConfigFile: %s}"
)

// admissionRow is a file "admission.yaml" and others beside it. DIR stands for
// the folder.
type admissionRow struct {
	row
	files map[string]string
	// want is the kubeConfigFile of the mutating and of the validating plugin.
	want string
	err  string
}

func entry(name, rest string) string { return "- {name: " + name + ", " + rest + "}\n" }

func admissionRows() []admissionRow {
	const m, v = "MutatingAdmissionWebhook", "ValidatingAdmissionWebhook"
	in := func(kubeconfig string) string { return "configuration: " + fmt.Sprintf(inline, kubeconfig) }
	file := func(content string) map[string]string { return map[string]string{"admission.yaml": content} }
	return []admissionRow{{
		row:   row{"no plugins", "S-031: nothing is configured"},
		files: file(admission), want: " ",
	}, {
		row:   row{"inline", "S-031: each plugin gets its own entry"},
		files: file(admission + "plugins:\n" + entry(m, in("/m")) + entry(v, in("/v")) + entry("Other", "path: none")), want: "/m /v",
	}, {
		row:   row{"v1alpha1", "S-030: the version of old is read, too"},
		files: file("apiVersion: apiserver.k8s.io/v1alpha1\nkind: AdmissionConfiguration\nplugins:\n" + entry(m, in("/m"))), want: "/m ",
	}, {
		row:   row{"JSON", "S-030: as good as YAML"},
		files: file(`{"apiVersion":"apiserver.config.k8s.io/v1","kind":"AdmissionConfiguration"}`), want: " ",
	}, {
		row: row{"paths", "S-031: relative to the file, or absolute"},
		files: map[string]string{
			"admission.yaml": admission + "plugins:\n" + entry(m, "path: sub/m.yaml") + entry(v, "path: DIR/v.yaml"),
			"sub/m.yaml":     webhooks + "kubeConfigFile: /m\n", "v.yaml": webhooks + "kubeConfigFile: /v\n",
		}, want: "/m /v",
	}, {
		row:   row{"inline and path", "S-031: what is written in the file counts"},
		files: file(admission + "plugins:\n" + entry(m, "path: none, "+in("/m"))), want: "/m ",
	}, {
		row:   row{"twice", "S-031: the first counts"},
		files: file(admission + "plugins:\n" + entry(m, in("/m")) + entry(m, in("/n"))), want: "/m ",
	}, {
		row:   row{"neither", "S-031: an entry may say nothing"},
		files: file(admission + "plugins:\n- name: " + m + "\n"), want: " ",
	}, {
		row:   row{"legacy", "S-032: an old file of ImagePolicyWebhook does not configure webhooks"},
		files: file("imagePolicy: {kubeConfigFile: /k}\n"), want: " ",
	}, {
		row: row{"missing", "S-031"},
		err: "unable to read admission control configuration from \"DIR/admission.yaml\" [open DIR/admission.yaml: no such file or directory]",
	}, {
		row:   row{"unknown field", "S-030: decoded strictly"},
		files: file(admission + "plugin: []\n"), err: `strict decoding error: unknown field "plugin"`,
	}, {
		row:   row{"no kind", "S-032: not a legacy file either"},
		files: file("plugins: []\n"), err: `Object 'Kind' is missing in 'plugins: []
'`,
	}, {
		row:   row{"another kind", "S-030, S-032"},
		files: file(webhooks), err: `no kind "WebhookAdmissionConfiguration" is registered for version "apiserver.config.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"`,
	}, {
		row:   row{"path that is not there", "S-031: kube-apiserver ends here; this is an error"},
		files: file(admission + "plugins:\n" + entry(v, "path: none.yaml")),
		err:   "couldn't open admission plugin configuration DIR/none.yaml: open DIR/none.yaml: no such file or directory",
	}, {
		row:   row{"broken plugin", "S-003, S-034: with the plugin's name"},
		files: file(admission + "plugins:\n" + entry(v, in("relative"))),
		err:   `couldn't init admission plugin "ValidatingAdmissionWebhook": kubeConfigFile: Invalid value: "relative": must be an absolute file path`,
	}}
}

func TestAdmission(t *testing.T) {
	t.Parallel()
	testtable.Run(t, admissionRows(), func(t *testing.T, tc admissionRow) {
		dir := t.TempDir()
		for name, content := range tc.files {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(strings.ReplaceAll(content, "DIR", dir)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		configs, err := pluginconfig.Admission(filepath.Join(dir, "admission.yaml"), "MutatingAdmissionWebhook", "ValidatingAdmissionWebhook")
		if got := strings.ReplaceAll(testtable.Text(err), dir, "DIR"); got != tc.err {
			t.Errorf("error:\nwant %s\ngot  %s", tc.err, got)
		}
		if err != nil {
			return
		}
		if got := configs[0].KubeConfigFile + " " + configs[1].KubeConfigFile; got != tc.want {
			t.Errorf("kubeconfigs %q, want %q", got, tc.want)
		}
	})
}

// TestRelativeToTheWorkingDirectory has no folder in the path of the file
// (S-031). It is not parallel: there is one working directory.
func TestRelativeToTheWorkingDirectory(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("a.yaml", []byte(admission+"plugins:\n"+entry("P", "path: none.yaml")), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := pluginconfig.Admission("a.yaml", "P")
	want := fmt.Sprintf("couldn't open admission plugin configuration %s/none.yaml: open %s/none.yaml: no such file or directory", dir, dir)
	if got := testtable.Text(err); got != want {
		t.Errorf("want %s, got %s", want, got)
	}
}

// TestWebhooks: errors are those that the plugins' own tests pin; here are the
// two ways to configure nothing, and a folder (S-033, S-035).
func TestWebhooks(t *testing.T) {
	t.Parallel()
	if c, err := pluginconfig.Webhooks(nil); err != nil || c.KubeConfigFile != "" || c.StaticManifestsDir != "" {
		t.Errorf("no file: %+v, %v", c, err)
	}
	dir := t.TempDir()
	c, err := pluginconfig.Webhooks(strings.NewReader(webhooks + "staticManifestsDir: " + dir + "\n"))
	if err != nil || c.StaticManifestsDir != dir {
		t.Errorf("folder: %+v, %v", c, err)
	}
	_, err = pluginconfig.Webhooks(strings.NewReader(webhooks + "staticManifestsDir: manifests\n"))
	if want := `staticManifestsDir: Invalid value: "manifests": must be an absolute file path`; testtable.Text(err) != want {
		t.Errorf("want %s, got %v", want, err)
	}
}
