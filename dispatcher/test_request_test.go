package dispatcher_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/warning"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/matching"
	"example.com/gatehouse/metrics"
)

// testRequest is one request and the webhooks that match it.
type testRequest struct {
	webhooks []*admission.Webhook
	backends backends
	// request defaults to the creation of a pod.
	request request
	// objects default to those of podScheme.
	objects apiadmission.ObjectInterfaces
	// config changes the configuration of the dispatcher.
	config func(*dispatcher.Config)
	// warnings receives the warnings; by default the recorder does.
	warnings warning.Recorder
	// wrap changes the attributes of the request.
	wrap func(apiadmission.Attributes) apiadmission.Attributes
}

// result is everything that a request produced.
type result struct {
	*recorder
	err        error
	attributes apiadmission.Attributes
	registry   *prometheus.Registry
}

func newResult() *result {
	return &result{recorder: &recorder{}, registry: prometheus.NewRegistry()}
}

// run sends the request through one phase.
func (s *testRequest) run(ctx context.Context, t *testing.T, phase admission.Phase) *result {
	t.Helper()
	r := newResult()
	d := s.dispatcher(t, r)
	r.attributes = s.attributes(r.recorder)
	ctx = warning.WithWarningRecorder(ctx, s.warningRecorder(r.recorder))
	if phase == admission.Mutating {
		r.err = d.Mutating().Admit(ctx, r.attributes, s.interfaces())
	} else {
		r.err = d.Validating().Validate(ctx, r.attributes, s.interfaces())
	}
	return r
}

func (s *testRequest) interfaces() apiadmission.ObjectInterfaces {
	if s.objects != nil {
		return s.objects
	}
	return apiadmission.NewObjectInterfacesFromScheme(podScheme())
}

func (s *testRequest) warningRecorder(j *recorder) warning.Recorder {
	if s.warnings != nil {
		return s.warnings
	}
	return j
}

func (s *testRequest) attributes(j *recorder) apiadmission.Attributes {
	var a apiadmission.Attributes = &recordingAttributes{Attributes: s.request.attributes(), recorder: j}
	if s.wrap != nil {
		a = s.wrap(a)
	}
	return a
}

// dispatcher returns a dispatcher that records only metrics and calls, so that
// the engine runs as it does without explanations.
func (s *testRequest) dispatcher(t *testing.T, r *result) *dispatcher.Dispatcher {
	t.Helper()
	counters, err := metrics.New(r.registry)
	if err != nil {
		t.Fatal(err)
	}
	config := dispatcher.Config{
		Source:  snapshot(s.webhooks...),
		Client:  s.backends,
		Metrics: recorders{counters, r.recorder},
	}
	if s.config != nil {
		s.config(&config)
	}
	d, err := dispatcher.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// sourceFunc is a function as a dispatcher.Source.
type sourceFunc func(context.Context) (*matching.Snapshot, error)

func (s sourceFunc) Current(ctx context.Context) (*matching.Snapshot, error) { return s(ctx) }

// snapshot returns a source of these webhooks, in this order.
func snapshot(webhooks ...*admission.Webhook) sourceFunc {
	byPhase := map[admission.Phase][]*admission.Webhook{}
	for _, w := range webhooks {
		byPhase[w.Phase] = append(byPhase[w.Phase], w)
	}
	compiler := matching.NewCompiler()
	s := matching.NewSnapshot(
		compiler.Compile(byPhase[admission.Mutating]), compiler.Compile(byPhase[admission.Validating]))
	return func(context.Context) (*matching.Snapshot, error) { return s, nil }
}

// hookName is the webhook of tests that need only one.
const hookName = "hook.example.com"

// hook returns a webhook that every request visits.
func hook(phase admission.Phase, name string, edits ...func(*admission.Webhook)) *admission.Webhook {
	w := &admission.Webhook{
		Phase:         phase,
		Configuration: "config",
		UID:           "config/" + name + "/0",
		Name:          name,
		Rules: []registrationv1.RuleWithOperations{{
			Operations: []registrationv1.OperationType{"*"},
			Rule:       registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"}},
		}},
		FailurePolicy:           new(registrationv1.Fail),
		NamespaceSelector:       &metav1.LabelSelector{},
		ObjectSelector:          &metav1.LabelSelector{},
		SideEffects:             new(registrationv1.SideEffectClassNone),
		TimeoutSeconds:          new(int32(10)),
		AdmissionReviewVersions: []string{"v1"},
	}
	for _, edit := range edits {
		edit(w)
	}
	return w
}

func ignoring(w *admission.Webhook) { w.FailurePolicy = new(registrationv1.Ignore) }
func reinvocable(w *admission.Webhook) {
	w.ReinvocationPolicy = new(registrationv1.IfNeededReinvocationPolicy)
}

// one returns a testRequest with a single webhook.
func one(phase admission.Phase, e exchange, edits ...func(*admission.Webhook)) *testRequest {
	return &testRequest{webhooks: []*admission.Webhook{hook(phase, hookName, edits...)}, backends: backends{hookName: e}}
}

// backends are the webhooks' servers, by name.
type backends map[string]exchange

func (b backends) Endpoint(_ context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	e, ok := b[w.Name]
	if !ok {
		return nil, fmt.Errorf("the test has no answer for %s", w.Name)
	}
	return endpoint(w, &http.Client{Transport: e}), nil
}

func endpoint(w *admission.Webhook, c *http.Client) *dispatcher.Endpoint {
	return &dispatcher.Endpoint{URL: url.URL{Scheme: "https", Host: w.Name, Path: "/review"}, HTTP: c}
}

// clientFunc is a function as a dispatcher.Client.
type clientFunc func(context.Context, *admission.Webhook) (*dispatcher.Endpoint, error)

func (c clientFunc) Endpoint(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	return c(ctx, w)
}
