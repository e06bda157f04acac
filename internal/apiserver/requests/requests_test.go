package requests

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	machinery "k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

const (
	html = "text/html,application/xhtml+xml,*/*;q=0.8"
	// kubectl is what kubectl get --raw accepts.
	kubectl = "application/json, */*"
)

// everything is a mutating webhook for all requests.
var everything = &registrationv1.MutatingWebhookConfiguration{
	ObjectMeta: metav1.ObjectMeta{Name: "everything"},
	Webhooks: []registrationv1.MutatingWebhook{{
		Name: "w.example.com", AdmissionReviewVersions: []string{"v1"}, SideEffects: new(registrationv1.SideEffectClassNone),
		ClientConfig: registrationv1.WebhookClientConfig{URL: new("https://w.example.com")},
		Rules: []registrationv1.RuleWithOperations{{
			Operations: []registrationv1.OperationType{registrationv1.OperationAll},
			Rule:       registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"}},
		}},
	}},
}

// respond runs a request to create an object through a webhook.
func respond[O interface {
	machinery.Object
	metav1.Object
}](t *testing.T, plural string, object O, webhook reviewtest.Answer) *admission.Response {
	t.Helper()
	webhooks, err := source.Fixed([]machinery.Object{everything})
	if err != nil {
		t.Fatal(err)
	}
	d, err := dispatcher.New(dispatcher.Config{
		Source: webhooks, Trace: true,
		Client: client.InProcess(func(*admission.Webhook) http.Handler { return webhook }),
	})
	if err != nil {
		t.Fatal(err)
	}
	kinds, _, err := scheme.Scheme.ObjectKinds(object)
	if err != nil {
		t.Fatal(err)
	}
	response, err := simulate.Request(t.Context(), d, &admission.Request{
		Operation: admissionv1.Create, Kind: kinds[0], Resource: kinds[0].GroupVersion().WithResource(plural),
		Namespace: "shop", Name: object.GetName(), Object: object, User: &authenticationv1.UserInfo{Username: "ann"},
	}, apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme))
	if err != nil {
		t.Fatal(err)
	}
	alone := *response // the simulation's refers to the simulation
	return &alone
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

// deny denies with the message "no" and, as webhooks do, the name.
func deny(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: "no " + r.Name}}
}

// TestSharedTraces: another recorder may have the traces of a response, too.
func TestSharedTraces(t *testing.T) {
	t.Parallel()
	r := respond(t, "configmaps", configMap("a"), deny)
	shared := r.Calls[0].Trace
	if compact(r); r.Calls[0].Trace == shared {
		t.Error("the shared trace may change")
	}
}

// visit sends a request to a Log.
func visit(t *testing.T, l *Log, method, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	l.ServeHTTP(w, r)
	return w
}

