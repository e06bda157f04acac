package plugin_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// manifest is a static configuration of the plugin's kind, with another webhook
// name that sees everything.
func manifest(t *testing.T, name, configuration string, answer http.HandlerFunc) string {
	t.Helper()
	client := backend(t, answer)
	kind := strings.TrimSuffix(name, "AdmissionWebhook") + "WebhookConfiguration"
	return fmt.Sprintf(`apiVersion: admissionregistration.k8s.io/v1
kind: %s
metadata: {name: %s.static.k8s.io}
webhooks:
- name: %s.example.com
  clientConfig: {url: %q, caBundle: %s}
  rules: [{operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`, kind, configuration, configuration, *client.URL, base64.StdEncoding.EncodeToString(client.CABundle))
}

// folder makes a folder of manifests, and the configuration of a plugin that
// has it.
func folder(t *testing.T, manifests ...string) (dir string, config *strings.Reader) {
	t.Helper()
	dir = t.TempDir()
	for i, content := range manifests {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.yaml", i)), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, strings.NewReader(webhookAdmission + "staticManifestsDir: " + dir + "\n")
}

// policy is the creation of a ValidatingAdmissionPolicy.
func policy() apiadmission.Attributes {
	object := &registrationv1.ValidatingAdmissionPolicy{
		TypeMeta:   metav1.TypeMeta{APIVersion: "admissionregistration.k8s.io/v1", Kind: "ValidatingAdmissionPolicy"},
		ObjectMeta: metav1.ObjectMeta{Name: "p"},
	}
	gv := registrationv1.SchemeGroupVersion
	return apiadmission.NewAttributesRecord(object, nil, gv.WithKind("ValidatingAdmissionPolicy"), "", "p",
		gv.WithResource("validatingadmissionpolicies"), "", apiadmission.Create, &metav1.CreateOptions{}, false, &user.DefaultInfo{Name: "kim"})
}

const deniedBy = `admission webhook "%s.example.com" denied the request: no`

// TestStaticManifests requires a static webhook to receive requests before the
// webhooks of the API, and also requests for exempt kinds (S-051, S-052).
func TestStaticManifests(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		_, config := folder(t, manifest(t, name, "static", denies("no")))
		h := host{config: config, cluster: newCluster(configured(name, "a", backend(t, denies("no"))))}
		p := h.open(t, name)
		want := fmt.Sprintf(deniedBy, "static")
		for what, attributes := range map[string]apiadmission.Attributes{"pod": creation(), "policy": policy()} {
			if got := testtable.Text(admitted(t.Context(), p, attributes)); got != want {
				t.Errorf("%s, %s: want %s, got %s", name, what, want, got)
			}
		}
	}
}

// TestStaticManifestsAllow requires requests that static webhooks allow to
// reach the webhooks of the API, except for exempt kinds.
func TestStaticManifestsAllow(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		_, config := folder(t, manifest(t, name, "static", allows()))
		h := host{config: config, cluster: newCluster(configured(name, "a", backend(t, denies("no"))))}
		p := h.open(t, name)
		if got, want := testtable.Text(admit(t.Context(), p)), fmt.Sprintf(deniedBy, "a"); got != want {
			t.Errorf("%s: want %s, got %s", name, want, got)
		}
		if err := admitted(t.Context(), p, policy()); err != nil {
			t.Errorf("%s: a policy is refused: %v", name, err)
		}
	}
}

// TestStaticManifestsDoNotWait requires static webhooks to receive a policy
// before the informers have synced; a pod has to wait (S-010).
func TestStaticManifestsDoNotWait(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		_, config := folder(t, manifest(t, name, "static", denies("no")))
		p := (&host{config: config, cluster: newCluster()}).prepare(t, name)
		if got, want := testtable.Text(admitted(t.Context(), p, policy())), fmt.Sprintf(deniedBy, "static"); got != want {
			t.Errorf("%s: want %s, got %s", name, want, got)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if got := testtable.Text(admit(ctx, p)); got != notReady {
			t.Errorf("%s: want %s, got %s", name, notReady, got)
		}
	}
}

