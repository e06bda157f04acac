package embedding

import (
	"errors"
	"fmt"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// callers are how many clients write at the same time.
const callers = 16

// TestStopUnderLoad stops servers while clients write: whatever has begun ends
// as if nothing were the matter, and of gatehouse's plugins nothing is left.
func TestStopUnderLoad(t *testing.T) {
	e := newEnvironment(t)
	for _, kind := range starters() {
		t.Run(kind.name, func(t *testing.T) { stopUnderLoad(t, kind.start(t, both()[1], e), e, "stop-"+kind.name) })
	}
}

func stopUnderLoad(t *testing.T, s *server, e environment, namespace string) {
	client, err := kubernetes.NewForConfig(e.host)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, s, client, e.hooks, namespace)
	var called, answered, written atomic.Int64
	slow := func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		called.Add(1)
		defer answered.Add(1)
		time.Sleep(20 * time.Millisecond) // as long as a webhook may take
		return allow(r)
	}
	w.mutating(t, hook{name: "mutating", answer: slow})
	w.validating(t, hook{name: "validating", answer: slow})
	called.Store(0)
	answered.Store(0)

	var clients sync.WaitGroup
	for c := range callers {
		clients.Go(func() {
			for n := 0; ; n++ {
				object := w.object(t, w.first, fmt.Sprintf("c%d-%d", c, n), 1)
				if _, err := w.on(w.first).Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
					explain(t, err)
					return
				}
				written.Add(1)
			}
		})
	}
	for called.Load() < 10*callers {
		time.Sleep(time.Millisecond)
	}
	s.stop()
	clients.Wait()
	t.Logf("%d objects written, %d calls, when the server was stopped", written.Load(), called.Load())
	// A webhook received the request that was cut off, but its client got no
	// object.
	if called.Load() != answered.Load() || called.Load() != 2*written.Load() {
		t.Errorf("%d calls, %d of them answered, for %d objects: not every request ended", called.Load(), answered.Load(), written.Load())
	}
	for until := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		left, open := goroutines("gatehouse/dispatcher/plugin", "gatehouse/dispatcher"), e.hooks.open.Load()
		if len(left) == 0 && open == 0 {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("%d connections and %d goroutines are left:\n%s", open, len(left), strings.Join(left, "\n\n"))
		}
	}
}

// explain reports an error that is not that of a server which is not there any
// more.
func explain(t *testing.T, err error) {
	var network net.Error
	switch {
	case errors.As(err, &network), apierrors.IsServiceUnavailable(err), apierrors.IsTooManyRequests(err):
	case strings.Contains(err.Error(), "EOF"), strings.Contains(err.Error(), "connection re"), strings.Contains(err.Error(), "shutting down"):
	default:
		t.Errorf("a client heard: %v", err)
	}
}

// goroutines returns those that are in one of some packages.
func goroutines(packages ...string) []string {
	stacks := make([]byte, 16<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	var found []string
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		for _, p := range packages {
			if strings.Contains(stack, p) {
				found = append(found, stack)
				break
			}
		}
	}
	return found
}
