package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/internal/cli/demo/server"
	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// row has the name of a test case and the reason for it.
type row = testtable.Row

const (
	// review asks about a pod that only the image policy objects to.
	review = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"some-uid",` +
		`"kind":{"group":"","version":"v1","kind":"Pod"},` +
		`"object":{"metadata":{},"spec":{"containers":[{"name":"a","image":"elsewhere/a:1"}]}}}}`
	// empty asks about nothing, which even the slow webhook answers at once.
	empty = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"some-uid"}}`
)

// TestServices visits the service of every webhook in the quickstart's
// configurations, under the name and path that are written there.
func TestServices(t *testing.T) {
	t.Parallel()
	running := start(t)
	services := services(t)
	if len(services) != 4 {
		t.Fatalf("got %d services, want 4", len(services))
	}
	for _, service := range services {
		t.Run(service.Name, func(t *testing.T) {
			t.Parallel()
			body := review
			if service.Name == "slow" {
				body = empty
			}
			client := newClient(t, running, service.Name+"."+service.Namespace+".svc")
			response, err := client.Post("https://"+running.Addr()+*service.Path, "application/json", strings.NewReader(body))
			if err != nil {
				t.Fatalf("calling the webhook: %v", err)
			}
			defer response.Body.Close()
			var got admissionv1.AdmissionReview
			if err := json.NewDecoder(response.Body).Decode(&got); err != nil {
				t.Fatalf("decoding the answer (%s): %v", response.Status, err)
			}
			if got.Response == nil || got.Response.UID != "some-uid" {
				t.Fatalf("not an answer to the request: %+v", got)
			}
			if want := service.Name != "image-policy"; got.Response.Allowed != want {
				t.Errorf("allowed is %v, want %v", got.Response.Allowed, want)
			}
		})
	}
}

// TestVerification is about clients that must not trust the server.
func TestVerification(t *testing.T) {
	t.Parallel()
	running, other := start(t), start(t)
	type test struct {
		row
		trusted    *server.Server
		serverName string
		want       string
	}
	rows := []test{
		{
			row:        row{"another service's name", "the certificate is for the four services only"},
			trusted:    running,
			serverName: "other.webhooks.svc",
			want:       "not other.webhooks.svc",
		},
		{
			row:        row{"another server's bundle", "every server has its own authority"},
			trusted:    other,
			serverName: "slow.webhooks.svc",
			want:       "certificate signed by unknown authority",
		},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		client := newClient(t, tc.trusted, tc.serverName)
		response, err := client.Post("https://"+running.Addr()+"/label", "application/json", strings.NewReader(review))
		if err == nil {
			response.Body.Close()
			t.Fatalf("got %s, want an error: %s", response.Status, tc.Why())
		}
		if !strings.Contains(err.Error(), tc.want) {
			t.Errorf("got error %v, want %q: %s", err, tc.want, tc.Why())
		}
	})
}

func TestClose(t *testing.T) {
	t.Parallel()
	running, err := server.Start()
	if err != nil {
		t.Fatalf("Start: %v", err)
	}
	for _, when := range []string{"first", "second"} {
		if err := running.Close(); err != nil {
			t.Errorf("%s Close: %v", when, err)
		}
	}
	// Another process may have the port by now, but not the certificate.
	client := newClient(t, running, "label-defaulter.webhooks.svc")
	if response, err := client.Post("https://"+running.Addr()+"/label", "application/json", strings.NewReader(review)); err == nil {
		response.Body.Close()
		t.Errorf("got %s, want no answer after Close", response.Status)
	}
}
