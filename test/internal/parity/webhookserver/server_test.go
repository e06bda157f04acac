package webhookserver

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/parity/scenario"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// row is what every row of every table has to say about itself.
type row = testtable.Row

// client is a client of a new server, under the name of a service.
type client struct {
	*Server
	http *http.Client
}

func newClient(t *testing.T, protocol string) client {
	t.Helper()
	s, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(s.CABundle())
	transport := &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: pool, ServerName: "any.name.svc", NextProtos: []string{protocol}},
		ForceAttemptHTTP2: protocol == "h2",
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		transport.CloseIdleConnections()
	})
	return client{s, &http.Client{Transport: transport}}
}

func (c client) post(ctx context.Context, path, body string) (int, string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+c.Address()+path+"?timeout=1s", strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return response.StatusCode, strings.TrimSpace(string(content)), err
}

func asking(version, request string) string {
	return `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/` + version + `","request":{"uid":"1",` + request + `}}`
}

// TestNamed calls each of the named handlers.
func TestNamed(t *testing.T) {
	t.Parallel()
	const (
		pods       = `"resource":{"group":"","version":"v1","resource":"pods"},"operation":"CREATE",`
		configMaps = `"resource":{"group":"","version":"v1","resource":"configmaps"},`
		crds       = `"resource":{"group":"apiextensions.k8s.io","version":"v1","resource":"customresourcedefinitions"},`
	)
	c := newClient(t, "h2")
	for _, tc := range []struct{ path, why, request, want string }{
		{"/always-deny", "A-01", pods + `"object":{}`, `"status":{"metadata":{},"message":"this webhook denies all requests"}`},
		{"/always-allow-delay-1ms", "A-02", pods + `"object":{}`, `"allowed":true,"status":{"metadata":{},"message":"this webhook allows all requests"}`},
		{"/add-label", "A-03: no labels", pods + `"object":{}`, patchOf(`[{"op":"add","path":"/metadata/labels","value":{"added-label":"yes"}}]`)},
		{"/add-label", "A-03: another value", pods + `"object":{"metadata":{"labels":{"added-label":"no"}}}`, patchOf(`[{"op":"replace","path":"/metadata/labels/added-label","value":"yes"}]`)},
		{"/pods", "A-04: both complaints", pods + `"object":{"metadata":{"labels":{"webhook-e2e-test":"webhook-disallow"}},"spec":{"containers":[{"name":"webhook-disallow"}]}}`,
			`"message":"the pod contains unwanted label; the pod contains unwanted container name;"`},
		{"/pods", "A-04: another resource", configMaps + `"object":{}`, `"message":"expect resource to be { v1 pods}"`},
		{"/pods/attach", "A-05", pods + `"subResource":"attach","name":"to-be-attached-pod","object":{"stdin":true,"container":"container1"}`,
			`"message":"attaching to pod 'to-be-attached-pod' is not allowed"`},
		{"/mutating-pods", "A-06", pods + `"object":{"metadata":{"name":"webhook-to-be-mutated"}}`,
			patchOf(`[{"op":"add","path":"/spec/initContainers","value":[{"image":"webhook-added-image","name":"webhook-added-init-container","resources":{}}]}]`)},
		{"/mutating-pods-sidecar", "A-07: no image", pods + `"object":{}`, `"message":"No image specified by the sidecar-image parameter","code":500`},
		{"/mutating-pods-sidecar/a/b:c", "A-07: the image is in the path", pods + `"object":{}`,
			patchOf(`[{"op":"add","path":"/spec/containers/-","value":{"image":"a/b:c","name":"webhook-added-sidecar","resources":{}}}]`)},
		{"/configmaps", "A-08", configMaps + `"operation":"UPDATE","object":{"data":{"webhook-e2e-test":"webhook-disallow"}}`, `"reason":"the configmap contains unwanted key and value"`},
		{"/configmaps", "A-08: the old object counts", configMaps + `"operation":"DELETE","oldObject":{"data":{"webhook-e2e-test":"webhook-nondeletable"}}`,
			`"reason":"the configmap cannot be deleted because it contains unwanted key and value"`},
		{"/mutating-configmaps", "A-09: the second stage", configMaps + `"object":{"data":{"mutation-start":"yes","mutation-stage-1":"yes"}}`, patchOf(`[{"op":"add","path":"/data/mutation-stage-2","value":"yes"}]`)},
		{"/custom-resource", "A-10", `"operation":"CREATE","object":{"data":{"webhook-e2e-test":"webhook-disallow"}}`, `"reason":"the custom resource contains unwanted data"`},
		{"/mutating-custom-resource", "A-11", `"object":{"data":{"mutation-start":"yes"}}`, patchOf(`[{"op":"add","path":"/data/mutation-stage-1","value":"yes"}]`)},
		{"/crd", "A-12", crds + `"object":{"metadata":{"labels":{"webhook-e2e-test":"webhook-disallow"}}}`, `"message":"the crd contains unwanted label"`},
	} {
		for _, version := range []string{"v1", "v1beta1"} {
			_, got, err := c.post(t.Context(), tc.path, asking(version, tc.request))
			start := `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/` + version + `","response":{"uid":"1"`
			if err != nil || !strings.HasPrefix(got, start) || !strings.Contains(got, tc.want) {
				t.Errorf("%s, %s: want %s … %s, got %s, %v", tc.path, tc.why, start, tc.want, got, err)
			}
		}
	}
}

