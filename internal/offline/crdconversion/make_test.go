package crdconversion_test

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/offline/crdconversion"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestBrokenDefinitions has what cannot be converted with. None of it panics.
func TestBrokenDefinitions(t *testing.T) {
	t.Parallel()
	type spec = apiextensionsv1.CustomResourceConversion
	type client = apiextensionsv1.WebhookClientConfig
	type test struct {
		row
		edit func(*spec)
		want string // follows the definition's name
	}
	at := func(edit func(*client)) func(*spec) { return func(s *spec) { edit(s.Webhook.ClientConfig) } }
	address := func(url string) func(*spec) { return at(func(c *client) { c.URL = &url }) }
	service := func(edit func(*apiextensionsv1.ServiceReference)) func(*spec) {
		return at(func(c *client) {
			c.URL, c.Service = nil, &apiextensionsv1.ServiceReference{Namespace: "widgets", Name: "converter"}
			edit(c.Service)
		})
	}
	const webhook = "spec.conversion.webhook"
	const config = webhook + ".clientConfig"
	const form = "; desired format: https://host[/path]"
	rows := []test{
		{row{"none", "versions that differ in their names only need no webhook"},
			func(s *spec) { *s = spec{Strategy: "None"} }, `spec.conversion.strategy: is "None", and must be Webhook for a conversion by a webhook`},
		{row{"other strategy", "a strategy that does not exist"},
			func(s *spec) { s.Strategy = "Magic" }, `spec.conversion.strategy: is "Magic", and must be Webhook for a conversion by a webhook`},
		{row{"no webhook", "there is no webhook to call"}, func(s *spec) { s.Webhook = nil }, webhook + ": Required value: with the strategy Webhook"},
		{row{"no client", "nor here"}, func(s *spec) { s.Webhook.ClientConfig = nil }, config + ": Required value: with the strategy Webhook"},
		{row{"no address", "it cannot be called"}, at(func(c *client) { c.URL = nil }), config + ": Required value: exactly one of url or service is required"},
		{row{"two addresses", "one of them is wrong"},
			at(func(c *client) { c.Service = &apiextensionsv1.ServiceReference{} }), config + ": Required value: exactly one of url or service is required"},
		{row{"plain HTTP", "an API server does not accept it"}, address("http://127.0.0.1/"),
			config + `.url: Invalid value: "http": 'https' is the only allowed URL scheme` + form},
		{row{"no host", "it leads nowhere"}, address("https:///x"), config + `.url: Invalid value: "": host must be specified` + form},
		{row{"no URL", "it cannot be read"}, address("https://%zz"), config + ".url: Required value: url must be a valid URL: "},
		{row{"empty URL", "it is there and says nothing"}, address(""), "[" + config + `.url: Invalid value: "": 'https'`},
		{row{"no service name", "half an address"}, service(func(s *apiextensionsv1.ServiceReference) { s.Name = "" }), config + ".service.name: Required value"},
		{row{"no service namespace", "the other half"}, service(func(s *apiextensionsv1.ServiceReference) { s.Namespace = "" }), config + ".service.namespace: Required value"},
		{row{"service port zero", "it would be taken for 443"},
			service(func(s *apiextensionsv1.ServiceReference) { s.Port = new(int32(0)) }), config + ".service.port: Invalid value: 0: port is not valid: "},
		{row{"service path", "a path begins with a slash"},
			service(func(s *apiextensionsv1.ServiceReference) { s.Path = new("x") }), "[" + config + `.service.path: Invalid value: "x": must start with a '/'`},
		{row{"service name that is none", "no address can be made of it"},
			service(func(s *apiextensionsv1.ServiceReference) { s.Name = "a b%" }), "parse "},
		{row{"no reviews", "no conversion could be asked for"},
			func(s *spec) { s.Webhook.ConversionReviewVersions = nil }, webhook + ".conversionReviewVersions: Invalid value: "},
		{row{"unknown reviews", "nor in an unknown version"}, func(s *spec) { s.Webhook.ConversionReviewVersions = []string{"v2"} },
			webhook + `.conversionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1`},
		{row{"caBundle", "it is no PEM"}, at(func(c *client) { c.CABundle = []byte("x") }), "unable to load root certificates"},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		w := unstarted()
		crd := w.crd("v1")
		tc.edit(crd.Spec.Conversion)
		got, err := crdconversion.Make(w.config(), crd)
		if text, want := testtable.Text(err), `CustomResourceDefinition "widgets.example.com": `+tc.want; !strings.HasPrefix(text, want) || got != nil {
			t.Errorf("got %v, error %q, want %q", got, text, want)
		}
	})
}

