package embedding

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/dispatcher/source/static"
	"example.com/gatehouse/internal/certs"
)

const (
	// manifestsScenario is the scenario for which the static manifests are.
	manifestsScenario = "manifests"
	// staticHook is a webhook of static manifests, in each phase. There is
	// another one, whose failurePolicy is Ignore, and which is not served.
	staticHook = "static"
)

// admissionConfig is the configuration of a server's plugins: credentials for
// webhooks, and static manifests with webhooks for a group in a namespace.
func admissionConfig(t *testing.T, h *hooks, group, namespace string) string {
	t.Helper()
	meta := metav1.ObjectMeta{Name: "manifest.static.k8s.io"}
	version := registrationv1.SchemeGroupVersion
	mutating := &registrationv1.MutatingWebhookConfiguration{ObjectMeta: meta}
	mutating.SetGroupVersionKind(version.WithKind("MutatingWebhookConfiguration"))
	validating := &registrationv1.ValidatingWebhookConfiguration{ObjectMeta: meta}
	validating.SetGroupVersionKind(version.WithKind("ValidatingWebhookConfiguration"))
	for _, phase := range []string{"mutating", "validating"} {
		for _, of := range []hook{{name: phase + "-" + staticHook}, {name: phase + "-" + staticHook + "-failing", open: true}} {
			webhook := of.configured(h, namespace, everything(group, "*"))
			if phase == "mutating" {
				mutating.Webhooks = append(mutating.Webhooks, mutatingHook(webhook, false))
			} else {
				validating.Webhooks = append(validating.Webhooks, webhook)
			}
		}
	}
	kubeconfig := writeCallerKubeconfig(t, h)
	var plugins []any
	for name, manifest := range map[string]runtime.Object{plugin.MutatingName: mutating, plugin.ValidatingName: validating} {
		plugins = append(plugins, map[string]any{"name": name, "configuration": map[string]any{
			"apiVersion": "apiserver.config.k8s.io/v1", "kind": "WebhookAdmissionConfiguration",
			"kubeConfigFile": kubeconfig, "staticManifestsDir": filepath.Dir(writeJSON(t, "manifest.json", manifest)),
		}})
	}
	return writeJSON(t, "admission.json", map[string]any{
		"apiVersion": "apiserver.config.k8s.io/v1", "kind": "AdmissionConfiguration", "plugins": plugins,
	})
}

// writeCallerKubeconfig returns a kubeconfig for the plugins: they show a
// client certificate to one service.
func writeCallerKubeconfig(t *testing.T, h *hooks) string {
	t.Helper()
	chain, key, err := certs.PEM(h.certificate)
	if err != nil {
		t.Fatal(err)
	}
	file := clientcmdapi.NewConfig()
	file.AuthInfos[certifiedService+"."+serviceNamespace+".svc"] = &clientcmdapi.AuthInfo{
		ClientCertificateData: chain, ClientKeyData: key,
	}
	path := filepath.Join(t.TempDir(), "webhooks.kubeconfig")
	if err := clientcmd.WriteToFile(*file, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// writeJSON returns a file in a folder of its own.
func writeJSON(t *testing.T, name string, content any) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	text, err := json.Marshal(content)
	if err := errors.Join(err, os.WriteFile(path, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

// manifestLoaders gives upstream's plugins gatehouse's loader of manifests:
// kube-apiserver's is in no module. gatehouse's plugins need none.
type manifestLoaders struct{}

// Initialize implements apiadmission.PluginInitializer.
func (manifestLoaders) Initialize(made apiadmission.Interface) {
	wants, ok := made.(initializer.WantsManifestLoaders)
	if !ok {
		return
	}
	wants.SetManifestLoaders(&initializer.ManifestLoaders{
		LoadMutatingWebhookManifests: func(dir string) ([]*registrationv1.MutatingWebhookConfiguration, string, error) {
			return loadManifests[*registrationv1.MutatingWebhookConfiguration](dir, admission.Mutating)
		},
		LoadValidatingWebhookManifests: func(dir string) ([]*registrationv1.ValidatingWebhookConfiguration, string, error) {
			return loadManifests[*registrationv1.ValidatingWebhookConfiguration](dir, admission.Validating)
		},
	})
}

func loadManifests[C runtime.Object](dir string, phase admission.Phase) (typed []C, hash string, err error) {
	found, hash, err := static.Load(dir, phase)
	for _, c := range found {
		of, ok := c.(C)
		if !ok {
			return nil, "", fmt.Errorf("a manifest of the other phase: %T", c)
		}
		typed = append(typed, of)
	}
	return typed, hash, err
}