// TestStaticManifestsExcluded requires static webhooks not to receive excluded
// resources (S-052).
func TestStaticManifestsExcluded(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		_, config := folder(t, manifest(t, name, "static", denies("no")))
		h := host{config: config, cluster: newCluster(), exclude: true, excluded: []schema.GroupResource{{Resource: "pods"}}}
		if err := admit(t.Context(), h.open(t, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestStaticManifestsReload exchanges a manifest while requests come (S-049).
func TestStaticManifestsReload(t *testing.T) {
	t.Parallel()
	for _, options := range [][]plugin.Option{nil, {plugin.WithExact()}} {
		for _, name := range bothPlugins() {
			dir, config := folder(t, manifest(t, name, "first", denies("no")))
			second := manifest(t, name, "second", denies("no"))
			p := (&host{config: config, cluster: newCluster(), options: options}).open(t, name)
			if err := os.WriteFile(filepath.Join(dir, "new"), []byte(second), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "0.yaml")); err != nil {
				t.Fatal(err)
			}
			for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
				got := testtable.Text(admit(t.Context(), p))
				if got == fmt.Sprintf(deniedBy, "second") {
					break
				}
				if got != fmt.Sprintf(deniedBy, "first") || time.Now().After(deadline) {
					t.Fatalf("%s: %s", name, got)
				}
			}
		}
	}
}

// TestStaticManifestErrors: an error aborts start-up (S-007, S-047).
func TestStaticManifestErrors(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		dir, config := folder(t, "apiVersion: v1\nkind: Pod\n")
		h := host{cluster: newCluster(), drained: make(chan struct{})}
		initialize := func(config *strings.Reader) string {
			plugins := apiadmission.NewPlugins()
			plugin.Register(plugins)
			_, err := plugins.InitPlugin(name, config, h.initializers(t))
			return strings.TrimPrefix(testtable.Text(err), `failed to initialize admission plugin "`+name+`": `)
		}
		want := fmt.Sprintf(`failed to load static webhook manifests from %q: error loading %s/0.yaml: no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"`, dir, dir)
		if got := initialize(config); got != want {
			t.Errorf("%s:\nwant %s\ngot  %s", name, want, got)
		}
		h.drained = nil
		_, config = folder(t)
		want = "stopCh not set: WantsDrainedNotification must be called before ValidateInitialization"
		if got := initialize(config); got != want {
			t.Errorf("%s:\nwant %s\ngot  %s", name, want, got)
		}
	}
}

// TestHostsLoader requires the plugin of a phase to use the host's loader for
// that phase.
func TestHostsLoader(t *testing.T) {
	t.Parallel()
	refuse := errors.New("the host's own loader")
	m := func(string) ([]*registrationv1.MutatingWebhookConfiguration, string, error) { return nil, "", refuse }
	v := func(string) ([]*registrationv1.ValidatingWebhookConfiguration, string, error) { return nil, "", refuse }
	for _, name := range bothPlugins() {
		for _, loaders := range []struct {
			given *initializer.ManifestLoaders
			used  bool
		}{
			{nil, false},
			{&initializer.ManifestLoaders{}, false},
			{&initializer.ManifestLoaders{LoadMutatingWebhookManifests: m}, name == plugin.MutatingName},
			{&initializer.ManifestLoaders{LoadValidatingWebhookManifests: v}, name == plugin.ValidatingName},
		} {
			_, config := folder(t)
			h := host{cluster: newCluster(), drained: make(chan struct{})}
			plugins := apiadmission.NewPlugins()
			plugin.Register(plugins)
			_, err := plugins.InitPlugin(name, config, append(h.initializers(t), speaker(func(p apiadmission.Interface) {
				p.(initializer.WantsManifestLoaders).SetManifestLoaders(loaders.given)
			})))
			close(h.drained)
			if strings.HasSuffix(testtable.Text(err), refuse.Error()) != loaders.used {
				t.Errorf("%s: with %+v: %v", name, loaders.given, err)
			}
		}
	}
}

