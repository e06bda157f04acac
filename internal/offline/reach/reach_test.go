package reach_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/offline/reach"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/faultserver"
)

type row = testtable.Row

const address = "policy.webhooks.svc:443"

// call calls the webhook of the test through the whole client, and returns the
// record of the call.
func call(t *testing.T, d *resolve.Dialer, caBundle []byte) *admission.Call {
	t.Helper()
	webhooks, err := source.Fixed([]runtime.Object{&registrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "policy"},
		Webhooks: []registrationv1.ValidatingWebhook{{
			Name: "policy.example.com",
			ClientConfig: registrationv1.WebhookClientConfig{
				CABundle: caBundle, Service: &registrationv1.ServiceReference{Namespace: "webhooks", Name: "policy"},
			},
			Rules: []registrationv1.RuleWithOperations{{
				Operations: []registrationv1.OperationType{"*"},
				Rule:       registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*"}},
			}},
			NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{},
			SideEffects: new(registrationv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	caller, err := client.New(client.Config{Dial: d.Dial, Proxy: d.Proxy})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(caller.Close)
	engine, err := dispatcher.New(dispatcher.Config{Source: webhooks, Client: caller})
	if err != nil {
		t.Fatal(err)
	}
	response, err := simulate.Request(t.Context(), engine, &admission.Request{
		Operation: admissionv1.Create, Kind: corev1.SchemeGroupVersion.WithKind("Node"),
		Resource: corev1.SchemeGroupVersion.WithResource("nodes"), Name: "a",
		Object: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a"}},
		User:   &authenticationv1.UserInfo{Username: "ann"},
	}, apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme))
	if err != nil {
		t.Fatal(err)
	}
	if len(response.Calls) != 1 {
		t.Fatalf("got %d calls: %v", len(response.Calls), response.Status)
	}
	return &response.Calls[0]
}

// serve starts a server with a named fault.
func serve(t *testing.T, fault string) *faultserver.Server {
	t.Helper()
	f, ok := faultserver.Lookup(fault)
	if !ok {
		t.Fatalf("there is no fault %q", fault)
	}
	server, err := faultserver.Listen(f.Script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return server
}

// TestHint has real errors of the client, wrapped as the engine wraps them.
func TestHint(t *testing.T) {
	t.Parallel()
	other, err := certs.NewAuthority("other")
	if err != nil {
		t.Fatal(err)
	}
	type test struct {
		row
		fault string
		// ca is the caBundle: that of the server, none, or another one, which
		// the command has from a file if file is set.
		ca, file string
		want     string
	}
	const another = "another"
	testtable.Run(t, []test{
		{row{"rejected", "the target of the route is wrong"}, "refuse", "", "", "nothing listens at 127.0.0.1:PORT, to which connections to " + address + " are routed"},
		{row{"name", "the certificate is for another service"}, "wrong-name", "", "", "the certificate is for wrong.invalid: issue one for policy.webhooks.svc"},
		{row{"authority", "the caBundle is outdated"}, "unknown-authority", "", "", "no CA in the caBundle signed the certificate: the caBundle is of another installation, or from before a renewal"},
		{row{"no caBundle", "the command has a flag for it"}, "deny", "none", "", "without a caBundle API servers use the CAs of the system, and none of them signed the certificate: set caBundle, or give the CA with --ca-file"},
		{row{"other file", "the flag names the wrong one"}, "deny", another, another, "no CA in --ca-file signed the certificate"},
		{row{"no TLS", "the port is the wrong one"}, "garbage", "", "", "the server does not speak TLS: something else listens at this port"},
		{row{"denied", "nothing failed"}, "deny", "", "", ""},
	}, func(t *testing.T, tc test) {
		server := serve(t, tc.fault)
		bundle := server.CABundle()
		switch tc.ca {
		case "none":
			bundle = nil
		case another:
			bundle = other.Bundle()
		}
		d := &resolve.Dialer{Routes: resolve.Table{address: server.Address()}}
		access := reach.Flags(d, nil)
		if tc.file != "" {
			access.CA = bundle
		}
		c := call(t, d, bundle)
		_, port, _ := net.SplitHostPort(server.Address())
		if got := strings.ReplaceAll(access.Hint(c), port, "PORT"); got != tc.want {
			t.Errorf("got the hint %q, want %q, for %v: %s", got, tc.want, c.Err, tc.Why())
		}
	})
}

// TestPlainHTTP has a server of package net/http, which answers in HTTP.
func TestPlainHTTP(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	d := &resolve.Dialer{Routes: resolve.Table{address: server.Listener.Addr().String()}}
	const want = "the server speaks plain HTTP, and API servers call webhooks over HTTPS only: " +
		"serve TLS, or connect to the port that does"
	if c := call(t, d, nil); reach.Flags(d, nil).Hint(c) != want {
		t.Errorf("got the hint %q, want %q, for %v", reach.Flags(d, nil).Hint(c), want, c.Err)
	}
}

// TestNotReached calls no one: there is no route.
func TestNotReached(t *testing.T) {
	t.Parallel()
	d := &resolve.Dialer{}
	access := reach.Flags(d, nil)
	c := call(t, d, nil)
	if !access.NotReached(c) || access.Outcome(c) != explain.OutcomeNotReached {
		t.Errorf("the outcome is %q: %v", access.Outcome(c), c.Err)
	}
	const want = address + " is not on this machine: give the address of the webhook with --resolve " + address +
		":ADDRESS:PORT, or allow connections to other machines with --connect-anywhere"
	if got := access.Hint(c); got != want {
		t.Errorf("got the hint %q, want %q", got, want)
	}
}

// TestHintForErrors has errors that would need the network, or time.
func TestHintForErrors(t *testing.T) {
	t.Parallel()
	noHost := func(name string) error {
		return &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}}
	}
	type test struct {
		row
		routes   resolve.Table
		err      error
		duration time.Duration
		want     string
	}
	testtable.Run(t, []test{
		{row{"no host", "services are in the DNS of the cluster only"}, nil, noHost("policy.webhooks.svc"), 0,
			"there is no host named policy.webhooks.svc: give the address of the webhook with --resolve policy.webhooks.svc:443:ADDRESS:PORT"},
		{row{"no target", "the route leads nowhere"}, resolve.Table{address: "nowhere:443"}, noHost("nowhere"), 0,
			"there is no host named nowhere, to which connections to policy.webhooks.svc:443 are routed"},
		{row{"timeout", "the webhook is too slow"}, nil, context.DeadlineExceeded, 5 * time.Second, "the webhook did not answer within its timeoutSeconds, 5"},
		{row{"deadline", "the webhook had no time"}, nil, context.DeadlineExceeded, time.Second, "the deadline of the request passed before the webhook's timeoutSeconds"},
		{row{"success", "there is nothing to say"}, nil, nil, 0, ""},
	}, func(t *testing.T, tc test) {
		c := &admission.Call{Webhook: &admission.Webhook{TimeoutSeconds: new(int32(5))}, Err: tc.err, Duration: tc.duration}
		c.Webhook.ClientConfig.Service = &registrationv1.ServiceReference{Namespace: "webhooks", Name: "policy"}
		if got := reach.Flags(&resolve.Dialer{Routes: tc.routes}, nil).Hint(c); got != tc.want {
			t.Errorf("got the hint %q, want %q: %s", got, tc.want, tc.Why())
		}
	})
}
