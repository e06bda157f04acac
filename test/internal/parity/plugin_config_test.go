package parity

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/parity/harness"
)

// bothRegistries returns upstream's plugins and ours, each in a registry.
func bothRegistries() (upstream, ours *apiadmission.Plugins) {
	return oracle().Plugins(harness.Upstream), oracle().Plugins(harness.Gatehouse)
}

// configRow is a plugin's configuration file. DIR stands for a folder that
// exists and has a few files that are no kubeconfig.
type configRow struct {
	row
	config string
}

const webhookAdmission = "apiVersion: apiserver.config.k8s.io/v1\nkind: WebhookAdmissionConfiguration\n"

func configRows() []configRow {
	return []configRow{
		{row{"empty", "an empty file is an error, a missing one is not"}, ""},
		{row{"not a map", "YAML of any shape can be read"}, "- a\n"},
		{row{"no YAML at all", "neither YAML nor JSON"}, "{]"},
		{row{"no kind", "the type is required"}, "apiVersion: apiserver.config.k8s.io/v1\n"},
		{row{"no version", "the type is required"}, "kind: WebhookAdmissionConfiguration\n"},
		{row{"unknown kind", "S-034"}, "apiVersion: apiserver.config.k8s.io/v1\nkind: Unknown\n"},
		{row{"v1alpha1", "S-033: gone"}, "apiVersion: apiserver.config.k8s.io/v1alpha1\nkind: WebhookAdmission\n"},
		{row{"another group", "a valid object of another API group"}, "apiVersion: v1\nkind: Pod\n"},
		{row{"unknown field", "S-033: strict"}, webhookAdmission + "kubeConfig: /a\n"},
		{row{"duplicate field", "S-033: strict"}, webhookAdmission + "kubeConfigFile: /a\nkubeConfigFile: /b\n"},
		{row{"field of another case", "S-033: strict"}, webhookAdmission + "kubeconfigfile: /a\n"},
		{row{"field of another type", "S-033: strict"}, webhookAdmission + "kubeConfigFile: [1]\n"},
		{row{"relative kubeconfig", "S-034"}, webhookAdmission + "kubeConfigFile: ./kubeconfig\n"},
		{row{"missing kubeconfig", "S-036: read when the plugin is made"}, webhookAdmission + "kubeConfigFile: DIR/none\n"},
		{row{"kubeconfig is a folder", "S-036: read when the plugin is made"}, webhookAdmission + "kubeConfigFile: DIR\n"},
		{row{"broken kubeconfig", "S-036: read when the plugin is made"}, webhookAdmission + "kubeConfigFile: DIR/broken\n"},
		{row{"relative manifests", "S-035"}, webhookAdmission + "staticManifestsDir: manifests\n"},
		{row{"missing manifests", "S-035"}, webhookAdmission + "staticManifestsDir: DIR/none\n"},
		{row{"manifests are a file", "S-035"}, webhookAdmission + "staticManifestsDir: DIR/broken\n"},
		{row{"both are wrong", "S-034, S-035: kubeConfigFile comes first"}, webhookAdmission + "kubeConfigFile: a\nstaticManifestsDir: b\n"},
		{row{"nothing configured", "a file of defaults"}, webhookAdmission},
		{row{"JSON", "S-030: as good as YAML"}, `{"apiVersion":"apiserver.config.k8s.io/v1","kind":"WebhookAdmissionConfiguration"}`},
		{row{"unusable context", "S-036: only contexts and users are used"}, webhookAdmission + "kubeConfigFile: DIR/dangling\n"},
	}
}

// TestPluginConfigErrors has both registries read the same files. A file that
// is in order shows in the next error, about initializers that are missing.
func TestPluginConfigErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"broken":   "clusters: 1",
		"dangling": "apiVersion: v1\nkind: Config\ncurrent-context: none\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	upstream, ours := bothRegistries()
	for _, tc := range testtable.Checked(t, configRows()) {
		for _, name := range upstream.Registered() {
			t.Run(tc.Name()+"/"+name, func(t *testing.T) {
				config := strings.ReplaceAll(tc.config, "DIR", dir)
				_, want := upstream.InitPlugin(name, strings.NewReader(config), apiadmission.PluginInitializers{})
				_, got := ours.InitPlugin(name, strings.NewReader(config), apiadmission.PluginInitializers{})
				if want == nil || got == nil || want.Error() != got.Error() {
					t.Errorf("error:\nupstream: %v\ngatehouse: %v\nwhy: %s", want, got, tc.Why())
				}
			})
		}
	}
}