func patchOf(patch string) string {
	encoded, _ := json.Marshal([]byte(patch))
	return `"allowed":true,"patch":` + string(encoded) + `,"patchType":"JSONPatch"`
}

func TestNamedErrors(t *testing.T) {
	t.Parallel()
	c := newClient(t, "http/1.1")
	for path, want := range map[string]struct {
		body, answer string
		status       int
	}{
		"/readyz":      {"", "ok", 200},
		"/no-such":     {"", "404 page not found", 404},
		"/always-deny": {"{}", "Request could not be decoded: ", 400},
	} {
		status, got, err := c.post(t.Context(), path, want.body)
		if err != nil || status != want.status || !strings.HasPrefix(got, want.answer) {
			t.Errorf("%s: want %d %s, got %d %s, %v", path, want.status, want.answer, status, got, err)
		}
	}
}

func TestScripted(t *testing.T) {
	t.Parallel()
	body := "{{uid}} is the uid"
	has := func(path, value string, not bool) *scenario.When {
		return &scenario.When{Path: path, Is: json.RawMessage(value), Not: not}
	}
	c := newClient(t, "h2")
	for _, tc := range testtable.Checked(t, []struct {
		row
		answers []scenario.Answer
		status  int
		want    string
	}{
		{row{"zero", "denies without explanation"}, []scenario.Answer{{}}, 200, `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"allowed":false,"uid":"1"}}`},
		{row{"patch", "a patch is sent in base64"}, []scenario.Answer{{Allowed: true, Patch: "[]"}}, 200, `"patch":"W10=","patchType":"JSONPatch"`},
		{row{"uid", "the script's uid replaces the review's"}, []scenario.Answer{{UID: "2", APIVersion: "v2"}}, 200, `{"apiVersion":"v2","kind":"AdmissionReview","response":{"allowed":false,"uid":"2"}}`},
		{row{"no response", "the rest of the review is there"}, []scenario.Answer{{NoResponse: true}}, 200, `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}`},
		{row{"body", "replaces all but the uid"}, []scenario.Answer{{Body: &body, Status: 201}}, 201, "1 is the uid"},
		{row{"none fits", "that is the webhook's fault"}, []scenario.Answer{{When: has("/a/0", "2", false)}}, 500, "no answer fits"},
		{row{"by value", "the first that fits is given"}, []scenario.Answer{{When: has("/a/0", "2", false)}, {When: has("/a/0", "1", false), UID: "2"}, {}}, 200, `"uid":"2"`},
		{row{"by absence", "conditions can be turned around"}, []scenario.Answer{{When: &scenario.When{Path: "/a~1b", Not: true}, UID: "2"}, {}}, 200, `"uid":"2"`},
		{row{"result", "a status goes where the API has it"}, []scenario.Answer{{Result: &metav1.Status{Message: "m"}, Warnings: []string{"w"}, AuditAnnotations: map[string]string{"k": "v"}}}, 200,
			`"auditAnnotations":{"k":"v"},"status":{"metadata":{},"message":"m"},"uid":"1","warnings":["w"]`},
	}) {
		if err := c.Script(map[string][]scenario.Answer{"/hook": tc.answers}); err != nil {
			t.Fatal(err)
		}
		status, got, err := c.post(t.Context(), "/hook", asking("v1", `"object":null,"oldObject":{"a":[1]}`))
		if err != nil || status != tc.status || !strings.Contains(got, tc.want) {
			t.Errorf("%s: want %d %s, got %d %s, %v", tc.Name(), tc.status, tc.want, status, got, err)
		}
	}
}

