package client

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestIdleConnectionsAreKept makes 100 concurrent calls, twice. The second
// hundred uses the connections of the first; with client-go's limit of 25 it
// would have to open three quarters of them again. net/http closes the few whose
// goroutines do not run for 50 ms.
func TestIdleConnectionsAreKept(t *testing.T) {
	t.Parallel()
	const calls = 100
	together := newBarrier(calls)
	b := startBackend(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { together.wait() }), "gate.hooks.svc")
	c := newClient(t, Config{Services: at(b.addr)})
	e, err := c.Endpoint(t.Context(), serviceHook(b.ca))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		postAtOnce(t, e, calls)
	}
	if got := b.connections(); got > calls+calls/4 {
		t.Errorf("%d connections for 2 x %d calls at once, want about %d", got, calls, calls)
	}
}

// postAtOnce makes n concurrent calls and waits for them.
func postAtOnce(t *testing.T, e *dispatcher.Endpoint, n int) {
	t.Helper()
	var calls sync.WaitGroup
	for range n {
		calls.Go(func() {
			if _, err := postTo(t, e, "{}"); err != nil {
				t.Errorf("call failed: %v", err)
			}
		})
	}
	calls.Wait()
}

// barrier blocks its callers until n have arrived.
type barrier struct {
	mu      sync.Mutex
	n, here int
	open    chan struct{}
}

func newBarrier(n int) *barrier { return &barrier{n: n, open: make(chan struct{})} }

func (b *barrier) wait() {
	b.mu.Lock()
	open := b.open
	b.here++
	if b.here == b.n {
		close(open)
		b.here, b.open = 0, make(chan struct{})
	}
	b.mu.Unlock()
	<-open
}

// TestPoolLimits reads the limits from net/http's transport, because reaching
// them takes too long.
func TestPoolLimits(t *testing.T) {
	t.Parallel()
	for name, hook := range map[string]string{"HTTP/1.1": "https://hook.example", "HTTP/2": "https://localhost"} {
		e, err := newClient(t, Config{}).Endpoint(t.Context(), urlHook(hook, nil))
		if err != nil {
			t.Fatal(err)
		}
		pool := httpTransport(e.HTTP.Transport)
		if pool == nil {
			t.Fatalf("%s: no net/http transport under %T", name, e.HTTP.Transport)
		}
		if pool == http.DefaultTransport {
			t.Errorf("%s: the process's default transport is shared with others", name)
		}
		if pool.MaxIdleConnsPerHost != maxIdleConnections || pool.MaxIdleConns != 0 {
			t.Errorf("%s: %d idle connections per host, %d in all", name, pool.MaxIdleConnsPerHost, pool.MaxIdleConns)
		}
		if pool.TLSHandshakeTimeout != 10*time.Second || pool.Proxy == nil {
			t.Errorf("%s: handshake timeout %v, proxy set: %v (S-288)", name, pool.TLSHandshakeTimeout, pool.Proxy != nil)
		}
	}
}

type headerRow struct {
	row
	host string
	// limit is Config.MaxHeaderBytes, size the size of the server's header.
	limit int64
	size  int
	fails bool
}

// TestHeaderLimit: the size of a response's header is limited.
func TestHeaderLimit(t *testing.T) {
	t.Parallel()
	rows := []headerRow{
		{row{"HTTP/1.1 within", "more than correct webhooks send"}, "hook.example", 0, 60 << 10, false},
		{row{"HTTP/1.1 beyond", "64 KiB is the limit"}, "hook.example", 0, 70 << 10, true},
		{row{"HTTP/2 within", "the limit is one for both versions"}, "localhost", 0, 60 << 10, false},
		{row{"HTTP/2 beyond", "HTTP/2 has its own way of refusing"}, "localhost", 0, 70 << 10, true},
		{row{"raised", "the limit can be set"}, "hook.example", 1 << 20, 70 << 10, false},
		{row{"lowered", "in both directions"}, "hook.example", 1 << 10, 2 << 10, true},
	}
	testtable.Run(t, rows, func(t *testing.T, r headerRow) {
		b := startBackend(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			// Several fields, because HTTP/2 cannot decompress a single one of
			// this size.
			for range r.size >> 9 {
				w.Header().Add("Large", strings.Repeat("x", 1<<9-len("Large: \r\n")))
			}
		}), "hook.example", "localhost")
		c := newClient(t, Config{Dial: b.dial, MaxHeaderBytes: r.limit})
		if _, err := post(t, c, urlHook("https://"+r.host, b.ca), "{}"); (err != nil) != r.fails || r.fails && !strings.HasSuffix(err.Error(), "(Limits.ResponseHeader)") {
			t.Errorf("error %v, want one that names the limit: %v", err, r.fails)
		}
	})
}

// TestForeignTransport: a transport in the credentials is used and not changed.
func TestForeignTransport(t *testing.T) {
	t.Parallel()
	theirs := &http.Transport{MaxIdleConnsPerHost: 3}
	c := newClient(t, Config{AuthInfo: authInfo(&rest.Config{Transport: theirs})})
	e, err := c.Endpoint(t.Context(), urlHook("https://localhost", nil))
	if err != nil {
		t.Fatal(err)
	}
	if got := httpTransport(e.HTTP.Transport); got != theirs || theirs.MaxIdleConnsPerHost != 3 {
		t.Errorf("transport %p with %d idle connections, want %p with 3", got, theirs.MaxIdleConnsPerHost, theirs)
	}
}

// TestPoolsAreNotShared: clients with equal configurations must not close each
// other's connections.
func TestPoolsAreNotShared(t *testing.T) {
	t.Parallel()
	b := startBackend(t, http.HandlerFunc(ok), "hook.example")
	cfg := Config{Dial: b.dial}
	staying, leaving := newClient(t, cfg), newClient(t, cfg)
	for _, c := range []*Client{staying, leaving} {
		if _, err := post(t, c, urlHook("https://hook.example", b.ca), "{}"); err != nil {
			t.Fatal(err)
		}
	}
	leaving.Close()
	if _, err := post(t, staying, urlHook("https://hook.example", b.ca), "{}"); err != nil {
		t.Fatal(err)
	}
	if got := b.connections(); got != 2 {
		t.Errorf("%d connections, want one per client", got)
	}
}
