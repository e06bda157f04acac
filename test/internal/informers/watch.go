package informers

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// The kinds of events.
const (
	added    = "ADDED"
	modified = "MODIFIED"
	deleted  = "DELETED"
	bookmark = "BOOKMARK"
	failed   = "ERROR"
)

// bookmarkInterval is how often a watch without events has a bookmark.
const bookmarkInterval = time.Minute

// watching is a watch.
type watching struct {
	server   *Server
	resource Resource
	w        http.ResponseWriter
	r        *http.Request
	// revision is the last one that the client knows.
	revision int64
	sent     int
}

// watch answers a watch, or a streaming list.
func (s *Server) watch(w http.ResponseWriter, r *http.Request, resource Resource, fault Fault) {
	initial := r.FormValue("sendInitialEvents") == "true"
	if initial && fault == NoStreams {
		refuse(w, http.StatusBadRequest)
		return
	}
	if initial && fault == LateLists && !pause(r, 90*time.Second) {
		return
	}
	f := &watching{server: s, resource: resource, w: w, r: r}
	f.revision, _ = strconv.ParseInt(r.FormValue("resourceVersion"), 10, 64) // 0 without one
	if !initial && s.expired(f.revision) {
		refuse(w, http.StatusGone)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	f.flush()
	if initial && !f.list(fault) {
		return
	}
	f.follow()
}

// expired reports whether a watch cannot begin at a revision.
func (s *Server) expired(revision int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return revision < s.etcd.compacted
}

// list sends the initial events, and reports whether the watch goes on.
func (f *watching) list(fault Fault) bool {
	f.server.mu.Lock()
	revision, items := f.server.etcd.revision, f.server.etcd.list(f.resource)
	f.server.mu.Unlock()
	if fault == HalfStream || fault == HalfList {
		items = items[:len(items)/2]
	}
	for _, one := range items {
		f.send(added, string(one.json))
	}
	f.revision = revision
	switch fault {
	case HalfStream:
		f.flush()
		pause(f.r, 10*time.Second) // client-go begins again without one
		return false
	case HalfList:
		f.send(added, `{"kind":`)
		f.flush()
		panic(http.ErrAbortHandler)
	case NoBookmark:
		f.flush()
		if !f.server.wait(f.r.Context(), NoBookmark) {
			return false
		}
	}
	f.bookmark(`{"k8s.io/initial-events-end":"true"}`)
	return true
}

// follow sends the events after the revision until the client leaves, the watch's time
// is up or a fault ends it.
func (f *watching) follow() {
	seconds, _ := strconv.Atoi(f.r.FormValue("timeoutSeconds"))
	end := time.NewTimer(time.Duration(max(seconds, 1)) * time.Second)
	defer end.Stop()
	marks := time.NewTicker(bookmarkInterval)
	defer marks.Stop()
	for {
		fault, changed := f.server.current()
		if !f.next(fault) {
			return
		}
		select {
		case <-changed:
		case <-marks.C:
			f.bookmark("{}")
		case <-end.C:
			return
		case <-f.r.Context().Done():
			return
		}
	}
}

// next sends the events that have happened since the last call, and reports whether
// the watch goes on.
func (f *watching) next(fault Fault) bool {
	f.server.mu.Lock()
	events := slices.Collect(f.server.etcd.since(f.resource, f.revision))
	revision := f.server.etcd.revision
	f.server.mu.Unlock()
	for _, one := range events {
		if f.sent == 2 && fault == BrokenWatches {
			_, _ = f.w.Write([]byte(`{"type":"MODIFIED","object":{"kind":`))
			f.flush()
			panic(http.ErrAbortHandler)
		}
		f.send(one.kind, string(one.json))
		f.revision = one.revision
		f.sent++
		if f.sent == 2 && fault == ShortWatches {
			return false
		}
	}
	f.revision = revision
	f.flush()
	if fault == ExpiredBookmarks {
		f.bookmark("{}")
		f.send(failed, statusText(http.StatusGone))
		f.flush()
		return false
	}
	return fault.status() == 0
}

func (f *watching) bookmark(annotations string) {
	f.send(bookmark, fmt.Sprintf(`{"kind":%q,"apiVersion":%q,"metadata":{"resourceVersion":"%d","annotations":%s}}`,
		f.resource.Kind, f.resource.apiVersion(), f.revision, annotations))
	f.flush()
}

// send sends an event. A client that is gone ends the watch with its context.
func (f *watching) send(kind, object string) {
	_, _ = fmt.Fprintf(f.w, "{\"type\":%q,\"object\":%s}\n", kind, object)
}

func (f *watching) flush() { _ = http.NewResponseController(f.w).Flush() }
