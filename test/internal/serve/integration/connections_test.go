package integration_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/reviewtest"
)

// crowd is how many pods are created at the same time.
const crowd = 10

// testServiceConnections is I-L1: concurrent calls have a connection each,
// which later calls reuse.
func testServiceConnections(t *testing.T, s *server) {
	c := s.connect(t, "i-l1", func(namespace string, w *process.Webhooks, through string) registrationv1.WebhookClientConfig {
		s.service(t, namespace, "webhook")
		s.endpoint(t, namespace, "webhook", through)
		return registrationv1.WebhookClientConfig{
			Service: &registrationv1.ServiceReference{Namespace: namespace, Name: "webhook"}, CABundle: w.CA,
		}
	})
	c.create(t, "first")
	first := c.accepted()
	if first < crowd {
		t.Errorf("%d calls at the same time came over %d connections", crowd, first)
	}
	c.create(t, "second")
	if more := c.accepted() - first; more > 0 {
		t.Errorf("there were %d new connections, though as many calls as before", more)
	}
}

// testURLConnections is I-L2: calls to this machine use HTTP/2, and therefore
// one connection.
func testURLConnections(t *testing.T, s *server) {
	c := s.connect(t, "i-l2", func(_ string, w *process.Webhooks, through string) registrationv1.WebhookClientConfig {
		return registrationv1.WebhookClientConfig{URL: new("https://" + through + "/"), CABundle: w.CA}
	})
	// The first call finds out that it is HTTP/2. net/http offers the connection to other
	// calls on a goroutine of its own: a call that needed no new one shows that it has.
	calls, before := 0, int64(-1)
	eventually(t, "a call on an old connection", func() bool {
		before = c.accepted()
		s.createPods(t, c.namespace, fmt.Sprintf("warm-up-%d", calls))
		calls++
		return c.accepted() == before
	})
	for _, batch := range []string{"first", "second"} {
		c.create(t, batch)
		if n := c.accepted() - before; n != 0 {
			t.Errorf("the %s batch made %d new connections, want 0", batch, n)
		}
	}
}

// connected is a namespace with a webhook for its pods, whose connections are
// counted.
type connected struct {
	*server
	namespace string
	accepted  func() int64
	meeting   *meeting
}

// connect installs the webhook at the result of client, which receives the
// counting address.
func (s *server) connect(t *testing.T, name string, client func(namespace string, w *process.Webhooks, through string) registrationv1.WebhookClientConfig) connected {
	t.Helper()
	c := connected{server: s, namespace: s.namespace(t, name), meeting: &meeting{}}
	hooks := process.ServeTLS(t, c.meeting, "webhook."+name+".svc")
	through, accepted := relay(t, hooks.Address)
	c.accepted = accepted
	s.install(t, "mutating", name, registrationv1.MutatingWebhook{
		Name: "admission.integration.test", ClientConfig: client(c.namespace, hooks, through), Rules: on("pods", registrationv1.OperationAll),
		NamespaceSelector: within(c.namespace), AdmissionReviewVersions: []string{"v1beta1"}, TimeoutSeconds: new(int32(30)),
	})
	return c
}

// create creates many pods, whose calls overlap.
func (c connected) create(t *testing.T, batch string) {
	t.Helper()
	c.meeting.expect(crowd)
	var clients sync.WaitGroup
	for i := range crowd {
		clients.Go(func() {
			name := fmt.Sprintf("%s-%d", batch, i)
			if _, err := c.CoreV1().Pods(c.namespace).Create(t.Context(), pod(name), metav1.CreateOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
	clients.Wait()
}

// meeting is a webhook that answers when as many as expected have come.
type meeting struct {
	mu      sync.Mutex
	missing int
	// all is closed when all expected requests are there; nil if none is
	// expected yet.
	all chan struct{}
}

func (m *meeting) expect(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.missing, m.all = n, make(chan struct{})
}

// come returns what is closed when all have come.
func (m *meeting) come() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.missing--; m.missing == 0 {
		close(m.all)
	}
	if m.all == nil {
		complete := make(chan struct{})
		close(complete)
		return complete
	}
	return m.all
}

// ServeHTTP implements http.Handler.
func (m *meeting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-m.come():
	case <-time.After(2 * time.Minute):
		http.Error(w, "an expected request has not arrived", http.StatusInternalServerError)
		return
	}
	reviewtest.Answer(reviewtest.Allow).ServeHTTP(w, r)
}