// TestHostsManifests has the host's loader give a configuration.
func TestHostsManifests(t *testing.T) {
	t.Parallel()
	given := configured(plugin.ValidatingName, "a", backend(t, denies("no"))).(*registrationv1.ValidatingWebhookConfiguration)
	_, config := folder(t)
	h := host{cluster: newCluster(), drained: make(chan struct{})}
	defer close(h.drained)
	plugins := apiadmission.NewPlugins()
	plugin.Register(plugins)
	loaders := &initializer.ManifestLoaders{LoadValidatingWebhookManifests: func(string) ([]*registrationv1.ValidatingWebhookConfiguration, string, error) {
		return []*registrationv1.ValidatingWebhookConfiguration{given}, "h", nil
	}}
	p, err := plugins.InitPlugin(plugin.ValidatingName, config, append(h.initializers(t), speaker(func(p apiadmission.Interface) {
		p.(initializer.WantsManifestLoaders).SetManifestLoaders(loaders)
	})))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := testtable.Text(admitted(t.Context(), p, policy())), fmt.Sprintf(deniedBy, "a"); got != want {
		t.Errorf("want %s, got %s", want, got)
	}
}

// TestStaticManifestsAreToldOf checks log and metrics of a plugin whose
// manifests are loaded, broken, repaired and changed (S-049, S-050, S-054). It
// is not parallel, because the log is global; it uses WithExact, because that
// is faster.
func TestStaticManifestsAreToldOf(t *testing.T) {
	defer klog.CaptureState().Restore()
	const (
		total = "apiserver_manifest_admission_config_controller_automatic_reloads_total"
		info  = "apiserver_manifest_admission_config_controller_last_config_info"
	)
	log := &sharedLog{}
	klog.SetLogger(textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(log))))
	for _, name := range bothPlugins() {
		t.Run(name, func(t *testing.T) {
			eventually := func(what string, happened func() bool) {
				t.Helper()
				for deadline := time.Now().Add(time.Minute); !happened(); time.Sleep(time.Millisecond) {
					if time.Now().After(deadline) {
						t.Fatalf("no %s; the log is\n%s", what, log.String())
					}
				}
			}
			expect := func(line string) {
				t.Helper()
				eventually(line, func() bool { return strings.Contains(log.String(), line) })
			}
			dir, config := folder(t, manifest(t, name, "a", allows()))
			successes, failures := counts(t, total, name, "success"), counts(t, total, name, "failure")
			h := host{config: config, cluster: newCluster(), options: []plugin.Option{plugin.WithExact()}, drained: make(chan struct{})}
			before := goleak.IgnoreCurrent()
			defer func() {
				close(h.drained)
				if err := leaktest.Find(before); err != nil { // after this, no goroutine logs
					t.Errorf("after the last request: %v", err)
				}
			}()
			h.prepare(t, name)
			expect(fmt.Sprintf(`"Loaded manifest-based webhook configurations" plugin=%q configurations=1`, name))
			// What is logged is counted next.
			eventually("success counted", func() bool { return counts(t, total, name, "success")-successes == 1 })
			eventually("hash shown", func() bool { return counts(t, info, name, "sha256:") == 1 })
			if err := os.WriteFile(filepath.Join(dir, "b.json"), []byte("{}"), 0o600); err != nil {
				t.Fatal(err)
			}
			expect(fmt.Sprintf(`"reloading admission manifest config" err="error loading %s/b.json: Object 'Kind' is missing in '{}'" plugin=%q dir=%q`, dir, name, dir))
			eventually("failure counted", func() bool { return counts(t, total, name, "failure") > failures })
			for _, file := range []string{"b.json", "0.yaml"} {
				if err := os.Remove(filepath.Join(dir, file)); err != nil {
					t.Fatal(err)
				}
			}
			expect(fmt.Sprintf(`"reloaded admission manifest config" plugin=%q dir=%q`, name, dir))
		})
	}
}

// counts adds up the series of a global family that belong to the plugin and
// have another label whose value has the prefix.
func counts(t *testing.T, family, name, begin string) float64 {
	t.Helper()
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, f := range families {
		if f.GetName() != family {
			continue
		}
		for _, m := range f.GetMetric() {
			fits, ours := false, false
			for _, l := range m.GetLabel() {
				switch l.GetName() {
				case "plugin":
					ours = l.GetValue() == name
				case "status", "hash":
					fits = strings.HasPrefix(l.GetValue(), begin)
				}
			}
			if fits && ours {
				sum += m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	return sum
}
