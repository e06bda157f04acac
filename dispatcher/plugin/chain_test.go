package plugin_test

import (
	"io"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	admissionmetrics "k8s.io/apiserver/pkg/admission/metrics"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/component-base/metrics/legacyregistry"

	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/testutil/testtable"
)

// noConfig is a server without an --admission-control-config-file.
type noConfig struct{}

func (noConfig) ConfigFor(string) (io.Reader, error) { return nil, nil }

// TestChain builds what an API server builds, with nothing but apiserver's own
// initializers and decorators, and takes a request through it (S-024).
func TestChain(t *testing.T) {
	t.Parallel()
	drained := make(chan struct{})
	t.Cleanup(func() { close(drained) })
	h := host{drained: drained, cluster: newCluster(
		configured(plugin.MutatingName, "m", backend(t, patches(`[{"op":"add","path":"/metadata/labels/color","value":"blue"}]`))),
		configured(plugin.ValidatingName, "v", backend(t, denies("too blue"))),
	)}
	plugins := apiadmission.NewPlugins()
	plugin.Register(plugins)
	decorators := apiadmission.Decorators{apiadmission.DecoratorFunc(admissionmetrics.WithControllerMetrics)}
	chain, err := plugins.NewFromPlugins(bothPlugins(), noConfig{}, h.initializers(t), decorators)
	if err != nil {
		t.Fatal(err)
	}
	chain = admissionmetrics.WithStepMetrics(chain)
	h.start(t)

	attributes, objects := creation(), apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme)
	if err := chain.(apiadmission.MutationInterface).Admit(t.Context(), attributes, objects); err != nil {
		t.Fatal(err)
	}
	if got := attributes.GetObject().(*corev1.Pod).Labels["color"]; got != "blue" {
		t.Errorf("the mutating webhook's label is %q", got)
	}
	err = chain.(apiadmission.ValidationInterface).Validate(t.Context(), attributes, objects)
	if want := `admission webhook "v.example.com" denied the request: too blue`; testtable.Text(err) != want {
		t.Errorf("want %s, got %v", want, err)
	}
	// Others count here too, but only a chain counts plugins (S-336).
	for name, step := range map[string]string{plugin.MutatingName: "admit", plugin.ValidatingName: "validate"} {
		if !counted(t, "apiserver_admission_controller_admission_duration_seconds", name, step) {
			t.Errorf("the server's metrics know nothing of %s", name)
		}
	}
	for name, step := range map[string]string{"m.example.com": "admit", "v.example.com": "validating"} {
		if !counted(t, "apiserver_admission_webhook_request_total", name, step) {
			t.Errorf("the server's metrics know nothing of %s", name)
		}
	}
}

// counted reports whether apiserver's global registry has a series of a family
// with the labels name and type.
func counted(t *testing.T, family, name, step string) bool {
	t.Helper()
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != family {
			continue
		}
		for _, m := range f.GetMetric() {
			var values []string
			for _, l := range m.GetLabel() {
				values = append(values, l.GetName()+"="+l.GetValue())
			}
			if slices.Contains(values, "name="+name) && slices.Contains(values, "type="+step) {
				return true
			}
		}
	}
	return false
}