// decode decodes the body of a response, which must be what T is and no more.
func decode[T any](t *testing.T, w *httptest.ResponseRecorder) (value T) {
	t.Helper()
	decoder := json.NewDecoder(w.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	return value
}

// outline describes the items of a list.
func outline(items []Item) string {
	var text []string
	for _, i := range items {
		verdict := fmt.Sprint(i.Allowed)
		if i.Status != nil {
			verdict = i.Status.Message
		}
		text = append(text, fmt.Sprintf("%d %s %s/%s by %s: %s, %d calls", i.ID, i.Request.Operation, i.Request.Resource.Resource, i.Request.Name, i.Request.User.Name, verdict, i.Calls))
	}
	return strings.Join(text, "\n")
}

func TestServe(t *testing.T) {
	t.Parallel()
	l := New()
	l.Add(respond(t, "configmaps", configMap("a"), reviewtest.Allow))
	l.Add(respond(t, "configmaps", configMap("b"), deny))
	unfinished := respond(t, "configmaps", configMap("c"), reviewtest.Allow)
	unfinished.Allowed = false
	l.Add(unfinished)
	const (
		a = "1 CREATE configmaps/a by ann: true, 1 calls"
		b = `2 CREATE configmaps/b by ann: admission webhook "w.example.com" denied the request: no b, 1 calls`
		c = "3 CREATE configmaps/c by ann: false, 1 calls"
	)
	for query, want := range map[string]string{"": c + "\n" + b + "\n" + a, "?denied=true": b, "?denied=false": c + "\n" + b + "\n" + a} {
		w := visit(t, l, http.MethodGet, Path+query, "Accept", kubectl)
		got := decode[List](t, w)
		if diff := cmp.Diff(want, outline(got.Items)); diff != "" || w.Code != http.StatusOK {
			t.Errorf("%s: %d, -want +got:\n%s", query, w.Code, diff)
		}
		if got.Kind != "RequestList" || got.Items[0].Time.IsZero() || got.Items[0].Seconds <= 0 {
			t.Errorf("%s: kind %s, time %v, %v s", query, got.Kind, got.Items[0].Time, got.Items[0].Seconds)
		}
	}
	one := decode[explain.Document](t, visit(t, l, http.MethodGet, Path+"/2", "Accept", kubectl))
	if e := one.Items[0]; one.Kind != explain.Kind || len(one.Items) != 1 || e.Request.Name != "b" || e.Request.Object == nil ||
		e.Rounds[0].Webhooks[0].Call.Request == nil || len(e.Problems) > 0 {
		t.Errorf("the explanation is incomplete: %+v", one)
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	l := New()
	l.Add(respond(t, "configmaps", configMap("a"), deny))
	type test struct {
		row
		method, path, accept string
		code                 int
		kind, text           string
	}
	const isJSON, isHTML = "application/json", "text/html; charset=utf-8"
	testtable.Run(t, []test{
		{row{"list", "kubectl"}, http.MethodGet, Path, kubectl, 200, isJSON, `"kind":"RequestList"`},
		{row{"list page", "browsers"}, http.MethodGet, Path, html, 200, isHTML, "<title>Requests that webhooks or policies received</title>"},
		{row{"request", "kubectl"}, http.MethodGet, Path + "/1", kubectl, 200, isJSON, `"kind":"Explanation"`},
		{row{"request page", "browsers"}, http.MethodGet, Path + "/1", html, 200, isHTML, "<title>CREATE configmaps shop/a: denied</title>"},
		{row{"head", "the same without a body"}, http.MethodHead, Path, "*/*", 200, isJSON, ""},
		{row{"not yet", "IDs begin with 1"}, http.MethodGet, Path + "/2", html, 404, isJSON, `requests \"2\" not found`},
		{row{"never", "there is none before the first"}, http.MethodGet, Path + "/0", kubectl, 404, isJSON, `requests \"0\" not found`},
		{row{"no number", "no ID at all"}, http.MethodGet, Path + "/a", kubectl, 404, isJSON, `requests \"a\" not found`},
		{row{"slash", "links of the page would be wrong there"}, http.MethodGet, Path + "/", html, 404, isJSON, `requests \"\" not found`},
		{row{"filter", "a typo must not show everything"}, http.MethodGet, Path + "?denied=ys", kubectl, 400, isJSON, `denied=\"ys\": want true or false`},
		{row{"post", "nothing can be changed here"}, http.MethodPost, Path, kubectl, 405, isJSON, "POST is not supported"},
		{row{"delete", "nor forgotten"}, http.MethodDelete, Path + "/1", html, 405, isJSON, "DELETE is not supported"},
	}, func(t *testing.T, tc test) {
		w := visit(t, l, tc.method, tc.path, "Accept", tc.accept)
		if kind := w.Header().Get("Content-Type"); w.Code != tc.code || kind != tc.kind || !strings.Contains(w.Body.String(), tc.text) {
			t.Errorf("got %d %s, want %d %s with %q:\n%.300s", w.Code, kind, tc.code, tc.kind, tc.text, w.Body)
		}
	})
}

// TestNotModified: a page that polls learns with few bytes that nothing is new.
func TestNotModified(t *testing.T) {
	t.Parallel()
	l := New()
	tag := visit(t, l, http.MethodGet, Path).Header().Get("ETag")
	if w := visit(t, l, http.MethodGet, Path, "If-None-Match", tag); w.Code != http.StatusNotModified || w.Body.Len() > 0 {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	if w := visit(t, New(), http.MethodGet, Path, "If-None-Match", tag); w.Code != http.StatusOK {
		t.Errorf("another server answers %d", w.Code)
	}
	l.Add(respond(t, "configmaps", configMap("a"), deny))
	if w := visit(t, l, http.MethodGet, Path, "If-None-Match", tag); w.Code != http.StatusOK {
		t.Errorf("with a new request it answers %d", w.Code)
	}
}

// TestSecrets has a webhook that says what is in a Secret, in all the ways in
// which it can.
func TestSecrets(t *testing.T) {
	t.Parallel()
	const data = "open-sesame-0815"
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "s"}, Data: map[string][]byte{"password": []byte(data)}}
	talk := func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		var sent corev1.Secret
		if err := json.Unmarshal(r.Object.Raw, &sent); err != nil || string(sent.Data["password"]) != data {
			t.Errorf("the webhook has received %s", r.Object.Raw)
		}
		return &admissionv1.AdmissionResponse{
			Result:           &metav1.Status{Message: data + " is weak", Reason: data},
			Warnings:         []string{data},
			AuditAnnotations: map[string]string{"found": data},
		}
	}
	l := New()
	l.Add(respond(t, "secrets", secret, talk))
	encoded := "b3Blbi1zZXNhbWUtMDgxNQ"
	for _, path := range []string{Path, Path + "/1"} {
		for _, accept := range []string{kubectl, html} {
			w := visit(t, l, http.MethodGet, path, "Accept", accept)
			if w.Code != http.StatusOK || strings.Contains(w.Body.String(), data) || strings.Contains(w.Body.String(), encoded) {
				t.Errorf("%s for %s: %d, with the Secret:\n%s", path, accept, w.Code, w.Body)
			}
		}
	}
	if list := decode[List](t, visit(t, l, http.MethodGet, Path)); !strings.Contains(list.Items[0].Status.Message, " is weak") {
		t.Errorf("the message is %q", list.Items[0].Status.Message)
	}
}

