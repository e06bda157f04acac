package inforce

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Path is where a client learns that webhooks are called as an object says. The
// server itself learns of objects a moment after clients have their answer:
//
//	GET /gatehouse/inforce/validatingwebhookconfigurations/NAME?resourceVersion=N
//	GET /gatehouse/inforce/services/NAMESPACE/NAME?resourceVersion=N
//
// are answered with 200 when every request that comes later is treated as the object
// says in this version or a newer one, and not before. If that takes longer than
// requests may take, the answer is 504. What is no such question is answered with 400;
// both are a Status, as of the API. There are mutatingwebhookconfigurations and
// endpointslices as well.
const Path = "/gatehouse/inforce/"

// Reporter knows what the admission plugins have been told: their event handlers report
// to it (tap.go). It is made by New.
type Reporter struct {
	mu sync.Mutex
	// followers are the handlers, by the plural of what they follow.
	followers map[string][]*follower
	// changed is closed, and replaced, when a handler has been told something.
	changed chan struct{}
}

// follower is a handler: the resource version of each object, by namespace and name,
// that it was told of last.
type follower struct{ told map[string]uint64 }

// New returns a reporter that nobody reports to yet.
func New() *Reporter {
	return &Reporter{followers: map[string][]*follower{}, changed: make(chan struct{})}
}

// add returns what to call when a new handler has been told of an object.
func (f *Reporter) add(plural string) (tell func(object any)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	by := &follower{map[string]uint64{}}
	f.followers[plural] = append(f.followers[plural], by)
	return func(object any) { f.note(by, object) }
}

func (f *Reporter) note(by *follower, object any) {
	about, err := meta.Accessor(object)
	if err != nil {
		return // a deletion that nobody saw, of something that nobody waits for
	}
	version, err := strconv.ParseUint(about.GetResourceVersion(), 10, 64)
	if err != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	by.told[strings.TrimPrefix(about.GetNamespace()+"/"+about.GetName(), "/")] = version
	close(f.changed)
	f.changed = make(chan struct{})
}

// look reports whether all handlers know an object in a version or a newer one,
// and if not, returns what is closed when that may have become different.
func (f *Reporter) look(plural, name string, version uint64) (bool, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, by := range f.followers[plural] {
		if told, ok := by.told[name]; !ok || told < version {
			return false, f.changed
		}
	}
	return true, nil
}

func (f *Reporter) await(ctx context.Context, plural, name string, version uint64) error {
	for {
		done, changed := f.look(plural, name, version)
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

// ServeHTTP answers at Path.
func (f *Reporter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	plural, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, Path), "/")
	version, err := strconv.ParseUint(r.URL.Query().Get("resourceVersion"), 10, 64)
	if !slices.Contains(followed(), plural) || name == "" || err != nil {
		refuse(w, apierrors.NewBadRequest(fmt.Sprintf("want %sRESOURCE/NAME?resourceVersion=N or %[1]sRESOURCE/NAMESPACE/NAME?resourceVersion=N, where RESOURCE is one of %v", Path, followed())))
		return
	}
	if err := f.await(r.Context(), plural, name, version); err != nil {
		refuse(w, apierrors.NewTimeoutError(fmt.Sprintf("%s %q is not in force in version %d: %v", plural, name, version, err), 0))
		return
	}
	_, _ = fmt.Fprintln(w, "ok") // who does not read it does not want to know
}

// refuse answers as the API does, because that is what clients show.
func refuse(w http.ResponseWriter, err apierrors.APIStatus) {
	status := err.Status()
	status.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(status.Code))
	_ = json.NewEncoder(w).Encode(status) // as with "ok"
}