// TestRequests looks at what is kept, over both protocols.
func TestRequests(t *testing.T) {
	t.Parallel()
	for protocol, proto := range map[string]string{"http/1.1": "HTTP/1.1", "h2": "HTTP/2.0"} {
		c := newClient(t, protocol)
		if _, _, err := c.post(t.Context(), "/readyz", "body"); err != nil {
			t.Fatal(err)
		}
		kept := c.Requests()
		if len(kept) != 1 {
			t.Fatalf("%s: want one request, got %d", protocol, len(kept))
		}
		r := kept[0]
		if r.Method != "POST" || r.Path != "/readyz" || r.Query != "timeout=1s" || r.Proto != proto || r.Host != c.Address() ||
			r.Length != 4 || !bytes.Equal(r.Body, []byte("body")) || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %+v", protocol, r)
		}
		if err := c.Script(nil); err != nil || len(c.Requests()) > 0 {
			t.Errorf("%s: requests are left, %v", protocol, err)
		}
	}
}

// TestWaitingEnds has a client give up, and then the server end while one
// waits.
func TestWaitingEnds(t *testing.T) {
	t.Parallel()
	const forever = `"resource":{"group":"","version":"v1","resource":"pods"},"object":{"metadata":{"labels":{"webhook-e2e-test":"wait-forever"}}}`
	for _, protocol := range []string{"http/1.1", "h2"} {
		c := newClient(t, protocol)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if _, _, err := c.post(ctx, "/pods", asking("v1", forever)); err == nil {
			t.Errorf("%s: there was an answer", protocol)
		}
		if err := c.Script(nil); err != nil {
			t.Errorf("%s: %v", protocol, err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, _, _ = c.post(t.Context(), "/pods", asking("v1", forever))
		}()
		for len(c.Requests()) == 0 {
			time.Sleep(time.Millisecond)
		}
		go func() { _ = c.Server.http.Close() }()
		<-ended
	}
}

// TestReset closes the connection, or at least the stream.
func TestReset(t *testing.T) {
	t.Parallel()
	for protocol, want := range map[string]string{"http/1.1": "EOF", "h2": "INTERNAL_ERROR"} {
		c := newClient(t, protocol)
		if err := c.Script(map[string][]scenario.Answer{"/hook": {{Reset: true}}}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.post(t.Context(), "/hook", "{}"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %s, got %v", protocol, want, err)
		}
	}
}

// TestLate has the client leave when the review is there.
func TestLate(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{"http/1.1", "h2"} {
		c := newClient(t, protocol)
		if err := c.Script(map[string][]scenario.Answer{"/hook": {{Late: true}}}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		c.WatchLate(func(Request) { cancel() })
		if _, _, err := c.post(ctx, "/hook", "{}"); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: want a request that was given up, got %v", protocol, err)
		}
		cancel()
	}
}

func TestGzip(t *testing.T) {
	t.Parallel()
	c := newClient(t, "h2") // whose transport takes the encoding away
	if err := c.Script(map[string][]scenario.Answer{"/hook": {{Body: new("{{apiVersion}} {{uid}}"), Gzip: true}}}); err != nil {
		t.Fatal(err)
	}
	if _, got, err := c.post(t.Context(), "/hook", asking("v1", `"name":"x"`)); err != nil || got != "admission.k8s.io/v1 1" {
		t.Errorf("want the version and the uid, got %q, %v", got, err)
	}
}
