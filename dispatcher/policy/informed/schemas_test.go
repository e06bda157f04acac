package informed_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/openapi"
	"k8s.io/client-go/openapi/openapitest"

	"example.com/gatehouse/dispatcher/policy/informed"
)

// deployment and pod are kinds that have a schema.
var deployment, pod = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, corev1.SchemeGroupVersion.WithKind("Pod")

// documents are the OpenAPI documents of client-go's tests. Lists are counted.
type documents struct {
	openapi.Client
	groups map[string]openapi.GroupVersion
	// err fails lists, and hang lasts until they begin; each is nil at first.
	err   error
	hang  chan struct{}
	lists atomic.Int64
}

func (d *documents) PathsWithContext(ctx context.Context) (map[string]openapi.GroupVersionWithContext, error) {
	d.lists.Add(1)
	if d.hang != nil {
		select {
		case <-d.hang:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	paths, err := d.groups, d.err
	if paths == nil && err == nil {
		paths, err = d.Client.Paths()
	}
	all := map[string]openapi.GroupVersionWithContext{}
	for path, group := range paths {
		all[path] = openapi.ToGroupVersionWithContext(group)
	}
	return all, err
}

// schemas runs a test in virtual time.
func schemas(t *testing.T, f func(t *testing.T, d *documents, s *informed.Schemas)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := &documents{Client: openapitest.NewEmbeddedFileClient()}
		f(t, d, informed.NewSchemas(func() openapi.Client { return d }))
	})
}

// want is what a request for the schema of a kind finds, after waiting, and how many
// lists there have been then.
type want struct {
	kind  schema.GroupVersionKind
	known bool
	took  time.Duration
	lists int64
}

// expect makes a request.
func (d *documents) expect(ctx context.Context, t *testing.T, s *informed.Schemas, w want) {
	t.Helper()
	began := time.Now()
	known := s.Types(ctx, w.kind) != nil
	if got := (want{w.kind, known, time.Since(began), d.lists.Load()}); got != w {
		t.Errorf("got %+v, want %+v", got, w)
	}
}

// TestSchemas reads documents when a kind needs them, and lists them again after
// five seconds, or after a second if a kind is not in them.
func TestSchemas(t *testing.T) {
	t.Parallel()
	schemas(t, func(t *testing.T, d *documents, s *informed.Schemas) {
		inVersion := corev1.SchemeGroupVersion.WithKind("Limit") // its version has a document
		for _, w := range []want{{deployment, true, 0, 1}, {deployment, true, 0, 1}, {pod, true, 0, 1}, {limit, false, 0, 1}, {inVersion, true, 0, 1}} {
			d.expect(t.Context(), t, s, w)
		}
		time.Sleep(time.Second)
		for _, w := range []want{{pod, true, 0, 1}, {inVersion, true, 0, 2}, {limit, false, 0, 2}} {
			d.expect(t.Context(), t, s, w)
		}
		time.Sleep(time.Second)
		d.expect(t.Context(), t, s, want{limit, false, 0, 3})
		time.Sleep(5 * time.Second)
		d.expect(t.Context(), t, s, want{pod, true, 0, 4})
		d.groups = map[string]openapi.GroupVersion{}
		time.Sleep(5 * time.Second)
		d.expect(t.Context(), t, s, want{pod, false, 0, 5}) // the document is gone
	})
}

// TestFailedList has a list fail: the last one remains in use, as in kube-apiserver.
func TestFailedList(t *testing.T) {
	t.Parallel()
	schemas(t, func(t *testing.T, d *documents, s *informed.Schemas) {
		d.err = errors.New("the server is busy")
		d.expect(t.Context(), t, s, want{pod, false, 0, 1})
		d.expect(t.Context(), t, s, want{pod, false, 0, 1})
		time.Sleep(time.Second)
		d.err = nil
		d.expect(t.Context(), t, s, want{pod, true, 0, 2})
		time.Sleep(5 * time.Second)
		d.err = errors.New("the server is busy")
		for _, w := range []want{{pod, true, 0, 3}, {pod, true, 0, 3}, {deployment, true, 0, 3}} {
			d.expect(t.Context(), t, s, w)
		}
	})
}

