package portforward_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/portforward"
	"example.com/gatehouse/internal/testutil/forwardtest"
	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestMain(m *testing.M) {
	const shutdown = "github.com/moby/spdystream.(*Connection).shutdown"
	leaktest.Main(m,
		// It offers an error for a second that only a caller of Wait receives.
		goleak.IgnoreTopFunction(shutdown),
		// It waits for a stream that was created while the connection ended.
		goleak.IgnoreAnyFunction(shutdown+".func1"))
}

type row = testtable.Row

var policy = resolve.Service{Namespace: "webhooks", Name: "policy", Port: "443"}

// echo answers lines with themselves, until the test ends.
func echo(t *testing.T) (address string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				lines := bufio.NewReader(c)
				for {
					line, err := lines.ReadString('\n')
					if err != nil || line == "bye\n" {
						return
					}
					_, _ = io.WriteString(c, line)
				}
			}()
		}
	}()
	return listener.Addr().String()
}

// start starts a server and returns a Forwarder to it.
func start(t *testing.T, s *forwardtest.Server) *portforward.Forwarder {
	t.Helper()
	s.Backend = echo(t)
	s.Start(t)
	f, err := portforward.New(t.Context(), &rest.Config{Host: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// say sends a line and returns the answer.
func say(c net.Conn, line string) (string, error) {
	if _, err := io.WriteString(c, line+"\n"); err != nil {
		return "", err
	}
	answer, err := bufio.NewReader(c).ReadString('\n')
	return strings.TrimSuffix(answer, "\n"), err
}

// dialAndSay sends a line in a connection of its own.
func dialAndSay(ctx context.Context, f *portforward.Forwarder, s resolve.Service, line string) (string, error) {
	c, err := f.Dial(ctx, s)
	if err != nil {
		return "", err
	}
	defer c.Close()
	return say(c, line)
}

// TestConnections: many connections at a time share one port-forward.
func TestConnections(t *testing.T) {
	t.Parallel()
	for _, webSocket := range []bool{false, true} {
		s := &forwardtest.Server{WebSocket: webSocket}
		f := start(t, s)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				line := strings.Repeat("x", 100_000)
				if got, err := dialAndSay(t.Context(), f, policy, line); got != line || err != nil {
					t.Errorf("got %d bytes, %v", len(got), err)
				}
			})
		}
		all.Wait()
		want := []string{
			"GET /api/v1/namespaces/webhooks/services/policy",
			"GET /apis/discovery.k8s.io/v1/namespaces/webhooks/endpointslices",
			"GET /api/v1/namespaces/webhooks/pods/policy-0/portforward",
		}
		if !webSocket {
			want = append(want, "POST /api/v1/namespaces/webhooks/pods/policy-0/portforward")
		}
		if got := s.Requests(); !slices.Equal(got, want) {
			t.Errorf("WebSocket %t: the requests are\n%s", webSocket, strings.Join(got, "\n"))
		}
	}
}

// TestEnd: a connection that the pod closes has ended without an error, and other
// connections go on.
func TestEnd(t *testing.T) {
	t.Parallel()
	f := start(t, &forwardtest.Server{})
	stays, err := f.Dial(t.Context(), policy)
	if err != nil {
		t.Fatal(err)
	}
	defer stays.Close()
	if got, err := dialAndSay(t.Context(), f, policy, "bye"); got != "" || err != io.EOF {
		t.Errorf("got %q, %v, want the end", got, err)
	}
	if got, err := say(stays, "still there"); got != "still there" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestErrors: what is wrong is in the error of the connection, and Err has what is wrong with
// the way to the cluster.
func TestErrors(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		server  forwardtest.Server
		service resolve.Service
		want    string
		access  bool
	}
	other := resolve.Service{Namespace: "webhooks", Name: "policy", Port: "444"}
	missing := resolve.Service{Namespace: "webhooks", Name: "missing", Port: "443"}
	const forwarding = "forwarding a port to service webhooks/policy: "
	testtable.Run(t, []*test{
		{row{"closed", "the webhook does not listen"}, forwardtest.Server{Closed: true}, policy,
			"the port-forward to port 9443 of pod webhooks/policy-0: connection refused in the pod", false},
		{row{"closed by WebSocket", "it is the same"}, forwardtest.Server{Closed: true, WebSocket: true}, policy,
			"the port-forward to port 9443 of pod webhooks/policy-0: connection refused in the pod", false},
		{row{"unready", "calls in the cluster would fail, too"}, forwardtest.Server{Unready: true}, policy,
			forwarding + "the service has no pod that is ready for port 443", false},
		{row{"portless", "calls in the cluster would fail, too"}, forwardtest.Server{Portless: true}, policy,
			forwarding + "the service has no pod that is ready for port 443", false},
		{row{"port", "calls in the cluster would fail, too"}, forwardtest.Server{}, other,
			forwarding + "the service has no port 444", false},
		{row{"missing", "calls in the cluster would fail, too"}, forwardtest.Server{}, missing,
			`forwarding a port to service webhooks/missing: services "missing" not found`, false},
		{row{"services", "the user may not do it"}, forwardtest.Server{Forbidden: "services"}, policy,
			forwarding + `services "policy" is forbidden: <nil>`, true},
		{row{"slices", "the user may not do it"}, forwardtest.Server{Forbidden: "endpointslices"}, policy,
			forwarding + `endpointslices "endpointslices" is forbidden: <nil>`, true},
		{row{"portforward", "the user may not do it"}, forwardtest.Server{Forbidden: "portforward", WebSocket: true},
			policy, forwarding + `portforward "portforward" is forbidden: <nil>`, true},
		{row{"no API", "it is another server"}, forwardtest.Server{}, resolve.Service{Namespace: "a/b", Name: "c", Port: "443"},
			"forwarding a port to service a/b/c: invalid namespace", true},
	}, func(t *testing.T, tc *test) {
		f := start(t, &tc.server)
		for range 2 { // an error does not make the next one
			_, err := dialAndSay(t.Context(), f, tc.service, "hello")
			if err == nil || !strings.HasPrefix(err.Error(), tc.want) {
				t.Errorf("%s: got %v, want %s", tc.Why(), err, tc.want)
			}
		}
		if err := f.Err(); (err != nil) != tc.access || err != nil && !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("%s: the way to the cluster has %v", tc.Why(), err)
		}
	})
}

