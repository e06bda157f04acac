package apiserver

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"

	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row has the name of a test case and the reason for it.
type row = testtable.Row

// shared is the server of all tests that do not mind the others: they keep to a
// namespace of their own, or to objects named like the test.
var shared *Server

// suite runs the tests around the shared server, so that what it leaves behind
// is seen as well.
type suite struct{ *testing.M }

func (s suite) Run() int {
	klog.SetLogger(klog.Logger{}) // which drops everything
	server, err := Start(context.Background(), Config{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	shared = server
	code := s.M.Run()
	if err := server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func TestMain(m *testing.M) {
	leaktest.Main(suite{m},
		// An alarm clock that the watch cache sets for every consistent list,
		// and forgets: it rings after three seconds.
		goleak.IgnoreTopFunction("k8s.io/apiserver/pkg/storage/cacher.(*watchCache).waitUntilFreshLocked.func2"))
}

// start runs a server that ends with the test.
func start(t *testing.T, config Config) *Server {
	t.Helper()
	begin := time.Now()
	server, err := Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("ready after %s", time.Since(begin).Round(time.Millisecond))
	t.Cleanup(func() { stop(t, server) })
	return server
}

func stop(t *testing.T, server *Server) {
	t.Helper()
	if err := server.Stop(); err != nil {
		t.Error(err)
	}
}

func typed(t *testing.T, server *Server) kubernetes.Interface {
	t.Helper()
	client, err := kubernetes.NewForConfig(server.ClientConfig())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func untyped(t *testing.T, server *Server) dynamic.Interface {
	t.Helper()
	client, err := dynamic.NewForConfig(server.ClientConfig())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// owned are those that own has given, by test.
var owned struct {
	sync.Mutex
	given map[*testing.T]string
	count int
}

// own returns a name that no other test uses, nor this one when it runs again,
// for a namespace or an object. It is the same whenever the test asks.
func own(t *testing.T) string {
	owned.Lock()
	defer owned.Unlock()
	if owned.given == nil {
		owned.given = map[*testing.T]string{}
	}
	if owned.given[t] == "" {
		owned.count++
		owned.given[t] = fmt.Sprintf("test-%d", owned.count)
	}
	return owned.given[t]
}

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// wantReason fails the test unless the server has rejected for the reason.
func wantReason(t *testing.T, err error, want metav1.StatusReason) {
	t.Helper()
	if got := apierrors.ReasonForError(err); got != want {
		t.Errorf("got reason %q (%v), want %q", got, err, want)
	}
}
