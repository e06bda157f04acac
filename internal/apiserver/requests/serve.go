package requests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/apiserver/status"
	"example.com/gatehouse/internal/report"
)

// Path is the path at which a Log serves requests:
//
//	GET /gatehouse/requests              a List
//	GET /gatehouse/requests?denied=true  a List of those that were denied
//	GET /gatehouse/requests/ID           an explain.Document with one item
//
// Clients that accept text/html, such as browsers, receive pages. The page of
// the list updates itself.
const Path = "/gatehouse/requests"

// ServeHTTP serves Path.
func (l *Log) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		status.Write(w, apierrors.NewMethodNotSupported(resource, r.Method))
		return
	}
	w.Header().Set("Vary", "Accept")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	// The pages have a policy that allows nothing but their own script.
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
	isPage := strings.Contains(r.Header.Get("Accept"), "text/html")
	id, isOne := strings.CutPrefix(r.URL.Path, Path+"/")
	switch {
	case isOne:
		l.serveOne(w, id, isPage)
	case isPage:
		var page bytes.Buffer
		write(w, "text/html; charset=utf-8", &page, report.WriteRequests(&page))
	default:
		l.serveList(w, r)
	}
}

// resource is what errors call the requests.
var resource = schema.GroupResource{Resource: "requests"}

func (l *Log) serveOne(w http.ResponseWriter, id string, isPage bool) {
	number, err := strconv.ParseInt(id, 10, 64)
	var found *entry
	if err == nil {
		found = l.find(number)
	}
	if found == nil {
		status.Write(w, apierrors.NewNotFound(resource, id))
		return
	}
	var body bytes.Buffer
	if isPage {
		write(w, "text/html; charset=utf-8", &body, report.Write(&body, found.document()))
		return
	}
	write(w, "application/json", &body, json.NewEncoder(&body).Encode(found.document()))
}

// serveList serves a List, unless the client has the current one.
func (l *Log) serveList(w http.ResponseWriter, r *http.Request) {
	onlyDenied := false
	if text := r.URL.Query().Get("denied"); text != "" {
		var err error
		if onlyDenied, err = strconv.ParseBool(text); err != nil {
			status.Write(w, apierrors.NewBadRequest(fmt.Sprintf("denied=%q: want true or false", text)))
			return
		}
	}
	entries, last := l.latest()
	tag := fmt.Sprintf(`"%s-%d"`, l.instance, last)
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	list := List{
		TypeMeta: metav1.TypeMeta{APIVersion: explain.APIVersion, Kind: "RequestList"}, Items: []Item{},
	}
	for _, e := range entries {
		if !onlyDenied || e.response.Status != nil {
			list.Items = append(list.Items, e.item())
		}
	}
	var body bytes.Buffer
	write(w, "application/json", &body, json.NewEncoder(&body).Encode(list))
}

// write responds with a body, or with the error of making it.
func write(w http.ResponseWriter, kind string, body *bytes.Buffer, err error) {
	if err != nil {
		status.Write(w, apierrors.NewInternalError(err))
		return
	}
	w.Header().Set("Content-Type", kind)
	_, _ = body.WriteTo(w) // fails only if the client disconnected
}
