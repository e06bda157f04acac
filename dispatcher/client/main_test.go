package client

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestMain(m *testing.M) {
	// net/http reads these once per process; a proxy would receive the requests
	// to the tests' listeners.
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"} {
		os.Unsetenv(name)
		os.Unsetenv(strings.ToLower(name))
	}
	os.Setenv("HTTPS_PROXY", "http://"+environmentProxy)
	os.Setenv("NO_PROXY", ".example,.svc,192.0.2.0/24")
	leaktest.Main(m)
}

// environmentProxy is the environment's proxy. No server of these tests is
// behind it.
const environmentProxy = "proxy.invalid:3128"

// row is the name of a row and what it shows.
type row = testtable.Row

// urlHook is a webhook with a URL.
func urlHook(url string, ca []byte) *admission.Webhook {
	return &admission.Webhook{
		Name:         "hook.example.com",
		ClientConfig: registrationv1.WebhookClientConfig{URL: &url, CABundle: ca},
	}
}

// serviceHook is a webhook behind the service hooks/gate.
func serviceHook(ca []byte) *admission.Webhook {
	return &admission.Webhook{
		Name: "hook.example.com",
		ClientConfig: registrationv1.WebhookClientConfig{
			Service:  &registrationv1.ServiceReference{Namespace: "hooks", Name: "gate"},
			CABundle: ca,
		},
	}
}

// newClient returns a client that is closed at the end of the test.
func newClient(t *testing.T, cfg Config) *Client {
	t.Helper()
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// answer is the part of a response that tests compare.
type answer struct {
	Status  string
	Proto   string
	Header  http.Header
	Length  int64
	Body    string
	BodyErr error
}

// post sends body to w and reads the whole response.
func post(t *testing.T, c dispatcher.Client, w *admission.Webhook, body string) (answer, error) {
	t.Helper()
	e, err := c.Endpoint(t.Context(), w)
	if err != nil {
		t.Fatalf("no endpoint: %v", err)
	}
	return postTo(t, e, body)
}

// postTo is post with an endpoint.
func postTo(t *testing.T, e *dispatcher.Endpoint, body string) (answer, error) {
	t.Helper()
	u := e.URL
	u.RawQuery = "timeout=5s"
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, u.String(), bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := e.HTTP.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	read, bodyErr := io.ReadAll(resp.Body)
	// Only a server on the network sends a Date.
	resp.Header.Del("Date")
	return answer{
		Status: resp.Status, Proto: resp.Proto, Header: resp.Header,
		Length: resp.ContentLength, Body: string(read), BodyErr: bodyErr,
	}, nil
}
