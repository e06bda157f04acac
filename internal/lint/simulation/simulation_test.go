package simulation_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/simulation"
)

const deadline = 34 * time.Second

func configMap() *admission.Request {
	return &admission.Request{
		Operation: admissionv1.Create, Namespace: "shop", Name: "prices",
		Kind:     corev1.SchemeGroupVersion.WithKind("ConfigMap"),
		Resource: corev1.SchemeGroupVersion.WithResource("configmaps"),
		Object: &corev1.ConfigMap{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "prices"},
		},
		Options: &metav1.CreateOptions{TypeMeta: metav1.TypeMeta{
			APIVersion: "meta.k8s.io/v1", Kind: "CreateOptions",
		}},
		User: &authenticationv1.UserInfo{Username: "ann"},
	}
}

// drawn is a configuration of each phase for ConfigMaps, with backends a, b and c.
func drawn(random *rand.Rand) string {
	var all strings.Builder
	for _, phase := range []string{"Mutating", "Validating"} {
		fmt.Fprintf(&all, "---\napiVersion: admissionregistration.k8s.io/v1\n"+
			"kind: %sWebhookConfiguration\nmetadata: {name: drawn}\nwebhooks:\n", phase)
		for i := range 1 + random.IntN(4) {
			fmt.Fprintf(&all, `- name: w%d.example.com
  clientConfig: {service: {namespace: webhooks, name: %s}}
  rules: [{operations: ["*"], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
  timeoutSeconds: %d
  failurePolicy: %s
  sideEffects: None
  admissionReviewVersions: [v1]
`, i, []string{"a", "b", "c"}[random.IntN(3)], 1+random.IntN(30),
				[]string{"Fail", "Ignore", "Ignore"}[random.IntN(3)])
		}
	}
	return all.String()
}

func read(t *testing.T, text string) *inventory.Inventory {
	t.Helper()
	in, err := inventory.Read(inventory.Files{Paths: []string{"-"}, Stdin: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	return in
}

// TestVirtualTime compares 300 outages with the engine in a bubble of package
// synctest, where hanging webhooks take their time.
func TestVirtualTime(t *testing.T) {
	t.Parallel()
	slow, timedOut, denied := 0, 0, 0
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 0))
		in := read(t, drawn(random))
		down := simulation.Down{}
		for _, service := range []string{"a", "b", "c"} {
			down[inventory.Backend{Namespace: "webhooks", Service: service}] = simulation.State(random.IntN(3))
		}
		s, err := simulation.New(in)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Run(t.Context(), configMap(), deadline, down)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			allowed, elapsed := inRealTime(t, in, down)
			if got.Allowed() != allowed || got.Elapsed != elapsed {
				t.Errorf("seed %d: allowed %t after %s, the engine says %t after %s",
					seed, got.Allowed(), got.Elapsed, allowed, elapsed)
			}
		})
		if got.Elapsed > 0 {
			slow++
		}
		if got.TimedOut {
			timedOut++
		} else if !got.Allowed() {
			denied++
		}
	}
	if slow < 50 || timedOut < 20 || denied < 50 {
		t.Errorf("only %d were slow, %d timed out, %d were denied", slow, timedOut, denied)
	}
}

// inRealTime runs the request with webhooks that take their time. The time is that
// of the bubble.
func inRealTime(
	t *testing.T, in *inventory.Inventory, down simulation.Down,
) (allowed bool, elapsed time.Duration) {
	webhooks, err := source.Fixed(in.Cluster.Configurations)
	if err != nil {
		t.Fatal(err)
	}
	d, err := dispatcher.New(dispatcher.Config{Source: webhooks, Client: backends(down), Namespaces: anyNamespace{}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	began := time.Now()
	response, err := simulate.Request(ctx, d, configMap(), in.Kinds.ObjectInterfaces())
	if err != nil {
		t.Fatal(err)
	}
	return response.Allowed, time.Since(began)
}

type anyNamespace struct{}

func (anyNamespace) Labels(context.Context, string) (map[string]string, error) { return nil, nil }

// backends are webhooks that take their time.
type backends simulation.Down

func (b backends) Endpoint(_ context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	respond := func(r *http.Request) (*http.Response, error) {
		switch b[inventory.BackendOf(w)] {
		case simulation.Refusing:
			return nil, fmt.Errorf("connection refused")
		case simulation.Hanging:
			<-r.Context().Done()
			return nil, r.Context().Err()
		}
		return simulation.Allow(r.Body)
	}
	return &dispatcher.Endpoint{
		URL: url.URL{Scheme: "https", Host: "backend"}, HTTP: &http.Client{Transport: roundTripper(respond)},
	}, nil
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
