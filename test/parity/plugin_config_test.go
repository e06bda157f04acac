package parity

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/configuration"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/generic"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"

	"example.com/gatehouse/admission/plugin"
)

// bothRegistries returns upstream's plugins and ours, each in a registry.
// Upstream's are what both of its plugins are made of, without their dispatchers:
// the plugins themselves link a file watcher that this module has no use for.
func bothRegistries() (upstream, ours *apiadmission.Plugins) {
	upstream, ours = apiadmission.NewPlugins(), apiadmission.NewPlugins()
	plugin.Register(ours)
	for _, name := range ours.Registered() {
		upstream.Register(name, func(config io.Reader) (apiadmission.Interface, error) {
			return generic.NewWebhook(apiadmission.NewHandler(), config,
				configuration.NewMutatingWebhookConfigurationManager,
				func(*webhookutil.ClientManager) generic.Dispatcher { return nil })
		})
	}
	return upstream, ours
}

// configRow is a plugin's configuration file. DIR stands for a folder that
// exists and has a few files that are no kubeconfig.
type configRow struct{ name, why, config string }

const webhookAdmission = "apiVersion: apiserver.config.k8s.io/v1\nkind: WebhookAdmissionConfiguration\n"

func configRows() []configRow {
	return []configRow{
		{"empty", "a file that says nothing is a mistake, unlike no file", ""},
		{"not a map", "YAML of any shape can be read", "- a\n"},
		{"no YAML at all", "neither YAML nor JSON", "{]"},
		{"no kind", "the type has to be said", "apiVersion: apiserver.config.k8s.io/v1\n"},
		{"no version", "the type has to be said", "kind: WebhookAdmissionConfiguration\n"},
		{"unknown kind", "S-034", "apiVersion: apiserver.config.k8s.io/v1\nkind: Unknown\n"},
		{"v1alpha1", "S-033: gone", "apiVersion: apiserver.config.k8s.io/v1alpha1\nkind: WebhookAdmission\n"},
		{"another group", "a valid object of somebody else's", "apiVersion: v1\nkind: Pod\n"},
		{"unknown field", "S-033: strict", webhookAdmission + "kubeConfig: /a\n"},
		{"duplicate field", "S-033: strict", webhookAdmission + "kubeConfigFile: /a\nkubeConfigFile: /b\n"},
		{"field of another case", "S-033: strict", webhookAdmission + "kubeconfigfile: /a\n"},
		{"field of another type", "S-033: strict", webhookAdmission + "kubeConfigFile: [1]\n"},
		{"relative kubeconfig", "S-034", webhookAdmission + "kubeConfigFile: ./kubeconfig\n"},
		{"missing kubeconfig", "S-036: read when the plugin is made", webhookAdmission + "kubeConfigFile: DIR/none\n"},
		{"kubeconfig is a folder", "S-036: read when the plugin is made", webhookAdmission + "kubeConfigFile: DIR\n"},
		{"broken kubeconfig", "S-036: read when the plugin is made", webhookAdmission + "kubeConfigFile: DIR/broken\n"},
		{"relative manifests", "S-035", webhookAdmission + "staticManifestsDir: manifests\n"},
		{"missing manifests", "S-035", webhookAdmission + "staticManifestsDir: DIR/none\n"},
		{"manifests are a file", "S-035", webhookAdmission + "staticManifestsDir: DIR/broken\n"},
		{"both are wrong", "S-034, S-035: kubeConfigFile comes first", webhookAdmission + "kubeConfigFile: a\nstaticManifestsDir: b\n"},
		{"nothing configured", "a file of defaults", webhookAdmission},
		{"JSON", "S-030: as good as YAML", `{"apiVersion":"apiserver.config.k8s.io/v1","kind":"WebhookAdmissionConfiguration"}`},
		{"unusable context", "S-036: only contexts and users are used", webhookAdmission + "kubeConfigFile: DIR/dangling\n"},
	}
}

// TestPluginConfigErrors has both registries read the same files. A file that is
// in order shows in the next error, about initializers that are missing.
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
	seen := map[string]bool{}
	for _, tc := range configRows() {
		if tc.name == "" || tc.why == "" || seen[tc.name] {
			t.Fatalf("row %q: needs a name of its own and a why", tc.name)
		}
		seen[tc.name] = true
		for _, name := range upstream.Registered() {
			t.Run(tc.name+"/"+name, func(t *testing.T) {
				config := strings.ReplaceAll(tc.config, "DIR", dir)
				_, want := upstream.InitPlugin(name, strings.NewReader(config), apiadmission.PluginInitializers{})
				_, got := ours.InitPlugin(name, strings.NewReader(config), apiadmission.PluginInitializers{})
				if want == nil || got == nil || want.Error() != got.Error() {
					t.Errorf("error:\nupstream: %v\ngatehouse: %v\nwhy: %s", want, got, tc.why)
				}
			})
		}
	}
}
