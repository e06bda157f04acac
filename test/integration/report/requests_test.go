package report

import (
	"context"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/apiserver/requests"
)

// server keeps requests for a page.
type server struct {
	*requests.Log
	http *httptest.Server
}

// serve serves some requests, the last of which is denied.
func serve(t *testing.T) server {
	t.Helper()
	s := server{Log: requests.New()}
	s.http = httptest.NewServer(s.Log)
	t.Cleanup(s.http.Close)
	for i := range 9 {
		s.keep(fmt.Sprintf("web-%d", i+1), "")
	}
	s.keep("stranger", `admission webhook "owners.example.com" denied the request: <b>no owner</b>`)
	return s
}

// keep adds a request, which is denied if there is a message.
func (s server) keep(name, message string) {
	pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: metav1.ObjectMeta{Name: name}}
	r := &admission.Response{
		Request: &admission.Request{
			Operation: admissionv1.Create, Kind: corev1.SchemeGroupVersion.WithKind("Pod"),
			Resource: corev1.SchemeGroupVersion.WithResource("pods"), Namespace: "shop", Name: name,
			Object: pod, User: &authenticationv1.UserInfo{Username: "ann"},
		},
		Began: time.Unix(0, 0), Elapsed: 3 * time.Millisecond, Allowed: message == "", Object: pod,
		Calls: []admission.Call{{
			Webhook: &admission.Webhook{Phase: admission.Validating, Name: "owners.example.com", Configuration: "owners"},
			Outcome: admission.Allowed, Trace: &admission.Trace{},
		}},
	}
	if message != "" {
		r.Status, r.Calls[0].Outcome = &metav1.Status{Message: message, Reason: metav1.StatusReasonForbidden, Code: 403}, admission.Rejected
	}
	s.Add(r)
}

// visit opens the list and waits for the requests.
func (s server) visit(t *testing.T, browser context.Context, width int64) *tab {
	t.Helper()
	v := visit(t, browser, width, s.http.URL+requests.Path, "")
	v.wantText("[role=status]", "10 of 10 shown")
	return v
}

const (
	firstRequest = "document.querySelector('tbody tr:not([hidden]) a').innerText"
	shown        = "document.querySelectorAll('tbody tr:not([hidden])').length"
)

func openRequests(t *testing.T, browser context.Context, width int64) {
	v := serve(t).visit(t, browser, width)
	want(v, firstRequest, "CREATE pods shop/stranger")
	v.wantText("tbody tr", "denied", "ann", "<b>no owner</b>", "3.00 ms")
	checkNames(v, "the requests", "link", "searchbox", "combobox", "option", "table", "button")
	for _, scheme := range []string{"dark", "light"} {
		v.do(prefers(scheme))
		for _, problem := range evaluate[[]string](v, contrasts) {
			t.Errorf("%s: %s", scheme, problem)
		}
		v.picture("requests-"+scheme, true)
	}

	v.choose("select", "admitted")
	want(v, shown, 9)
	v.enter("input[type=search]", "WEB-7")
	want(v, shown, 1)
	want(v, firstRequest, "CREATE pods shop/web-7")
	v.wantText("[role=status]", "1 of 10 shown")

	// The list is one stop, and a request is opened by its link.
	v.script("document.querySelector('input[type=search]').value = ''; document.querySelector('select').value = ''; document.querySelector('select').dispatchEvent(new Event('change'))")
	tabTo(v, "document.activeElement.matches('a.request')")
	v.press(kb.ArrowDown)
	v.press(kb.Enter)
	v.wantText("#title", "CREATE pods shop/web-9")
	want(v, "location.pathname", requests.Path+"/9")
	// The browser may show the list as it was left; the driver knows no elements of it then.
	v.script("history.back()")
	want(v, "document.querySelector('[role=status]')?.innerText ?? ''", "10 of 10 shown")
}

// followRequests has new requests come while an older one has the focus.
func followRequests(t *testing.T, browser context.Context, width int64) {
	s := serve(t)
	v := s.visit(t, browser, width)
	v.script("document.querySelectorAll('a.request')[1].focus()")
	s.keep("late", "")
	v.wantText("[role=status]", "11 of 11 shown")
	want(v, firstRequest, "CREATE pods shop/late")
	want(v, "document.activeElement.innerText", "CREATE pods shop/web-9")
	v.press(kb.ArrowUp)
	want(v, "document.activeElement.innerText", "CREATE pods shop/stranger")
	for range 600 {
		s.keep("many", "")
	}
	v.wantText("[role=status]", "500 of 500 shown")
	want(v, "document.querySelectorAll('tbody tr').length", 500)
}

func loseServer(t *testing.T, browser context.Context, width int64) {
	s := serve(t)
	v := s.visit(t, browser, width)
	v.tolerated = "Failed to load resource"
	s.http.Close()
	v.wantText("[role=status]", "The server cannot be asked for new requests")
	want(v, shown, 10)
}
