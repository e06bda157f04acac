package source_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	registrationclient "k8s.io/client-go/kubernetes/typed/admissionregistration/v1"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/source"
)

const (
	churnBursts  = 1000
	churnUpdates = 6 // per burst
	churnSenders = 8
)

// TestChurn sends requests through a dispatcher while a configuration is
// created, updated and deleted on a fake API server, whose informers the source
// follows. A request must visit a state that was in force between its start and
// its end: none older than the last state delivered before the start, and none
// that was not written before the end. After every burst of changes a request
// must visit the last state.
func TestChurn(t *testing.T) {
	t.Parallel()
	c := newChurn(t)
	var senders sync.WaitGroup
	var sent, visits atomic.Int64
	for range churnSenders {
		senders.Go(func() {
			for range c.starts {
				sent.Add(1)
				if c.request(t) {
					visits.Add(1)
				}
			}
		})
	}
	start := time.Now()
	func() {
		defer senders.Wait()
		defer close(c.starts)
		for burst := range churnBursts {
			if !c.burst(t, burst) {
				break
			}
		}
	}()
	t.Logf("%d writes in %d bursts took %v; of %d requests meanwhile %d visited the webhook",
		c.written.Load(), churnBursts, time.Since(start), sent.Load(), visits.Load())
	if visits.Load() == 0 {
		t.Error("no request visited the webhook: there was nothing to see")
	}
}

// churn is a server whose configuration changes, and a dispatcher that follows.
type churn struct {
	configs    registrationclient.ValidatingWebhookConfigurationInterface
	dispatcher *dispatcher.Dispatcher
	objects    apiadmission.ObjectInterfaces
	// written is the last state that the server may have, delivered the last
	// one that was delivered to the source.
	written, delivered *atomic.Int64
	// starts gives the senders something to do whenever something is written,
	// if they are not busy: requests and changes come together, however fast
	// the machine is.
	starts chan struct{}
}

func newChurn(t *testing.T) *churn {
	t.Helper()
	client := fake.NewSimpleClientset(state(0))
	factory := informers.NewSharedInformerFactory(client, 0)
	tapped := tap{factory.Admissionregistration().V1().ValidatingWebhookConfigurations(), &atomic.Int64{}}
	s, err := source.Informers(source.Watched{Validating: tapped})
	if err != nil {
		t.Fatal(err)
	}
	d, err := dispatcher.New(dispatcher.Config{Source: s, Client: visited{}})
	if err != nil {
		t.Fatal(err)
	}
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	factory.Start(stop)
	t.Cleanup(func() { s.Close(); close(stop); factory.Shutdown() })
	// Wait, because the fake watch misses earlier writes.
	factory.WaitForCacheSync(stop)
	return &churn{
		configs:    client.AdmissionregistrationV1().ValidatingWebhookConfigurations(),
		dispatcher: d,
		objects:    apiadmission.NewObjectInterfacesFromScheme(scheme),
		written:    new(atomic.Int64),
		delivered:  tapped.delivered,
		starts:     make(chan struct{}, churnSenders),
	}
}

// write takes the server to the next state.
func (c *churn) write(t *testing.T) {
	t.Helper()
	select {
	case c.starts <- struct{}{}:
	default:
	}
	var err error
	switch n := c.written.Add(1); {
	case absent(n):
		err = c.configs.Delete(t.Context(), "churn", metav1.DeleteOptions{})
	case absent(n - 1):
		_, err = c.configs.Create(t.Context(), state(n), metav1.CreateOptions{})
	default:
		_, err = c.configs.Update(t.Context(), state(n), metav1.UpdateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// burst writes a burst and reports whether nothing is stale afterwards. Of two
// deletions it checks the first; the second is followed by a creation at once.
func (c *churn) burst(t *testing.T, burst int) bool {
	t.Helper()
	if burst%10 == 9 {
		c.write(t)
		if burst%20 == 9 && !c.checkCurrent(t, burst) {
			return false
		}
		c.write(t)
	}
	for range churnUpdates {
		c.write(t)
	}
	return c.checkCurrent(t, burst)
}

// checkCurrent waits until the last state was delivered to the source, and
// reports whether a request visits it.
func (c *churn) checkCurrent(t *testing.T, burst int) bool {
	t.Helper()
	last := c.written.Load()
	for deadline := time.Now().Add(2 * time.Minute); c.delivered.Load() != last; time.Sleep(20 * time.Microsecond) {
		if time.Now().After(deadline) {
			t.Errorf("burst %d: state %d was written, but %d was delivered last", burst, last, c.delivered.Load())
			return false
		}
	}
	if got, err := c.send(t.Context()); err != nil || got != pathOf(last) {
		t.Errorf("burst %d: a request visited %q, want %q (error %v)", burst, got, pathOf(last), err)
		return false
	}
	return true
}

// request sends a request, checks where it came and reports whether that was
// the webhook.
func (c *churn) request(t *testing.T) bool {
	oldest := c.delivered.Load()
	path, err := c.send(t.Context())
	newest := c.written.Load()
	if err != nil {
		t.Error(err)
		return false
	}
	for n := oldest; n <= newest; n++ {
		if path == pathOf(n) {
			return path != ""
		}
	}
	t.Errorf("visited %q, although it began after state %d was delivered and ended before %d was written", path, oldest, newest+1)
	return false
}

// send takes a request through the validating phase and returns the path that
// the webhook was called under, if it was.
func (c *churn) send(ctx context.Context) (string, error) {
	var path string
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}}
	attributes := apiadmission.NewAttributesRecord(pod, nil, corev1.SchemeGroupVersion.WithKind("Pod"), "", "web",
		corev1.SchemeGroupVersion.WithResource("pods"), "", apiadmission.Create, &metav1.CreateOptions{}, false,
		&user.DefaultInfo{Name: "ann"})
	ctx = context.WithValue(ctx, pathKey{}, &path)
	err := c.dispatcher.Validating().Validate(ctx, attributes, c.objects)
	return path, err
}
