package conformance

import (
	"context"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"example.com/gatehouse/test/conformance"
)

// proxies is a defaulter that gives pods a proxy, before the containers that
// they have or behind them.
type proxies struct{ first bool }

// Default implements admission.Defaulter.
func (p proxies) Default(_ context.Context, pod *corev1.Pod) error {
	if slices.ContainsFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == "proxy" }) {
		return nil
	}
	proxy := corev1.Container{Name: "proxy", Image: "registry.example.com/proxy:1.0"}
	at := len(pod.Spec.Containers)
	if p.first {
		at = 0
	}
	pod.Spec.Containers = slices.Insert(pod.Spec.Containers, at, proxy)
	return nil
}

// TestLists is about what the page says of lists, which the project has none
// of.
func TestLists(t *testing.T) {
	for first, want := range map[bool]conformance.Verdict{true: conformance.Fail, false: conformance.Pass} {
		r, err := conformance.Run(t.Context(), conformance.Subject{
			URL: "https://proxies.example.com/", Handler: admission.WithDefaulter[*corev1.Pod](clientgoscheme.Scheme, proxies{first}),
			Samples: []string{"testdata/pod.yaml"}, Only: []string{"C-UNKNOWN-FIELDS"}, Log: t.Output(),
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.VerdictOf("C-UNKNOWN-FIELDS"); got != want {
			t.Errorf("the proxy first: %t: got %s, want %s\n%s", first, got, want, r.Text("C-UNKNOWN-FIELDS"))
		}
	}
}
