package inforce

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"example.com/gatehouse/internal/apiserver/status"
)

// Path is the prefix of the endpoint on which clients wait:
//
//	GET /gatehouse/inforce/validatingwebhookconfigurations/NAME?resourceVersion=N
//	GET /gatehouse/inforce/services/NAMESPACE/NAME?resourceVersion=N
//
// The response is 200 as soon as the server handles every later request
// according to version N of the object or a newer one. It is 504 if the
// server's request timeout ends first, and 400 if the path or the version is
// malformed; the body is then a Status. Mutating webhook configurations,
// policies, bindings and endpointslices have corresponding paths.
const Path = "/gatehouse/inforce/"

// Tracker records which object versions each event handler has processed, and
// serves Path. New creates it.
type Tracker struct {
	mu sync.Mutex
	// handlers are the event handlers by resource.
	handlers map[string][]*handlerState
	// changed is closed and replaced whenever a handler has processed an event.
	changed chan struct{}
}

// handlerState is the last version that one handler processed of each object,
// by NAME or NAMESPACE/NAME.
type handlerState struct{ versions map[string]uint64 }

// New returns a tracker without handlers.
func New() *Tracker {
	return &Tracker{handlers: map[string][]*handlerState{}, changed: make(chan struct{})}
}

// addHandler adds a handler. The caller calls processed after the handler has
// processed an event for object.
func (t *Tracker) addHandler(resource string) (processed func(object any)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	state := &handlerState{map[string]uint64{}}
	t.handlers[resource] = append(t.handlers[resource], state)
	return func(object any) { t.record(state, object) }
}

func (t *Tracker) record(state *handlerState, object any) {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return // cache.DeletedFinalStateUnknown has no version
	}
	version, err := strconv.ParseUint(accessor.GetResourceVersion(), 10, 64)
	if err != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	name := strings.TrimPrefix(accessor.GetNamespace()+"/"+accessor.GetName(), "/")
	state.versions[name] = version
	close(t.changed)
	t.changed = make(chan struct{})
}

// processed reports whether all handlers have processed an object in a version
// or a newer one. If not, the channel is closed when the caller should check
// again.
func (t *Tracker) processed(resource, name string, version uint64) (bool, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, state := range t.handlers[resource] {
		if last, ok := state.versions[name]; !ok || last < version {
			return false, t.changed
		}
	}
	return true, nil
}

func (t *Tracker) wait(ctx context.Context, resource, name string, version uint64) error {
	for {
		done, changed := t.processed(resource, name, version)
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// ServeHTTP serves Path.
func (t *Tracker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	resource, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, Path), "/")
	version, err := strconv.ParseUint(r.URL.Query().Get("resourceVersion"), 10, 64)
	if !slices.Contains(trackedResources(), resource) || name == "" || err != nil {
		const usage = "want %sRESOURCE/NAME?resourceVersion=N or " +
			"%[1]sRESOURCE/NAMESPACE/NAME?resourceVersion=N, where RESOURCE is one of %v"
		status.Write(w, apierrors.NewBadRequest(fmt.Sprintf(usage, Path, trackedResources())))
		return
	}
	if err := t.wait(r.Context(), resource, name, version); err != nil {
		const late = "%s %q is not in force in version %d: %v"
		status.Write(w, apierrors.NewTimeoutError(fmt.Sprintf(late, resource, name, version, err), 0))
		return
	}
	_, _ = fmt.Fprintln(w, "ok") // fails only if the client disconnected
}
