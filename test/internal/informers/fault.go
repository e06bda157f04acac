package informers

import (
	"fmt"
	"net/http"
	"strings"
)

// Fault is how a server answers lists and watches.
type Fault string

// The faults. A list in the sense of a fault is also a streaming one.
const (
	Healthy          Fault = "healthy"
	Refused          Fault = "refused"            // no process listens
	Silent           Fault = "silent"             // requests get no answer
	InternalError    Fault = "500"                // of etcd, say
	Unavailable      Fault = "503"                // of a load balancer
	TooMany          Fault = "429"                // with Retry-After: 1
	Gone             Fault = "410"                // of any version that a client knows
	HalfList         Fault = "half a list"        // the connection breaks in the middle
	HalfStream       Fault = "half a stream"      // a streaming list ends before its bookmark
	NoBookmark       Fault = "no bookmark"        // a streaming list never has its bookmark
	NoStreams        Fault = "no streaming lists" // 400, of an older server
	ShortWatches     Fault = "short watches"      // watches end after two events
	BrokenWatches    Fault = "broken watches"     // in the middle of the third event
	ExpiredBookmarks Fault = "bookmark, 410"      // after a bookmark, the version is too old
	LateLists        Fault = "late lists"         // a list takes 90 s
)

// Faults returns all faults.
func Faults() []Fault {
	return []Fault{Refused, Silent, InternalError, Unavailable, TooMany, Gone, HalfList, HalfStream,
		NoBookmark, NoStreams, ShortWatches, BrokenWatches, ExpiredBookmarks, LateLists}
}

// status returns the code that a server with a fault answers everything with; 0 if it
// has others.
func (f Fault) status() int {
	switch f {
	case InternalError:
		return http.StatusInternalServerError
	case Unavailable:
		return http.StatusServiceUnavailable
	case TooMany:
		return http.StatusTooManyRequests
	case Gone:
		return http.StatusGone
	}
	return 0
}

// reasons are the reasons of statuses.
var reasons = map[int]string{
	http.StatusBadRequest: "BadRequest", http.StatusNotFound: "NotFound", http.StatusGone: "Expired",
	http.StatusTooManyRequests: "TooManyRequests", http.StatusInternalServerError: "InternalError",
	http.StatusServiceUnavailable: "ServiceUnavailable",
}

// statusText is a Status as JSON.
func statusText(code int) string {
	return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":%q,"reason":%q,"code":%d}`,
		strings.ToLower(http.StatusText(code)), reasons[code], code)
}

// refuse writes a Status.
func refuse(w http.ResponseWriter, code int) {
	if code == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "1")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write([]byte(statusText(code))) // a client that is gone needs no answer
}