// TestSlowList has a list hang: requests that can use the last one wait up to a second
// in all, no two lists are requested at once, and the one that hangs is given up.
func TestSlowList(t *testing.T) {
	t.Parallel()
	schemas(t, func(t *testing.T, d *documents, s *informed.Schemas) {
		d.expect(t.Context(), t, s, want{pod, true, 0, 1})
		d.hang = make(chan struct{})
		time.Sleep(time.Second)
		d.expect(t.Context(), t, s, want{limit, false, time.Second, 2})
		d.expect(t.Context(), t, s, want{pod, true, 0, 2}) // the list is not older than five seconds
		time.Sleep(3 * time.Second)
		d.expect(t.Context(), t, s, want{pod, true, 0, 2})
		time.Sleep(26 * time.Second) // until the list is given up
		synctest.Wait()
		hurried, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		d.expect(hurried, t, s, want{pod, true, 300 * time.Millisecond, 3})
		d.expect(t.Context(), t, s, want{pod, true, 700 * time.Millisecond, 3})
		d.expect(t.Context(), t, s, want{pod, true, 0, 3})
		close(d.hang)
		synctest.Wait()
		d.expect(t.Context(), t, s, want{deployment, true, 0, 3})
	})
}

// TestSlowFirstList: without a list there is no schema, so requests wait for the first one.
func TestSlowFirstList(t *testing.T) {
	t.Parallel()
	schemas(t, func(t *testing.T, d *documents, s *informed.Schemas) {
		hang := make(chan struct{})
		d.hang = hang
		time.AfterFunc(2*time.Second, func() { close(hang) })
		d.expect(t.Context(), t, s, want{pod, true, 2 * time.Second, 1})
	})
}

// slowDocument is a document that is there when it has arrived.
type slowDocument struct {
	openapi.GroupVersion
	arrived chan struct{}
	reads   *atomic.Int64
}

func (s slowDocument) Schema(contentType string) ([]byte, error) {
	s.reads.Add(1)
	<-s.arrived
	return s.GroupVersion.Schema(contentType)
}

// TestSlowDocument has a document hang: requests that need it wait for it together, no
// longer than their contexts, and others do not wait.
func TestSlowDocument(t *testing.T) {
	t.Parallel()
	schemas(t, func(t *testing.T, d *documents, s *informed.Schemas) {
		d.groups, _ = d.Paths()
		slow := slowDocument{d.groups["apis/apps/v1"], make(chan struct{}), new(atomic.Int64)}
		d.groups["apis/apps/v1"] = slow
		var waiting sync.WaitGroup
		waiting.Go(func() {
			hurried, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			d.expect(hurried, t, s, want{deployment, false, 300 * time.Millisecond, 1})
		})
		waiting.Go(func() { d.expect(t.Context(), t, s, want{deployment, true, 400 * time.Millisecond, 1}) })
		synctest.Wait()
		d.expect(t.Context(), t, s, want{pod, true, 0, 1})
		time.Sleep(400 * time.Millisecond)
		close(slow.arrived)
		waiting.Wait()
		if slow.reads.Load() != 1 {
			t.Errorf("the document was read %d times", slow.reads.Load())
		}
	})
}

// broken is a document whose client panics.
type broken struct{ openapi.GroupVersion }

func (broken) Schema(string) ([]byte, error) { panic("no") }

// TestBrokenSchemas has a client panic, which must not end the process.
func TestBrokenSchemas(t *testing.T) {
	t.Parallel()
	schemas(t, func(t *testing.T, d *documents, s *informed.Schemas) {
		if informed.NewSchemas(func() openapi.Client { panic("no") }).Types(t.Context(), pod) != nil {
			t.Error("a client that panics has a schema")
		}
		d.groups, _ = d.Paths()
		d.groups["api/v1"] = broken{d.groups["api/v1"]}
		d.expect(t.Context(), t, s, want{pod, false, 0, 1})
		d.expect(t.Context(), t, s, want{deployment, true, 0, 1})
	})
}
