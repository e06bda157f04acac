package plugin

import (
	"slices"
	"testing"

	"k8s.io/client-go/rest"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/matching"
)

// anonymous is a resolver without credentials.
type anonymous struct{}

func (anonymous) ClientConfigFor(string) (*rest.Config, error) { return &rest.Config{}, nil }

func (anonymous) ClientConfigForService(string, string, int) (*rest.Config, error) {
	return &rest.Config{}, nil
}

// newClient returns a client without credentials.
func newClient(t *testing.T) *client.Client {
	t.Helper()
	c, err := client.New(client.Config{AuthInfo: anonymous{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// TestUpdateReachesTheClient requires that the client keeps the endpoint of a webhook that
// is in force, and no other.
func TestUpdateReachesTheClient(t *testing.T) {
	t.Parallel()
	c, url := newClient(t), "https://127.0.0.1:1"
	w := &admission.Webhook{Phase: admission.Validating, Name: "a"}
	w.ClientConfig.URL = &url
	endpoint := func() *dispatcher.Endpoint {
		e, err := c.Endpoint(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	var r connectionRetention
	r.update(c, fromAPI, matching.NewSnapshot(nil, matching.NewCompiler().Compile([]*admission.Webhook{w})))
	before := endpoint()
	if endpoint() != before {
		t.Error("the client made the endpoint of a webhook in force twice")
	}
	r.update(c, fromAPI, matching.NewSnapshot(nil, nil))
	if endpoint() == before {
		t.Error("the client has the endpoint of a webhook that is gone")
	}
}

// TestRetained: a change of one origin leaves the connections of the other
// alone.
func TestRetained(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	compiler := matching.NewCompiler()
	snapshot := func(phase admission.Phase, names ...string) *matching.Snapshot {
		var webhooks []*admission.Webhook
		for _, name := range names {
			webhooks = append(webhooks, &admission.Webhook{Phase: phase, Name: name})
		}
		if phase == admission.Mutating {
			return matching.NewSnapshot(compiler.Compile(webhooks), nil)
		}
		return matching.NewSnapshot(nil, compiler.Compile(webhooks))
	}
	var r connectionRetention
	for _, step := range []struct {
		from     origin
		snapshot *matching.Snapshot
		want     []string
	}{
		{fromManifests, snapshot(admission.Mutating, "static"), []string{"static"}},
		{fromAPI, snapshot(admission.Validating, "a", "b"), []string{"a", "b", "static"}},
		{fromAPI, snapshot(admission.Validating, "b"), []string{"b", "static"}},
		{fromManifests, snapshot(admission.Mutating), []string{"b"}},
	} {
		r.update(c, step.from, step.snapshot)
		var got []string
		r.webhooks(func(w *admission.Webhook) bool { got = append(got, w.Name); return true })
		if !slices.Equal(got, step.want) {
			t.Errorf("retained %v, want %v", got, step.want)
		}
	}
	calls := 0
	r.webhooks(func(*admission.Webhook) bool { calls++; return false })
	if calls != 1 {
		t.Errorf("%d webhooks for an iteration that stops after one", calls)
	}
}
