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

// scene is one request and the webhooks that it meets.
type scene struct {
	webhooks []*admission.Webhook
	backends backends
	// request defaults to the creation of a pod.
	request request
	// objects default to those of podScheme.
	objects apiadmission.ObjectInterfaces
	// config changes the configuration of the dispatcher.
	config func(*dispatcher.Config)
	// warnings receives the warnings; by default the journal does.
	warnings warning.Recorder
	// wrap changes the attributes of the request.
	wrap func(apiadmission.Attributes) apiadmission.Attributes
}

// result is what a request has left behind.
type result struct {
	*journal
	err        error
	attributes apiadmission.Attributes
	registry   *prometheus.Registry
}

func newResult() *result {
	return &result{journal: &journal{}, registry: prometheus.NewRegistry()}
}

// run takes the request through one phase.
func (s *scene) run(ctx context.Context, t *testing.T, phase admission.Phase) *result {
	t.Helper()
	r := newResult()
	d := s.dispatcher(t, r)
	r.attributes = s.attributes(r.journal)
	ctx = warning.WithWarningRecorder(ctx, s.recorder(r.journal))
	if phase == admission.Mutating {
		r.err = d.Mutating().Admit(ctx, r.attributes, s.interfaces())
	} else {
		r.err = d.Validating().Validate(ctx, r.attributes, s.interfaces())
	}
	return r
}

func (s *scene) interfaces() apiadmission.ObjectInterfaces {
	if s.objects != nil {
		return s.objects
	}
	return apiadmission.NewObjectInterfacesFromScheme(podScheme())
}

func (s *scene) recorder(j *journal) warning.Recorder {
	if s.warnings != nil {
		return s.warnings
	}
	return j
}

func (s *scene) attributes(j *journal) apiadmission.Attributes {
	var a apiadmission.Attributes = &journaling{Attributes: s.request.attributes(), journal: j}
	if s.wrap != nil {
		a = s.wrap(a)
	}
	return a
}

// dispatcher returns one that keeps a journal in the place of the metrics, so
// that the engine runs as it does when nobody observes it.
func (s *scene) dispatcher(t *testing.T, r *result) *dispatcher.Dispatcher {
	t.Helper()
	counters, err := metrics.New(r.registry)
	if err != nil {
		t.Fatal(err)
	}
	config := dispatcher.Config{
		Source:  snapshot(s.webhooks...),
		Client:  s.backends,
		Metrics: tee{counters, r.journal},
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

// sourceFunc is a dispatcher.Source that is a function.
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

// one returns a scene with a single webhook.
func one(phase admission.Phase, e exchange, edits ...func(*admission.Webhook)) *scene {
	return &scene{webhooks: []*admission.Webhook{hook(phase, hookName, edits...)}, backends: backends{hookName: e}}
}

// backends are the webhooks' ends of the line, by name.
type backends map[string]exchange

func (b backends) Endpoint(_ context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	e, ok := b[w.Name]
	if !ok {
		return nil, fmt.Errorf("nobody answers for %s", w.Name)
	}
	return endpoint(w, &http.Client{Transport: e}), nil
}

func endpoint(w *admission.Webhook, c *http.Client) *dispatcher.Endpoint {
	return &dispatcher.Endpoint{URL: url.URL{Scheme: "https", Host: w.Name, Path: "/review"}, HTTP: c}
}

// clientFunc is a dispatcher.Client that is a function.
type clientFunc func(context.Context, *admission.Webhook) (*dispatcher.Endpoint, error)

func (c clientFunc) Endpoint(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	return c(ctx, w)
}
