package draft

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// behind returns a webhook of a service in the namespace shop.
func behind(service, configuration, name string) *admission.Webhook {
	return &admission.Webhook{
		Configuration: configuration, Name: name, UID: configuration + "/" + name + "/0",
		ClientConfig: registrationv1.WebhookClientConfig{Service: &registrationv1.ServiceReference{Namespace: "shop", Name: service}},
	}
}

// at returns a webhook at a URL.
func at(url, name string) *admission.Webhook {
	return &admission.Webhook{Configuration: "c", Name: name, ClientConfig: registrationv1.WebhookClientConfig{URL: &url}}
}

func TestShell(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		text, want string
	}
	testtable.Run(t, []test{
		{row{"variable", "it is nothing but the shell's, and easy to read"}, "serve -port $PORT", "serve -port $PORT"},
		{row{"process", "two would become one"}, "echo $$", "echo $$$$"},
		{row{"command", "it looks like a variable"}, "echo $(PORT)", "echo $$(PORT)"},
		{row{"process and command", "each is kept"}, "$$$(a)", "$$$$$$(a)"},
		{row{"the end", "there is nothing behind it"}, "a$", "a$"},
		{row{"arithmetic", "it begins as a command does"}, "$((PORT + 1))", "$$((PORT + 1))"},
	}, func(t *testing.T, tc test) {
		if diff := cmp.Diff([]string{"sh", "-c", tc.want}, Shell(tc.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

func TestEntries(t *testing.T) {
	t.Parallel()
	exec := &suitefile.Exec{Command: []string{"serve"}}
	a, b := behind("a", "one", "a.example.com"), behind("b", "two", "b.example.com")
	toA, toBoth := resolve.Table{"a.shop.svc:443": "localhost:1"}, resolve.Table{"a.shop.svc:443": "localhost:1", "b.shop.svc:443": "localhost:1"}
	type test struct {
		row
		webhooks []*admission.Webhook
		table    resolve.Table
		caFile   string
		exec     *suitefile.Exec
		want     []suitefile.Webhook
	}
	testtable.Run(t, []test{
		{row{"nothing said", "they are where their configurations say"}, []*admission.Webhook{a, b}, nil, "", nil, nil},
		{row{"all in one place", "one entry is for all"}, []*admission.Webhook{a, b}, toBoth, "ca.crt", nil,
			[]suitefile.Webhook{{Address: "localhost:1", CAFile: "ca.crt"}}},
		{row{"one of two", "the other must not be sent there"}, []*admission.Webhook{a, b}, toA, "", nil,
			[]suitefile.Webhook{{Name: "a.example.com", Address: "localhost:1"}}},
		{row{"one of two, with a CA", "that of the other has to be said somewhere, too"}, []*admission.Webhook{a, b}, toA, "ca.crt", nil,
			[]suitefile.Webhook{{Name: "a.example.com", Address: "localhost:1", CAFile: "ca.crt"}, {Name: "b.example.com", Address: "b.shop.svc:443", CAFile: "ca.crt"}}},
		{row{"URL", "the port may be missing, and case does not matter"}, []*admission.Webhook{at("https://LOCALHOST/x", "x"), at("https://localhost:8443/y", "y")}, nil, "ca.crt", nil,
			[]suitefile.Webhook{{Name: "x", Address: "localhost:443", CAFile: "ca.crt"}, {Name: "y", Address: "localhost:8443", CAFile: "ca.crt"}}},
		{row{"exec", "it serves all"}, []*admission.Webhook{a, b}, nil, "", exec, []suitefile.Webhook{{Exec: exec}}},
		{row{"exec and a route", "it serves the rest, whose CA is made for it"}, []*admission.Webhook{a, b}, toA, "ca.crt", exec,
			[]suitefile.Webhook{{Name: "a.example.com", Address: "localhost:1", CAFile: "ca.crt"}, {Exec: exec}}},
		{row{"unused exec", "an entry without webhooks would be a mistake"}, []*admission.Webhook{a, b}, toBoth, "", exec,
			[]suitefile.Webhook{{Address: "localhost:1"}}},
		{row{"shared name", "the configuration tells them apart"}, []*admission.Webhook{behind("a", "one", "x"), behind("b", "two", "x")}, toA, "", nil,
			[]suitefile.Webhook{{Name: "one/x", Address: "localhost:1"}}},
		{row{"both phases", "one entry is for both"}, []*admission.Webhook{behind("a", "one", "x"), behind("a", "one", "x"), b}, toA, "", nil,
			[]suitefile.Webhook{{Name: "x", Address: "localhost:1"}}},
		{row{"nowhere", "a webhook without a place has no entry"}, []*admission.Webhook{{Name: "x"}, at("::", "y")}, nil, "ca.crt", nil, nil},
	}, func(t *testing.T, tc test) {
		if diff := cmp.Diff(tc.want, Entries(tc.webhooks, tc.table, tc.caFile, tc.exec)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}
