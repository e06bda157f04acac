package plugin_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/testutil/testtable"
)

const webhookAdmission = "apiVersion: apiserver.config.k8s.io/v1\nkind: WebhookAdmissionConfiguration\n"

// configRow is a configuration file and the plugin's error. DIR stands for a
// folder with one file, "broken".
type configRow struct {
	row
	config string
	want   string
}

// TestConfigErrors pins the texts; that they are kube-apiserver's is compared
// with it elsewhere.
func TestConfigErrors(t *testing.T) {
	t.Parallel()
	runTable(t, configRows(), func(t *testing.T, name string, tc configRow) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "broken"), []byte("clusters: 1"), 0o600); err != nil {
			t.Fatal(err)
		}
		err := initialize(name, strings.NewReader(strings.ReplaceAll(tc.config, "DIR", dir)))
		want := `couldn't init admission plugin "` + name + `": ` + strings.ReplaceAll(tc.want, "DIR", dir) // S-003
		if got := testtable.Text(err); got != want {
			t.Errorf("error:\nwant %s\ngot  %s", want, got)
		}
	})
}

// initialize creates a plugin without initializers.
func initialize(name string, config io.Reader) error {
	plugins := apiadmission.NewPlugins()
	plugin.Register(plugins)
	_, err := plugins.InitPlugin(name, config, apiadmission.PluginInitializers{})
	return err
}

func configRows() []configRow {
	return []configRow{{
		row:  row{"empty", "S-034: an empty file is an error, a missing one is not"},
		want: "Object 'Kind' is missing in ''",
	}, {
		row:    row{"unknown kind", "S-034: the error has the name of kube-apiserver's scheme"},
		config: "apiVersion: apiserver.config.k8s.io/v1\nkind: Unknown\n",
		want:   `no kind "Unknown" is registered for version "apiserver.config.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"`,
	}, {
		row:    row{"old version", "S-033: v1alpha1 is gone"},
		config: "apiVersion: apiserver.config.k8s.io/v1alpha1\nkind: WebhookAdmission\n",
		want:   `no kind "WebhookAdmission" is registered for version "apiserver.config.k8s.io/v1alpha1" in scheme "pkg/runtime/scheme.go:111"`,
	}, {
		row:    row{"unknown field", "S-033: a misspelt kubeConfigFile must not mean no credentials"},
		config: webhookAdmission + "kubeConfig: /a\n",
		want:   `strict decoding error: unknown field "kubeConfig"`,
	}, {
		row:    row{"field given twice", "S-033: the value would be ambiguous"},
		config: webhookAdmission + "kubeConfigFile: /a\nkubeConfigFile: /b\n",
		want:   "strict decoding error: yaml: unmarshal errors:\n  line 4: key \"kubeConfigFile\" already set in map",
	}, {
		row:    row{"relative kubeconfig", "S-034: relative to what?"},
		config: webhookAdmission + "kubeConfigFile: ./kubeconfig\n",
		want:   `kubeConfigFile: Invalid value: "./kubeconfig": must be an absolute file path`,
	}, {
		row:    row{"missing kubeconfig", "S-036: read when the plugin is made, not when the first webhook is called"},
		config: webhookAdmission + "kubeConfigFile: DIR/none\n",
		want:   "stat DIR/none: no such file or directory",
	}, {
		row:    row{"broken kubeconfig", "S-036: the file is named"},
		config: webhookAdmission + "kubeConfigFile: DIR/broken\n",
		want:   `error loading config file "DIR/broken": json: cannot unmarshal number into Go struct field Config.clusters of type []v1.NamedCluster`,
	}, {
		row:    row{"relative manifests", "S-035: relative to what?"},
		config: webhookAdmission + "staticManifestsDir: manifests\n",
		want:   `staticManifestsDir: Invalid value: "manifests": must be an absolute file path`,
	}, {
		row:    row{"missing manifests", "S-035: no folder is not an empty folder"},
		config: webhookAdmission + "staticManifestsDir: DIR/none\n",
		want:   `staticManifestsDir: Invalid value: "DIR/none": unable to read: stat DIR/none: no such file or directory`,
	}, {
		row:    row{"manifests are a file", "S-035: only folders are watched"},
		config: webhookAdmission + "staticManifestsDir: DIR/broken\n",
		want:   `staticManifestsDir: Invalid value: "DIR/broken": must be a directory`,
	}}
}

// TestUnreadableConfig has a reader that breaks. The registry reads it first.
func TestUnreadableConfig(t *testing.T) {
	t.Parallel()
	broken := iotest.ErrReader(errors.New("the disk is gone"))
	want := `couldn't init admission plugin "MutatingAdmissionWebhook": the disk is gone`
	if got := testtable.Text(initialize(plugin.MutatingName, broken)); got != want {
		t.Errorf("want %s, got %s", want, got)
	}
}

// TestGoodConfig makes plugins of files without mistakes; the registry then
// complains about what the initializers left out (S-002, S-003).
func TestGoodConfig(t *testing.T) {
	t.Parallel()
	for why, config := range map[string]io.Reader{
		"no file means that nothing is configured": nil,
		"a file may leave everything out":          strings.NewReader(webhookAdmission),
	} {
		want := `failed to initialize admission plugin "ValidatingAdmissionWebhook": kubernetes client is not properly setup`
		if got := testtable.Text(initialize(plugin.ValidatingName, config)); got != want {
			t.Errorf("%s: want %s, got %s", why, want, got)
		}
	}
	want := "unknown admission plugin: webhooks"
	if got := testtable.Text(initialize("webhooks", nil)); got != want {
		t.Errorf("want %s, got %s", want, got) // S-003
	}
}
