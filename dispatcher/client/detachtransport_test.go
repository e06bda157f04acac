package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// trackedBodyStub is a response's body that records its Close.
type trackedBodyStub struct {
	io.Reader
	closed *bool
	broken bool
}

func (l trackedBodyStub) Close() error {
	*l.closed = true
	if l.broken {
		panic("close")
	}
	return nil
}

type detachRow struct {
	row
	takes time.Duration
	// end is what the round tripper does instead of responding.
	end func() error
	// broken bodies panic when they are closed.
	broken bool

	err string
	// panicked: the error is an *admission.PanicError.
	panicked bool
	// closed: the transport closes the body, not the caller.
	closed bool
}

// TestDetachTransport makes calls with a timeout of a second.
func TestDetachTransport(t *testing.T) {
	t.Parallel()
	const late, up = 2 * time.Second, "context deadline exceeded"
	fail := func() error { return errors.New("no") }
	boom := func() error { panic("boom") }
	leave := func() error { runtime.Goexit(); return nil }
	testtable.Run(t, []detachRow{
		{row{"answer", "the caller gets it and closes it"}, 0, nil, false, "", false, false},
		{row{"error", "the caller gets it unchanged"}, 0, fail, false, "no", false, false},
		{row{"panic", "the caller gets it, with its text"}, 0, boom, false, "boom", true, false},
		{row{"goroutine ended", "the caller must not wait for ever"}, 0, leave, false, "the call ended its goroutine", true, false},
		{row{"late answer", "its connection is released"}, late, nil, false, up, false, true},
		{row{"late broken response", "a panic of Close must not end the process"}, late, nil, true, up, false, true},
		{row{"late error", "it is discarded"}, late, fail, false, up, false, false},
		{row{"late panic", "it must not end the process"}, late, boom, false, up, false, false},
		{row{"goroutine ended late", "the caller has returned already"}, late, leave, false, up, false, false},
	}, func(t *testing.T, r detachRow) {
		synctest.Test(t, func(t *testing.T) { r.run(t) })
	})
}

func (r *detachRow) run(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	closed := false
	rt := detachTransport{wrapper{roundTrip(func(*http.Request) (*http.Response, error) {
		time.Sleep(r.takes)
		if r.end != nil {
			return nil, r.end()
		}
		return &http.Response{Body: trackedBodyStub{strings.NewReader("ok"), &closed, r.broken}}, nil
	})}}
	start := time.Now()
	resp, err := rt.RoundTrip((&http.Request{}).WithContext(ctx)) //nolint:bodyclose // it holds nothing
	if took, want := time.Since(start), min(r.takes, time.Second); took != want {
		t.Errorf("the call took %v, want %v", took, want)
	}
	var panicked *admission.PanicError
	if testtable.Text(err) != r.err || errors.As(err, &panicked) != r.panicked {
		t.Errorf("error %v of type %T, want %q", err, err, r.err)
	}
	if answered := r.err == ""; answered != (resp != nil) {
		t.Errorf("response %v", resp)
	}
	time.Sleep(r.takes)
	synctest.Wait()
	if closed != r.closed {
		t.Errorf("body closed: %v, want %v", closed, r.closed)
	}
}

type execPluginRow struct {
	row
	hook     *admission.Webhook
	cfg      Config
	detached bool
}

// TestExecPluginsAreDetached: only calls with a credential plugin need a
// goroutine.
func TestExecPluginsAreDetached(t *testing.T) {
	t.Parallel()
	url, service := urlHook("https://hook.example", nil), serviceHook(nil)
	plugin := &clientcmdapi.ExecConfig{
		Command: "plugin", APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
	}
	testtable.Run(t, []execPluginRow{
		{row{"url", "net/http returns when the context ends"}, url, Config{Services: at("")}, false},
		{row{"service", "a DNS name is computed without a call"}, service, Config{}, false},
		{row{"service, default", "the same resolver, named explicitly"}, service, Config{Services: webhookutil.NewDefaultServiceResolver()}, false},
		{row{"service, resolver", "only the resolver runs on another goroutine, not the call"}, service, Config{Services: at("")}, false},
		{row{"plugin", "client-go waits for the plugin without the context"}, url, Config{AuthInfo: authInfo(&rest.Config{ExecProvider: plugin})}, true},
		{row{"plugin, exact", "likewise in exact mode"}, url, Config{AuthInfo: authInfo(&rest.Config{ExecProvider: plugin}), Exact: true}, true},
	}, func(t *testing.T, r execPluginRow) {
		e, err := newClient(t, r.cfg).Endpoint(t.Context(), r.hook)
		if err != nil {
			t.Fatal(err)
		}
		if got := isDetached(e.HTTP.Transport); got != r.detached {
			t.Errorf("abandoned: %v, want %v", got, r.detached)
		}
	})
}

// isDetached reports whether rt contains a detachTransport.
func isDetached(rt http.RoundTripper) bool {
	for {
		if _, ok := rt.(detachTransport); ok {
			return true
		}
		wrapper, ok := rt.(utilnet.RoundTripperWrapper)
		if !ok {
			return false
		}
		rt = wrapper.WrappedRoundTripper()
	}
}
