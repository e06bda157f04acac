package production

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/test/internal/parity/harness"
)

// pair is a client certificate with its key, in PEM.
func pair(t *testing.T, name string) (cert, key []byte) {
	t.Helper()
	authority, err := certs.NewAuthority("clients")
	if err != nil {
		t.Fatal(err)
	}
	made, err := authority.Issue(certs.Leaf{Names: []string{name}, Client: true})
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(made.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made.Certificate[0]}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})
}

// busy has some callers call until the function that it returns is called. That
// function returns how many calls failed.
func busy(t *testing.T, h *host, load load) (stop func() int) {
	t.Helper()
	tally, done := &tally{}, make(chan struct{})
	var calling sync.WaitGroup
	calling.Go(func() { tally.drive(t, h, load, done) })
	return func() int {
		close(done)
		calling.Wait()
		return tally.failed
	}
}

// folder is a client certificate on disk, which is replaced as kubelet does it:
// by another target of a symbolic link.
type folder string

func (f folder) files() map[string]any {
	return map[string]any{
		"client-certificate": filepath.Join(string(f), "now", "crt"),
		"client-key":         filepath.Join(string(f), "now", "key"),
	}
}

func (f folder) write(t *testing.T, name string) {
	t.Helper()
	cert, key := pair(t, name)
	at, link := filepath.Join(string(f), name), filepath.Join(string(f), "next")
	for _, err := range []error{
		os.Mkdir(at, 0o700),
		os.WriteFile(filepath.Join(at, "crt"), cert, 0o600),
		os.WriteFile(filepath.Join(at, "key"), key, 0o600),
		os.Symlink(at, link),
		os.Rename(link, filepath.Join(string(f), "now")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestRenewedCertificate renews a client certificate on disk under load. It is
// in real time, because client-go's goroutine for a certificate does not end
// with a bubble, and waits until the renewal is noticed.
func TestRenewedCertificate(t *testing.T) {
	t.Parallel()
	for _, side := range sides {
		s, f := serve(t), folder(t.TempDir())
		s.handling = handling
		f.write(t, "old")
		h := s.connect(t, side, f.files())
		if err := h.call(t.Context()); err != nil {
			t.Fatal(err)
		}
		stop := busy(t, h, load{callers, time.Millisecond})
		f.write(t, "new")
		failed := 0
		for n := 1; !s.sent("new") && n < 100; n++ {
			failed += busy(t, h, load{n, time.Millisecond})() // one more at once opens a connection
		}
		failed += stop()
		noticed := time.Now()
		if failed := busy(t, h, load{callers, time.Millisecond})(); failed > 0 {
			t.Errorf("%v: %d calls failed after the renewal", side, failed)
		}
		t.Logf("%v: %d of the calls that were in flight failed", side, failed)
		if !s.sent("new") || s.lastSent("old", noticed) > 0 {
			t.Errorf("%v: the old certificate is still sent", side)
		}
		if (failed > 0) != (side == harness.Upstream) {
			t.Errorf("%v: %d calls failed", side, failed)
		}
	}
}

// TestRenewedBundle replaces the CA bundle of a configuration under load, before
// the server has a certificate of the new CA.
func TestRenewedBundle(t *testing.T) {
	t.Parallel()
	for _, side := range sides {
		synctest.Test(t, func(t *testing.T) {
			before, after := serve(t), serve(t)
			before.handling = handling
			var current atomic.Pointer[server]
			current.Store(before)
			h := before.open(t, side, "", func(ctx context.Context, _, _ string) (net.Conn, error) {
				return current.Load().listener.Dial(ctx)
			})
			stop := busy(t, h, load{callers, 2 * handling})
			time.Sleep(time.Second + between)
			h.setBundle(t, after.bundle)
			synctest.Wait()
			delivered := time.Now()
			time.Sleep(time.Second)
			failed := stop()
			if late := before.lastSent("", delivered); late > 0 {
				t.Errorf("%v: a review was sent to a server of the old CA %v after the change", side, late)
			}
			t.Logf("%v: %d connections of the old CA are open a second later", side, before.conns)
			if side == harness.Gatehouse && before.conns > 0 {
				t.Errorf("%d connections of the old CA are open", before.conns)
			}
			current.Store(after)
			if err := h.call(t.Context()); err != nil || failed == 0 {
				t.Errorf("%v: %d calls failed before the server's renewal, and after it: %v", side, failed, err)
			}
		})
	}
}

// setBundle changes the webhook's configuration.
func (h *host) setBundle(t *testing.T, bundle []byte) {
	t.Helper()
	configurations := h.kube.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	c, err := configurations.Get(t.Context(), configurationName, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c.ResourceVersion = "2"
	c.Webhooks[0].ClientConfig.CABundle = bundle
	if _, err := configurations.Update(t.Context(), c, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}
