package plugin_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/client-go/informers"
	"pgregory.net/rapid"

	"example.com/gatehouse/dispatcher/plugin"
)

// TestLife draws lives of plugins: they are initialized, requests come from several
// goroutines while the configuration changes, comes and goes, other informers are set,
// the server is drained, late requests come, and another plugin is initialized. A
// request must see a revision that was written before its end, and none that is older
// than what an earlier request has seen. -rapid.checks and -rapid.steps draw more.
func TestLife(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := backend(t, deniesWithPath)
			rapid.Check(t, func(r *rapid.T) {
				l := newLife(t, name, client)
				defer l.end(r)
				l.initialize(r)
				r.Repeat(map[string]func(*rapid.T){
					"initialize":        l.initialize,
					"initialize twice":  l.validate,
					"other informers":   l.follow,
					"write":             l.write,
					"write in a burst":  func(r *rapid.T) { l.write(r); l.write(r); l.write(r) },
					"delete":            l.delete,
					"request":           l.request,
					"begin load":        l.begin,
					"end load":          func(*rapid.T) { l.rest() },
					"converge":          l.converge,
					"drain":             l.drain,
					"drain during load": func(r *rapid.T) { l.begin(r); l.drain(r) },
				})
			})
		})
	}
}

// deniesWithPath is a webhook that denies with the path that it was called under.
func deniesWithPath(w http.ResponseWriter, r *http.Request) {
	says(func(a *admissionv1.AdmissionResponse) {
		a.Allowed, a.Result = false, &metav1.Status{Message: r.URL.Path}
	})(w, r)
}

// life is a server with a configuration that may change, and the plugins that it had.
type life struct {
	t       *testing.T
	name    string
	client  registrationv1.WebhookClientConfig
	cluster cluster
	stops   []func() // of the informers

	plugin  apiadmission.Interface
	drained chan struct{} // nil while no plugin serves

	// states are the revisions that were written, with 0 for none, and seen is the
	// number of the last one that a request has seen.
	mu       sync.Mutex
	states   []int
	seen     int
	revision int

	loads   sync.WaitGroup
	loading context.CancelFunc // nil without load
	failure atomic.Pointer[string]
}

func newLife(t *testing.T, name string, client registrationv1.WebhookClientConfig) *life {
	return &life{t: t, name: name, client: client, cluster: newCluster(), states: []int{0}}
}

// initialize initializes a new plugin, unless one serves.
func (l *life) initialize(r *rapid.T) {
	if l.drained != nil {
		return
	}
	l.drained = make(chan struct{})
	l.cluster.factory = informers.NewSharedInformerFactory(l.cluster.kube, 0)
	h := host{cluster: l.cluster, drained: l.drained}
	l.plugin = h.prepare(l.t, l.name)
	l.start(r)
}

// start starts the informers, and waits until they watch, because the fake server
// loses what happens before.
func (l *life) start(r *rapid.T) {
	for len(l.cluster.watched) > 0 {
		<-l.cluster.watched
	}
	factory, stop := l.cluster.factory, make(chan struct{})
	factory.Start(stop)
	l.stops = append(l.stops, func() { close(stop); factory.Shutdown() })
	for range 2 { // namespaces, and the configurations of a phase
		select {
		case <-l.cluster.watched:
		case <-time.After(patience):
			r.Fatal("the informers do not watch")
		}
	}
}

// patience is how long a test waits for what should take no time.
const patience = 30 * time.Second

// validate initializes the plugin again, which changes nothing.
func (l *life) validate(r *rapid.T) {
	l.rest()
	err := apiadmission.ValidateInitialization(l.plugin)
	if (err == nil) != (l.drained != nil) {
		r.Fatalf("serving: %t, initialized again: %v", l.drained != nil, err)
	}
}

// follow gives the plugin other informers.
func (l *life) follow(r *rapid.T) {
	if l.drained == nil {
		return
	}
	l.rest()
	l.cluster.factory = informers.NewSharedInformerFactory(l.cluster.kube, 0)
	l.plugin.(initializer.WantsExternalKubeInformerFactory).SetExternalKubeInformerFactory(l.cluster.factory)
	if err := apiadmission.ValidateInitialization(l.plugin); err != nil {
		r.Fatal(err)
	}
	l.start(r)
}

