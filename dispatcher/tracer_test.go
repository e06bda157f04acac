package dispatcher_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/simulate"
)

// tracedWith has calls traced.
func tracedWith(client dispatcher.Client) func(*dispatcher.Config) {
	return func(c *dispatcher.Config) {
		c.Trace = true
		if client != nil {
			c.Client = client
		}
	}
}

// TestTraceOfExchange looks at the trace of two calls over one connection.
func TestTraceOfExchange(t *testing.T) {
	t.Parallel()
	const wait = 20 * time.Millisecond
	// On a busy machine the webhook may have the request before the client says that it has
	// written it. The client tells the trace, and then the caller, for whom the webhook waits.
	written := make(chan struct{}, 2)
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		WroteRequest: func(httptrace.WroteRequestInfo) { written <- struct{}{} },
	})
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-written:
		case <-r.Context().Done():
		}
		time.Sleep(wait)
		w.Header().Set("Content-Type", "application/json")
		approve(w, r)
	}))
	client := server.Client()
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	mutating, validating := hook(admission.Mutating, "m.example.com"), hook(admission.Validating, "v.example.com")
	s := &testRequest{webhooks: []*admission.Webhook{mutating, validating}}
	s.config = tracedWith(clientFunc(func(context.Context, *admission.Webhook) (*dispatcher.Endpoint, error) {
		return &dispatcher.Endpoint{URL: *address, HTTP: client}, nil
	}))
	response, err := simulate.Request(ctx, s.dispatcher(t, newResult()), creation(pod()), s.interfaces())
	if err != nil {
		t.Fatal(err)
	}
	if len(response.Calls) != 2 {
		t.Fatalf("%d calls, want 2", len(response.Calls))
	}
	for i, c := range response.Calls {
		trace := c.Trace
		var review struct {
			Request  struct{ UID string }
			Response struct{ UID string }
		}
		if err := json.Unmarshal(trace.Request(), &review); err != nil || review.Request.UID != string(c.UID) {
			t.Errorf("call %d: the request is %q (%v), want the review %s", i, trace.Request(), err, c.UID)
		}
		if err := json.Unmarshal(trace.Response, &review); err != nil || review.Response.UID != string(c.UID) {
			t.Errorf("call %d: the response is %q (%v), want the answer to %s", i, trace.Response, err, c.UID)
		}
		on := trace.Connection
		if on.Address != server.Listener.Addr().String() || on.TLS == nil || on.Proto != "HTTP/1.1" || on.Reused != (i == 1) || trace.StatusCode != http.StatusOK {
			t.Errorf("call %d: connection %+v, status %d", i, on, trace.StatusCode)
		}
		timing := trace.Timing
		if fresh := timing.Connect > 0 && timing.TLS > 0; fresh != (i == 0) || timing.Wait < wait {
			t.Errorf("call %d: timing %+v", i, timing)
		}
		if parts := timing.Connect + timing.TLS + timing.Wait + timing.Read; parts > c.Duration {
			t.Errorf("call %d: the parts take %v, and all of it %v", i, parts, c.Duration)
		}
		if trace.Began.Before(response.Began) || response.Elapsed < c.Duration {
			t.Errorf("call %d: began %v and took %v, the request %v and %v", i, trace.Began, c.Duration, response.Began, response.Elapsed)
		}
	}
}

// TestTraceOfObject looks at the object before and after each patch.
func TestTraceOfObject(t *testing.T) {
	t.Parallel()
	labelled := func(key string) exchange { return patches("[" + addLabel(key, "1") + "]") }
	s := &testRequest{
		webhooks: []*admission.Webhook{
			hook(admission.Mutating, "a.example.com"), hook(admission.Mutating, "idle.example.com"), hook(admission.Mutating, "b.example.com"),
		},
		backends: backends{"a.example.com": labelled("a"), "idle.example.com": allow(), "b.example.com": labelled("b")},
		config:   tracedWith(nil),
	}
	object := pod()
	object.Labels = map[string]string{"app": "web"}
	calls := s.simulate(t, creation(object)).Calls
	a, idle, b := calls[0].Trace, calls[1].Trace, calls[2].Trace
	if idle.Before != nil || idle.Patched != nil || idle.After != nil {
		t.Error("a call without a patch has states of the object")
	}
	if string(a.After) != string(b.Before) {
		t.Errorf("the object after one patch is\n%s\nand before the next\n%s", a.After, b.Before)
	}
	for _, state := range []struct {
		name string
		json []byte
		want string
	}{
		{"before a", a.Before, `"labels":{"app":"web"}`},
		{"patched by a", a.Patched, `"labels":{"a":"1","app":"web"}`},
		{"after a", a.After, `"labels":{"a":"1","app":"web"}`},
		{"patched by b", b.Patched, `"labels":{"a":"1","app":"web","b":"1"}`},
		{"after b", b.After, `"labels":{"a":"1","app":"web","b":"1"}`},
	} {
		if !strings.Contains(string(state.json), state.want) {
			t.Errorf("%s: %s, want %s in it", state.name, state.json, state.want)
		}
	}
}

// TestNoTrace: without a tracer no trace is kept.
func TestNoTrace(t *testing.T) {
	t.Parallel()
	s := &testRequest{webhooks: []*admission.Webhook{hook(admission.Validating, hookName)}, backends: backends{hookName: allow()}}
	if got := s.simulate(t, creation(pod())).Calls[0].Trace; got != nil {
		t.Errorf("there is a trace: %+v", got)
	}
}

// TestTraceOfFailure: the trace of a call without a response has the request.
func TestTraceOfFailure(t *testing.T) {
	t.Parallel()
	s := &testRequest{webhooks: []*admission.Webhook{hook(admission.Validating, hookName)}, backends: backends{hookName: fails(context.DeadlineExceeded)}, config: tracedWith(nil)}
	c := s.simulate(t, creation(pod())).Calls[0]
	if trace := c.Trace; trace.Request == nil || len(trace.Request()) == 0 || trace.Response != nil || trace.StatusCode != 0 || c.Outcome != admission.FailedClosed {
		t.Errorf("%v with the trace %+v", c.Outcome, trace)
	}
}
