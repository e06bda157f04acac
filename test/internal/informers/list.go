package informers

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// list answers a list, or a page of one.
func (s *Server) list(w http.ResponseWriter, r *http.Request, resource Resource, fault Fault) {
	if fault == LateLists && !pause(r, 90*time.Second) {
		return
	}
	s.mu.Lock()
	revision, items, ok := s.page(r, resource)
	var next string
	if limit, _ := strconv.Atoi(r.FormValue("limit")); ok && limit > 0 && len(items) > limit && r.FormValue("resourceVersion") != "0" {
		next = fmt.Sprintf("%d-%d", revision, len(s.pages))
		s.pages[next], items = items[limit:], items[:limit]
	}
	s.mu.Unlock()
	if !ok {
		refuse(w, http.StatusGone)
		return
	}
	body := listText(resource, revision, next, items)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if fault == HalfList {
		_, _ = w.Write(body[:len(body)/2])
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(body)
}

// page returns what is left of a list; false if the list has been forgotten. The
// caller holds the lock.
func (s *Server) page(r *http.Request, resource Resource) (int64, []stored, bool) {
	token := r.FormValue("continue")
	if token == "" {
		return s.etcd.revision, s.etcd.list(resource), true
	}
	items, ok := s.pages[token]
	delete(s.pages, token)
	var revision int64
	_, _ = fmt.Sscanf(token, "%d-", &revision) // the server has made the token
	return revision, items, ok
}

func listText(resource Resource, revision int64, next string, items []stored) []byte {
	var body bytes.Buffer
	fmt.Fprintf(&body, `{"kind":"%sList","apiVersion":%q,"metadata":{"resourceVersion":"%d","continue":%q},"items":[`,
		resource.Kind, resource.apiVersion(), revision, next)
	for i, one := range items {
		if i > 0 {
			body.WriteByte(',')
		}
		body.Write(one.json)
	}
	body.WriteString("]}")
	return body.Bytes()
}

// pause waits, and reports whether the client is still there.
func pause(r *http.Request, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}