// TestBrokenConfig has what is wrong for any definition.
func TestBrokenConfig(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		edit func(*crdconversion.Config)
		want string
	}
	testtable.Run(t, []test{
		{row{"no dial", "without it, addresses that are the caller's to route would be dialed"},
			func(c *crdconversion.Config) { c.Dial = nil }, "crdconversion.Config.Dial is required"},
		{row{"negative timeout", "it would be no timeout at all"},
			func(c *crdconversion.Config) { c.Timeout = -1 }, "crdconversion.Config.Timeout is -1ns, and must not be negative"},
	}, func(t *testing.T, tc test) {
		c := unstarted().config()
		tc.edit(&c)
		_, err := crdconversion.Make(c, unstarted().crd("v1"))
		if text := testtable.Text(err); !strings.HasSuffix(text, tc.want) {
			t.Errorf("error %q, want %q", text, tc.want)
		}
	})
}

func TestNoDefinition(t *testing.T) {
	t.Parallel()
	if _, err := crdconversion.Make(unstarted().config(), nil); err == nil {
		t.Error("no error")
	}
	crd := unstarted().crd("v1")
	crd.Spec.Conversion = nil
	if _, err := crdconversion.Make(unstarted().config(), crd); err == nil {
		t.Error("no error for the strategy that is None by default")
	}
	crd = unstarted().crd("v1")
	crd.Spec.Versions = nil
	if _, err := mustMake(t, unstarted().config(), crd).ConvertToVersion(widget("v1", 1), gv("v3")); err == nil {
		t.Error("no error for a definition without versions")
	}
}

// TestTrust has the certificate verified with one bundle or the other.
func TestTrust(t *testing.T) {
	t.Parallel()
	other, err := certs.NewAuthority("other")
	if err != nil {
		t.Fatal(err)
	}
	type test struct {
		row
		definition, config func(own []byte) []byte
		ok                 bool
	}
	own := func(b []byte) []byte { return b }
	none := func([]byte) []byte { return nil }
	blank := func([]byte) []byte { return []byte(" \n") }
	foreign := func([]byte) []byte { return other.Bundle() }
	testtable.Run(t, []test{
		{row{"definition's", "as in a cluster"}, own, none, true},
		{row{"config's", "in a cluster the bundle would be in the definition"}, none, own, true},
		{row{"blank", "kube-apiserver takes blanks for nothing"}, blank, own, true},
		{row{"definition's first", "a definition with a caBundle needs no other"}, foreign, own, false},
		{row{"config's alone", "the other way around"}, own, foreign, true},
		{row{"none", "the system does not know it"}, none, none, false},
	}, func(t *testing.T, tc test) {
		w := newWebhook(t, nil)
		crd, c := w.crd("v1"), w.config()
		crd.Spec.Conversion.Webhook.ClientConfig.CABundle = tc.definition(w.bundle)
		c.CABundle = tc.config(w.bundle)
		_, err := mustMake(t, c, crd).ConvertToVersion(widget("v1", 1), gv("v3"))
		if tc.ok && err != nil {
			t.Error(err)
		}
		if !tc.ok && !strings.HasSuffix(testtable.Text(err), (x509.UnknownAuthorityError{}).Error()) {
			t.Errorf("error %v", err)
		}
	})
}

// TestServicePort has the port that a service has if none is written.
func TestServicePort(t *testing.T) {
	t.Parallel()
	c, crd := unstarted().config(), unstarted().crd("v1")
	byService(crd)
	crd.Spec.Conversion.Webhook.ClientConfig.Service.Port = nil
	var dialed string
	c.Dial = func(_ context.Context, _, address string) (net.Conn, error) {
		dialed = address
		return nil, errors.New("no listener")
	}
	_, err := mustMake(t, c, crd).ConvertToVersion(widget("v1", 1), gv("v3"))
	if dialed != "converter.widgets.svc:443" || !strings.HasSuffix(testtable.Text(err), "no listener") {
		t.Errorf("dialed %q, error %v", dialed, err)
	}
}

func TestProxy(t *testing.T) {
	t.Parallel()
	c := unstarted().config()
	c.Proxy = func(r *http.Request) (*url.URL, error) { return nil, errors.New("no proxy for " + r.URL.Path) }
	_, err := mustMake(t, c, unstarted().crd("v1")).ConvertToVersion(widget("v1", 1), gv("v3"))
	if !strings.HasSuffix(testtable.Text(err), "no proxy for /convert") {
		t.Errorf("error %v", err)
	}
}
