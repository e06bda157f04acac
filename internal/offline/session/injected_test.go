package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/offline/inject"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/faultserver"
)

// unreachable is the way to webhooks without a fault.
type unreachable struct{}

func (unreachable) Endpoint(context.Context, *admission.Webhook) (*dispatcher.Endpoint, error) {
	return nil, fmt.Errorf("that is the webhook's own endpoint")
}

// TestStandsInForAnyAddress: a fault server has to be believed to be the
// webhook, whatever the webhook's address looks like.
func TestStandsInForAnyAddress(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		url  string // empty for a service
		want string
	}
	rows := []test{
		{row{"service", "it goes by its name"}, "", "https://policy.webhooks.svc:443"},
		{row{"name", "the port is none of the fault server's"}, "https://policy.example.com:8443/", "https://policy.example.com:8443"},
		{row{"dot", "a final dot is in the URL but not in certificates"}, "https://policy.example.com./", "https://policy.example.com."},
		{row{"underscore", "it is in no host's name and in many URLs"}, "https://my_policy.example.com/", "https://my_policy.example.com"},
		{row{"loopback", "the only address that it really has"}, "https://127.0.0.1:9/", "https://127.0.0.1:9"},
		{row{"localhost", "a name of this machine, for which there is HTTP/2"}, "https://localhost:9/", "https://localhost:9"},
		{row{"IPv4", "clients do not say which address they want a certificate for"}, "https://192.0.2.1/", "https://192.0.2.1"},
		{row{"IPv6", "the same, and credentials are looked up for doubled brackets"}, "https://[2001:db8::1]/", "https://[2001:db8::1]"},
		{row{"IPv6 with a port", "the same, with one pair of brackets"}, "https://[2001:db8::1]:8443/", "https://[2001:db8::1]:8443"},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		w := &admission.Webhook{Configuration: "c", Name: "w"}
		if tc.url == "" {
			w.ClientConfig.Service = &registrationv1.ServiceReference{Namespace: "webhooks", Name: "policy"}
		} else {
			w.ClientConfig.URL = &tc.url
		}
		i := injectedInto(t, w, faultserver.Script{})
		e, err := i.Endpoint(t.Context(), w)
		if err != nil {
			t.Fatalf("no endpoint: %v", err)
		}
		if got := strings.TrimSuffix(e.URL.String(), "/"); got != tc.want {
			t.Errorf("the URL is %s, want %s", got, tc.want)
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, e.URL.String(), strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		response, err := e.HTTP.Do(request)
		if err != nil {
			t.Fatalf("%s: %v", tc.Why(), err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		if w.ClientConfig.CABundle != nil {
			t.Error("the webhook itself was changed")
		}
	})
}

func injectedInto(t *testing.T, w *admission.Webhook, script faultserver.Script) *injected {
	t.Helper()
	i := &injected{next: unreachable{}}
	t.Cleanup(i.close)
	fault := faultserver.Fault{Name: "fault", Script: script}
	if err := i.start([]target{{NameOf(w), inject.Flag{Fault: fault}}}, false); err != nil {
		t.Fatal(err)
	}
	return i
}

// TestOthersAreCalled: what has no fault goes its own way.
func TestOthersAreCalled(t *testing.T) {
	t.Parallel()
	i := injectedInto(t, &admission.Webhook{Configuration: "c", Name: "w"}, faultserver.Script{})
	for _, other := range []*admission.Webhook{{Configuration: "d", Name: "w"}, {Configuration: "c", Name: "v"}} {
		if _, err := i.Endpoint(t.Context(), other); err == nil || !strings.Contains(err.Error(), "the webhook's own") {
			t.Errorf("%s/%s has the endpoint of another: %v", other.Configuration, other.Name, err)
		}
		if fault := i.faultFor(NameOf(other)); fault != "" {
			t.Errorf("%s/%s has the fault %s", other.Configuration, other.Name, fault)
		}
	}
	if i.standIns[0].called.Load() {
		t.Error("the webhook with the fault counts as called")
	}
}

const twoConfigMaps = `
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b}
`

const patientWebhook = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: policy}
webhooks:
- name: patient.example.com
  clientConfig: {service: {namespace: webhooks, name: policy}}
  rules: [{operations: ["*"], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
  timeoutSeconds: 30
  sideEffects: None
  admissionReviewVersions: [v1]
`

// TestInterruptedFault interrupts calls that hang in different places: waiting
// ends at once, and closing leaves nothing behind.
func TestInterruptedFault(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		fault  string
		script string // in fault.json
	}
	rows := []test{
		{row{"hang", "the answer does not come"}, "hang", ""},
		{row{"never-read", "the fault does not read the request"}, "never-read", ""},
		{row{"tls-hang", "there is not even a connection"}, "tls-hang", ""},
		{row{"drip-body", "the answer comes too slowly"}, "drip-body", ""},
		{row{"length", "the answer's length takes for ever to find out"}, "@fault.json", `{"answer":{"body":{"text":{"repeat":"x","times":4000000000000000}}}}`},
		{row{"compressed", "the same for a bomb"}, "@fault.json", `{"answer":{"body":{"pad":9000000000000000000,"gzip":true}}}`},
		{row{"UTF-16", "text in another encoding is not held"}, "@fault.json", `{"answer":{"body":{"text":{"repeat":"x","times":4000000000000000},"charset":"utf-16le"}}}`},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		folder := t.TempDir()
		file := filepath.Join(folder, "webhooks.yaml")
		if err := os.WriteFile(file, []byte(patientWebhook), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "fault.json"), []byte(`{"requests":[[`+tc.script+`]]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		fault := strings.Replace(tc.fault, "@", "@"+folder+string(filepath.Separator), 1)
		o := NewOptions()
		o.Configs, o.Objects, o.Inject = []string{file}, []string{"-"}, []string{"patient.example.com=" + fault}
		o.Stdin, o.Stderr = strings.NewReader(twoConfigMaps), io.Discard
		s, err := Prepare(o)
		if err != nil {
			t.Fatal(err)
		}
		// Without the fault the deadline is the error.
		ctx, interrupt := context.WithTimeout(t.Context(), time.Minute)
		defer interrupt()
		server := s.injected.standIns[0].server
		go func() {
			for ctx.Err() == nil && !underWay(server.Record(), tc.script != "") {
				time.Sleep(time.Millisecond)
			}
			interrupt()
		}()
		err = s.Admit(ctx, func(*Result) error { return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the interruption; the record is %+v", err, server.Record())
		}
		begin := time.Now()
		s.Close()
		if err := server.Close(); err != nil {
			t.Errorf("%v: %s", err, tc.Why())
		}
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("it took %v: %s", took, tc.Why())
		}
	})
}

// underWay reports whether the fault has begun: with what arrives first, or
// with the request as a whole.
func underWay(r faultserver.Record, requested bool) bool {
	if !requested {
		return r.Bytes > 0
	}
	return len(r.Requests) > 0 && json.Valid(r.Requests[0].Body)
}
