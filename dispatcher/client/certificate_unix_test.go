//go:build unix

package client

import (
	"context"
	"os"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/testutil/testenv"
)

// TestHungCertificate has the volume of a client certificate hang when it is time to
// read the file: the calls get the endpoint with the certificate that was read before.
func TestHungCertificate(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, ctx := range []context.Context{ended, t.Context()} {
		certFile, keyFile := writeClientCertificate(t)
		c := newClient(t, Config{AuthInfo: authInfo(&rest.Config{
			TLSClientConfig: rest.TLSClientConfig{CertFile: certFile, KeyFile: keyFile},
		})})
		hook := urlHook("https://hook.example", nil)
		before := endpoint(t, c, hook)
		if err := os.Remove(certFile); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(certFile, 0o600); err != nil {
			testenv.Missing(t, err)
		}
		certificate := c.endpoints.get(&hook.ClientConfig).certificate
		certificate.next = time.Now()
		answer := func() {
			if err := os.WriteFile(certFile, nil, 0); err != nil {
				t.Error(err)
			}
		}
		answered := time.AfterFunc(time.Minute, answer)
		for range 2 {
			if e, err := c.Endpoint(ctx, hook); e != before || err != nil {
				t.Errorf("got %v, %v; want the endpoint before", e, err)
			}
		}
		if !answered.Stop() {
			t.Fatal("the calls waited for the file")
		}
		answer()
		certificate.mu.Lock() // when the file has been read
		defer certificate.mu.Unlock()
	}
}