// write writes the next revision of the configuration.
func (l *life) write(r *rapid.T) {
	l.mu.Lock()
	exists := l.states[len(l.states)-1] != 0
	l.revision++
	l.states = append(l.states, l.revision) // before the write: a request may see it at once
	l.mu.Unlock()
	client := l.client
	client.URL = new(fmt.Sprintf("%s/%d", *l.client.URL, l.revision))
	c := configured(l.name, "a", client)
	registrations := l.cluster.kube.AdmissionregistrationV1()
	var err error
	switch c := c.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		if exists {
			_, err = registrations.MutatingWebhookConfigurations().Update(l.t.Context(), c, metav1.UpdateOptions{})
		} else {
			_, err = registrations.MutatingWebhookConfigurations().Create(l.t.Context(), c, metav1.CreateOptions{})
		}
	case *registrationv1.ValidatingWebhookConfiguration:
		if exists {
			_, err = registrations.ValidatingWebhookConfigurations().Update(l.t.Context(), c, metav1.UpdateOptions{})
		} else {
			_, err = registrations.ValidatingWebhookConfigurations().Create(l.t.Context(), c, metav1.CreateOptions{})
		}
	}
	if err != nil {
		r.Fatal(err)
	}
}

// delete deletes the configuration, if it is there.
func (l *life) delete(r *rapid.T) {
	l.mu.Lock()
	exists := l.states[len(l.states)-1] != 0
	if exists {
		l.states = append(l.states, 0)
	}
	l.mu.Unlock()
	if !exists {
		return
	}
	registrations := l.cluster.kube.AdmissionregistrationV1()
	var err error
	if l.name == plugin.MutatingName {
		err = registrations.MutatingWebhookConfigurations().Delete(l.t.Context(), "a", metav1.DeleteOptions{})
	} else {
		err = registrations.ValidatingWebhookConfigurations().Delete(l.t.Context(), "a", metav1.DeleteOptions{})
	}
	if err != nil {
		r.Fatal(err)
	}
}

// request sends some requests at once.
func (l *life) request(r *rapid.T) {
	var requests sync.WaitGroup
	for range rapid.IntRange(1, 8).Draw(r, "requests") {
		requests.Go(func() { l.send(l.t.Context()) })
	}
	requests.Wait()
	l.report(r)
}

// begin has goroutines send requests until the load ends.
func (l *life) begin(*rapid.T) {
	if l.loading != nil || l.drained == nil {
		return
	}
	var ctx context.Context
	ctx, l.loading = context.WithCancel(l.t.Context())
	const senders = 4
	for range senders {
		l.loads.Go(func() {
			for ctx.Err() == nil {
				l.send(l.t.Context())
				runtime.Gosched()
			}
		})
	}
}

// rest ends the load.
func (l *life) rest() {
	if l.loading != nil {
		l.loading()
		l.loads.Wait()
		l.loading = nil
	}
}

var denied = regexp.MustCompile(`^admission webhook "a.example.com" denied the request: /(\d+)$`)

// send sends a request and judges its verdict.
func (l *life) send(ctx context.Context) {
	late := l.drained == nil
	l.mu.Lock()
	since := l.seen
	l.mu.Unlock()
	got, err := 0, admit(ctx, l.plugin)
	if err != nil {
		parts := denied.FindStringSubmatch(err.Error())
		switch {
		case parts != nil:
			_, _ = fmt.Sscan(parts[1], &got) // the expression has digits only
		case late:
			return // it is rejected, which is safe
		default:
			l.fail("a request that is not late: %v", err)
			return
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := since; i < len(l.states); i++ {
		if l.states[i] == got {
			l.seen = max(l.seen, i)
			return
		}
	}
	l.fail("a request saw revision %d, want one of %v (late: %t)", got, l.states[since:], late)
}

func (l *life) fail(format string, arguments ...any) {
	l.failure.CompareAndSwap(nil, new(fmt.Sprintf(format, arguments...)))
}

func (l *life) report(r *rapid.T) {
	if failure := l.failure.Load(); failure != nil {
		r.Fatal(*failure)
	}
}

// converge waits until requests see the last revision.
func (l *life) converge(r *rapid.T) {
	if l.drained == nil {
		return
	}
	for deadline := time.Now().Add(patience); ; runtime.Gosched() {
		l.send(l.t.Context())
		l.report(r)
		l.mu.Lock()
		done := l.states[l.seen] == l.states[len(l.states)-1]
		l.mu.Unlock()
		if done {
			return
		}
		if time.Now().After(deadline) {
			r.Fatalf("requests do not see the last revision of %v", l.states)
		}
	}
}

// drain ends the plugin as a server does after its last request. Requests that come
// nevertheless must neither be admitted without the webhook nor hang.
func (l *life) drain(r *rapid.T) {
	if l.drained == nil {
		return
	}
	l.rest()
	l.report(r)
	close(l.drained)
	l.drained = nil
	l.request(r)
	for deadline := time.Now().Add(patience); apiadmission.ValidateInitialization(l.plugin) == nil; runtime.Gosched() {
		if time.Now().After(deadline) {
			r.Fatal("the plugin does not end")
		}
	}
	l.request(r)
}

// end ends everything.
func (l *life) end(r *rapid.T) {
	l.drain(r)
	for _, stop := range l.stops {
		stop()
	}
	l.report(r)
}
