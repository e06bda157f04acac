//go:build failpoints

package failpoints

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/warning"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/matching"
	"example.com/gatehouse/metrics"
	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/internal/soak/request"
)

// world is the environment of a request: webhooks, engine, host. It belongs to
// one synctest bubble.
type world struct {
	*dispatcher.Dispatcher
	kind     *kind
	client   *client.Client
	open     atomic.Int64 // connections
	registry *prometheus.Registry
	budget   *limits.Budget
	request  *noting
}

// names are those of the webhooks, and of the labels that they set.
var names = [webhooks]string{"first", "second"}

func webhookName(i int) string { return names[i] + ".example.com" }

// newWorld starts the servers of a run, and ends them with the test.
func newWorld(t *testing.T, r *run) *world {
	t.Helper()
	servers := map[string]*faultserver.Server{}
	found := map[admission.Phase][]*admission.Webhook{}
	for i, name := range names {
		server, err := faultserver.InMemory(r.script(i))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := server.Close(); err != nil {
				t.Error(err)
			}
		})
		servers[name] = server
		found[r.phase] = append(found[r.phase], r.configure(i, server.CABundle()))
	}
	k := r.kind
	w := &world{kind: k, registry: prometheus.NewRegistry(), budget: limits.NewBudget(0)}
	w.client = w.connect(t, servers)
	counters, err := metrics.New(w.registry)
	if err != nil {
		t.Fatal(err)
	}
	compiler := matching.NewCompiler()
	w.Dispatcher, err = dispatcher.New(dispatcher.Config{
		Source:  source{matching.NewSnapshot(compiler.Compile(found[admission.Mutating]), compiler.Compile(found[admission.Validating]))},
		Client:  w.client,
		Metrics: counters,
		Limits:  limits.Limits{Budget: w.budget},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.request = &noting{Attributes: &request.Attributes{
		Attributes: apiadmission.NewAttributesRecord(k.object(), nil, k.kind, "shop", "web", k.resource, "",
			apiadmission.Create, &metav1.CreateOptions{}, false, &user.DefaultInfo{Name: "ann"}),
	}}
	return w
}

// connect returns a client of the servers.
func (w *world) connect(t *testing.T, servers map[string]*faultserver.Server) *client.Client {
	t.Helper()
	c, err := client.New(client.Config{
		Proxy: func(*http.Request) (*url.URL, error) { return nil, nil },
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			service, _, _ := strings.Cut(address, ".")
			conn, err := servers[service].Dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			w.open.Add(1)
			return &closing{Conn: conn, open: &w.open}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// closing is a connection that is counted as long as it is open.
type closing struct {
	net.Conn
	open *atomic.Int64
	once sync.Once
}

// Close implements net.Conn.
func (c *closing) Close() error {
	c.once.Do(func() { c.open.Add(-1) })
	return c.Conn.Close()
}

// source has always the same webhooks.
type source struct{ *matching.Snapshot }

// Current implements dispatcher.Source.
func (s source) Current(context.Context) (*matching.Snapshot, error) { return s.Snapshot, nil }

// configure returns a webhook that every request visits.
func (r *run) configure(i int, ca []byte) *admission.Webhook {
	version, policy, match := "v1", registrationv1.Fail, registrationv1.Equivalent
	if i > 0 {
		version = r.kind.second
	}
	if r.ignore {
		policy = registrationv1.Ignore
	}
	seconds := int32(timeout / time.Second)
	return &admission.Webhook{
		Phase: r.phase, Configuration: "config", UID: "config/" + names[i] + "/0", Name: webhookName(i),
		ClientConfig: registrationv1.WebhookClientConfig{
			Service: &registrationv1.ServiceReference{Namespace: "shop", Name: names[i]}, CABundle: ca,
		},
		Rules: []registrationv1.RuleWithOperations{{
			Operations: []registrationv1.OperationType{"*"},
			Rule:       registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{version}, Resources: []string{"*"}},
		}},
		FailurePolicy: &policy, MatchPolicy: &match, TimeoutSeconds: &seconds,
		NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{},
		SideEffects:             new(registrationv1.SideEffectClassNone),
		AdmissionReviewVersions: []string{"v1"},
	}
}

// operation is the one operation that patches repeat; many of them take longer
// to apply than the request has.
const (
	operation = `{"op":"add","path":"/metadata/labels/%s","value":"seen"}`
	many      = 100
)

// script admits, with an annotation and a warning, and in the mutating phase
// with a patch.
func (r *run) script(i int) faultserver.Script {
	review := &faultserver.Review{
		Allowed: true, Warnings: []string{names[i]}, AuditAnnotations: map[string]string{"seen": "yes"},
	}
	body := &faultserver.Body{Review: review}
	if r.long {
		body.Pad = 80 << 10 // large enough to be decoded on a detached goroutine
	}
	if r.phase == admission.Mutating {
		review.Patch = faultserver.Plain("[" + r.operations(i) + "]")
	}
	return faultserver.Script{Requests: [][]faultserver.Step{{
		{Sleep: faultserver.Duration(thinking[i])},
		{Answer: &faultserver.Answer{Body: body, BodyPace: &faultserver.Pace{
			Split: []int{40}, Pause: faultserver.Duration(trickling),
		}}},
	}}}
}

// noting are attributes that record the annotations.
type noting struct {
	*request.Attributes
	warnings []string
}

// AddWarning implements warning.Recorder.
func (n *noting) AddWarning(_, text string) { n.warnings = append(n.warnings, text) }

// send takes the request through a phase. A panic that leaves the engine is one
// of the test.
func (w *world) send(ctx context.Context, phase admission.Phase) error {
	ctx = warning.WithWarningRecorder(ctx, w.request)
	if phase == admission.Mutating {
		return w.Mutating().Admit(ctx, w.request, w.kind.objects())
	}
	return w.Validating().Validate(ctx, w.request, w.kind.objects())
}