// TestCount: the oldest requests go, and those that stay keep their IDs.
func TestCount(t *testing.T) {
	t.Parallel()
	l := New()
	const all = maxRequests + 10
	for range all {
		l.Add(&admission.Response{Status: &metav1.Status{}})
	}
	items := decode[List](t, visit(t, l, http.MethodGet, Path)).Items
	if len(items) != maxRequests || items[0].ID != all || items[maxRequests-1].ID != all-maxRequests+1 {
		t.Fatalf("%d requests, from %d to %d", len(items), items[len(items)-1].ID, items[0].ID)
	}
	for id, want := range map[int]int{all: 200, all - maxRequests + 1: 200, all - maxRequests: 404} {
		if w := visit(t, l, http.MethodGet, fmt.Sprintf("%s/%d", Path, id)); w.Code != want {
			t.Errorf("request %d: %d, want %d", id, w.Code, want)
		}
	}
}

// TestMemory compares what the records of requests need with the bound, for
// large requests and for small ones with many webhooks. It is not parallel: it
// measures the heap of the process.
func TestMemory(t *testing.T) {
	large := configMap("large")
	large.Data = map[string]string{"a": strings.Repeat("a", 1<<20)}
	webhook := func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		kind := admissionv1.PatchTypeJSONPatch
		return &admissionv1.AdmissionResponse{Allowed: true, PatchType: &kind, Patch: []byte(`[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]`)}
	}
	huge := respond(t, "configmaps", configMap("huge"), reviewtest.Allow)
	huge.Calls[0].Trace.Response = make([]byte, maxBytes)
	type test struct {
		name     string
		n        int
		response func() *admission.Response
	}
	for _, tc := range []test{
		{"large objects", 12, func() *admission.Response { return respond(t, "configmaps", large, webhook) }},
		{"many webhooks", 200, func() *admission.Response {
			r := respond(t, "configmaps", configMap("small"), reviewtest.Allow)
			for range 1000 {
				m := r.Matches[0]
				m.Seen = &admission.Seen{NamespaceLabels: map[string]string{fmt.Sprint("a", len(r.Matches)): "b", "c": "d"}, RuleMisses: make([]admission.RulePart, 1)}
				r.Matches = append(r.Matches, m)
			}
			return r
		}},
		{"policies", 40, func() *admission.Response {
			mutation := admission.PolicyMutation{Before: large.DeepCopy(), After: large.DeepCopy()}
			mutation.Before.(*corev1.ConfigMap).Data["a"] = strings.Repeat("b", 1<<20)
			mutation.After.(*corev1.ConfigMap).Data["a"] = strings.Repeat("c", 1<<20)
			evaluation := &admission.PolicyEvaluation{Mutations: []admission.PolicyMutation{mutation}}
			return &admission.Response{Policies: []admission.PolicyRecord{{Bindings: []admission.BindingRecord{{Evaluations: []*admission.PolicyEvaluation{evaluation}}}}}}
		}},
		{"too large", 1, func() *admission.Response { return huge }},
	} {
		l := New()
		before := heap()
		for range tc.n {
			l.Add(tc.response())
		}
		used := heap() - before
		t.Logf("%s: %d requests count %d bytes and need %d", tc.name, len(l.entries), l.bytes, used)
		if l.bytes > maxBytes || used > maxBytes*11/10 {
			t.Errorf("%s: %d requests count %d bytes and need %d, want at most %d", tc.name, len(l.entries), l.bytes, used, maxBytes)
		}
		if used < maxBytes/4 && len(l.entries) > 0 {
			t.Errorf("%s: %d requests need %d bytes only", tc.name, len(l.entries), used)
		}
		runtime.KeepAlive(l)
	}
}

// heap returns the size of what is in use on the heap. Pools keep what they have
// for two collections.
func heap() int {
	for range 3 {
		runtime.GC()
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// TestConcurrent has readers and writers at the same time, for the race
// detector.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	l := New()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 25 {
				l.Add(respond(t, "configmaps", configMap("a"), deny))
			}
		})
		all.Go(func() {
			for id := range 10 {
				for _, path := range []string{Path, fmt.Sprintf("%s/%d", Path, id)} {
					for _, accept := range []string{kubectl, html} {
						if w := visit(t, l, http.MethodGet, path, "Accept", accept); w.Code >= 500 {
							t.Errorf("%s: %d %s", path, w.Code, w.Body)
						}
					}
				}
			}
		})
	}
	all.Wait()
	if items := decode[List](t, visit(t, l, http.MethodGet, Path)).Items; len(items) != 100 || items[0].ID != 100 {
		t.Errorf("%d requests, the last of which is %d", len(items), items[0].ID)
	}
}