// TestRestart: when a pod is gone its connections end with an error that names it, and the
// next connection leads to another pod.
func TestRestart(t *testing.T) {
	t.Parallel()
	for _, webSocket := range []bool{false, true} {
		s := &forwardtest.Server{WebSocket: webSocket}
		f := start(t, s)
		c, err := f.Dial(t.Context(), policy)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := say(c, "hello"); err != nil {
			t.Fatal(err)
		}
		s.Restart()
		const want = "the port-forward to port 9443 of pod webhooks/policy-0: it has ended"
		if _, err := c.Read(make([]byte, 1)); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if got, err := dialAndSay(t.Context(), f, policy, "again"); got != "again" || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
		if all := s.Requests(); !strings.HasSuffix(all[len(all)-1], "/policy-1/portforward") {
			t.Errorf("the requests are\n%s", strings.Join(all, "\n"))
		}
		if err := f.Err(); err != nil {
			t.Error(err)
		}
	}
}

// TestSlow: a call does not wait for a port-forward beyond its context, and a later one uses
// it.
func TestSlow(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	s := &forwardtest.Server{Hold: hold, WebSocket: true}
	f := start(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Dial(ctx, policy); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	close(hold)
	if got, err := dialAndSay(t.Context(), f, policy, "hello"); got != "hello" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if n := len(s.Requests()); n != 3 {
		t.Errorf("%d requests, want the three of one port-forward", n)
	}
}

// roundTripper answers without a network.
type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestTooSlow: if a pod does not answer in time, it is not the way to the cluster that is
// wrong. If the API server does not, it is.
func TestTooSlow(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		part   string // ends the paths that have no answer
		access bool
	}
	testtable.Run(t, []test{
		{row{"pod", "other pods may answer"}, "/portforward", false},
		{row{"API server", "it does not answer for other pods either"}, "/endpointslices", true},
	}, func(t *testing.T, tc test) {
		synctest.Test(t, func(t *testing.T) {
			s := &forwardtest.Server{}
			transport := roundTripper(func(r *http.Request) (*http.Response, error) {
				if strings.HasSuffix(r.URL.Path, tc.part) {
					<-r.Context().Done()
					return nil, r.Context().Err()
				}
				w := httptest.NewRecorder()
				s.ServeHTTP(w, r)
				return w.Result(), nil
			})
			f, err := portforward.New(t.Context(), &rest.Config{
				Host:          "http://127.0.0.1:1",
				WrapTransport: func(http.RoundTripper) http.RoundTripper { return transport },
			})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := f.Dial(t.Context(), policy); err == nil {
				t.Error("the Service has a connection")
			}
			if err := f.Err(); (err != nil) != tc.access {
				t.Errorf("the way to the cluster has %v", err)
			}
		})
	})
}

// TestClose: the end of a Forwarder is that of its connections, and of what waits for the API
// server.
func TestClose(t *testing.T) {
	t.Parallel()
	f := start(t, &forwardtest.Server{})
	c, err := f.Dial(t.Context(), policy)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := say(c, "hello"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("the connection has not ended")
	}

	hold := make(chan struct{})
	slow := start(t, &forwardtest.Server{Hold: hold, WebSocket: true})
	t.Cleanup(func() { close(hold) }) // before the server ends
	waited := make(chan error)
	go func() {
		_, err := slow.Dial(t.Context(), policy)
		waited <- err
	}()
	slow.Close()
	if err := <-waited; err == nil || !strings.Contains(err.Error(), context.Canceled.Error()) {
		t.Errorf("got %v", err)
	}
	if err := slow.Err(); err != nil {
		t.Errorf("the way to the cluster has %v", err)
	}
}

// TestUnreached: that there is no API server is an error of the way to the cluster.
func TestUnreached(t *testing.T) {
	t.Parallel()
	f, err := portforward.New(t.Context(), &rest.Config{Host: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, err = f.Dial(t.Context(), policy)
	if err == nil || !strings.Contains(err.Error(), "connection refused") || f.Err() == nil {
		t.Errorf("got %v, and the way to the cluster has %v", err, f.Err())
	}
}
