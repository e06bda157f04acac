package client

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/memorynet"
	"example.com/gatehouse/internal/testutil/testtable"
)

// renewal is a client with a certificate on disk, and a server in memory that
// notes which certificate each review is sent with.
type renewal struct {
	client            *Client
	hook              *admission.Webhook
	certFile, keyFile string

	mu sync.Mutex
	// certificates are those of the reviews, numbered as they were first seen.
	certificates []int
	seen         []string
	open         int
}

// newRenewal serves until the end of the test, which runs in a bubble. A review
// at /slow takes ten seconds.
func newRenewal(t *testing.T) *renewal {
	t.Helper()
	r := &renewal{}
	r.certFile, r.keyFile = writeClientCertificate(t)
	ca, cert := newCertificate(t, []string{"hook.example"})
	listener := memorynet.Listen(443)
	server := &http.Server{
		Handler: r, ErrorLog: log.New(io.Discard, "", 0), ConnState: r.count,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{cert}, ClientAuth: tls.RequestClientCert},
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.ServeTLS(listener, "", "") })
	t.Cleanup(func() {
		_ = server.Close()
		serving.Wait()
	})
	r.hook = urlHook("https://hook.example", ca)
	r.client = newClient(t, Config{
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { return listener.Dial(ctx) },
		AuthInfo: authInfo(&rest.Config{
			TLSClientConfig: rest.TLSClientConfig{CertFile: r.certFile, KeyFile: r.keyFile},
		}),
	})
	return r
}

// ServeHTTP implements http.Handler.
func (r *renewal) ServeHTTP(_ http.ResponseWriter, req *http.Request) {
	r.note(string(req.TLS.PeerCertificates[0].Raw))
	if req.URL.Path == "/slow" {
		time.Sleep(10 * time.Second)
	}
}

func (r *renewal) note(certificate string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for n, known := range r.seen {
		if known == certificate {
			r.certificates = append(r.certificates, n+1)
			return
		}
	}
	r.seen = append(r.seen, certificate)
	r.certificates = append(r.certificates, len(r.seen))
}

// count is the server's ConnState.
func (r *renewal) count(_ net.Conn, state http.ConnState) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch state {
	case http.StateNew:
		r.open++
	case http.StateClosed:
		r.open--
	}
}

func (r *renewal) call(t *testing.T) {
	t.Helper()
	if _, err := post(t, r.client, r.hook, "{}"); err != nil {
		t.Error(err)
	}
}

// callSlow makes a call of ten seconds with the endpoint of now.
func (r *renewal) callSlow(t *testing.T, calls *sync.WaitGroup) {
	t.Helper()
	e := *endpoint(t, r.client, r.hook)
	e.URL.Path = "/slow"
	calls.Go(func() {
		if _, err := postTo(t, &e, "{}"); err != nil {
			t.Error(err)
		}
	})
	synctest.Wait()
}

func (r *renewal) expectOpen(t *testing.T, want int, when string) {
	t.Helper()
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open != want {
		t.Errorf("%s: %d connections are open, want %d", when, r.open, want)
	}
}

type renewalRow struct {
	row
	run func(t *testing.T, r *renewal)
	// certificates are those that the reviews were sent with.
	certificates []int
}

var renewalRows = []renewalRow{
	{
		row{"idle", "without a handshake, a renewal is noticed a minute after the last look at the files"},
		func(t *testing.T, r *renewal) {
			r.call(t)
			time.Sleep(10 * time.Second)
			renewClientCertificate(t, r.certFile, r.keyFile)
			time.Sleep(certificateCheck - 10*time.Second - time.Nanosecond)
			r.call(t)
			time.Sleep(time.Nanosecond)
			r.call(t)
			r.expectOpen(t, 1, "the connection with the old certificate is closed")
			r.call(t)
		},
		[]int{1, 1, 2, 2},
	},
	{
		row{"handshake", "the first connection with the new certificate ends the use of the others"},
		func(t *testing.T, r *renewal) {
			var calls sync.WaitGroup
			r.callSlow(t, &calls)
			renewClientCertificate(t, r.certFile, r.keyFile)
			r.callSlow(t, &calls)
			r.call(t)
			calls.Wait()
			r.expectOpen(t, 1, "each connection of the old endpoint is closed after its call")
			r.call(t)
		},
		[]int{1, 2, 2, 2},
	},
	{
		row{"in flight", "a call that began with the old certificate ends as it would have"},
		func(t *testing.T, r *renewal) {
			r.call(t)
			time.Sleep(certificateCheck - time.Second)
			var calls sync.WaitGroup
			r.callSlow(t, &calls)
			renewClientCertificate(t, r.certFile, r.keyFile)
			time.Sleep(time.Second)
			r.call(t)
			r.expectOpen(t, 2, "the call is in flight")
			calls.Wait()
			r.expectOpen(t, 1, "the call has ended")
		},
		[]int{1, 1, 2},
	},
	{
		row{"half", "a certificate without its key is not used; with its key it is, a second later"},
		func(t *testing.T, r *renewal) {
			r.call(t)
			before, err := os.ReadFile(r.keyFile)
			if err != nil {
				t.Fatal(err)
			}
			renewClientCertificate(t, r.certFile, r.keyFile)
			after, err := os.ReadFile(r.keyFile)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(certificateCheck)
			for _, key := range [][]byte{before, after} {
				if err := os.WriteFile(r.keyFile, key, 0o600); err != nil {
					t.Fatal(err)
				}
				r.call(t)
			}
			time.Sleep(certificateRetry)
			r.call(t)
		},
		[]int{1, 1, 1, 2},
	},
	{
		row{"unchanged", "files that are written again with the same content are no renewal"},
		func(t *testing.T, r *renewal) {
			r.call(t)
			first := endpoint(t, r.client, r.hook)
			time.Sleep(2 * certificateCheck)
			r.call(t)
			if endpoint(t, r.client, r.hook) != first {
				t.Error("the endpoint was replaced")
			}
		},
		[]int{1, 1},
	},
}

// TestRenewedCertificates renews a client certificate on disk, in virtual time.
func TestRenewedCertificates(t *testing.T) {
	t.Parallel()
	testtable.Run(t, renewalRows, func(t *testing.T, row renewalRow) {
		synctest.Test(t, func(t *testing.T) {
			r := newRenewal(t)
			row.run(t, r)
			if diff := cmp.Diff(row.certificates, r.certificates); diff != "" {
				t.Errorf("certificates of the reviews (-want +got):\n%s", diff)
			}
		})
	})
}
