package httpclients

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/valyala/fasthttp"
)

// review is as long as that of a pod of 4.5 KB.
var review = []byte(`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"object":"` +
	strings.Repeat("x", 5000) + `"}}`)

// workers is how many goroutines send requests, as in B7/100.
const workers = 100

// client sends the review and returns the body of the response.
type client func() ([]byte, error)

// clients returns the clients for a server.
func clients(t testing.TB, of introduction) map[string]client {
	t.Helper()
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(of.Bundle) {
		t.Fatal("the server has no certificate")
	}
	config := &tls.Config{RootCAs: roots, ServerName: serverName}
	return map[string]client{"net_http": netHTTP(t, of.Address, config), "fasthttp": fastHTTP(of.Address, config)}
}

func netHTTP(t testing.TB, address string, config *tls.Config) client {
	transport := &http.Transport{
		TLSClientConfig: config, MaxIdleConnsPerHost: workers, WriteBufferSize: 16 << 10,
	}
	t.Cleanup(transport.CloseIdleConnections)
	return func() ([]byte, error) {
		request, err := http.NewRequestWithContext(
			context.Background(), http.MethodPost, "https://"+address+"/", bytes.NewReader(review))
		if err != nil {
			return nil, err
		}
		response, err := transport.RoundTrip(request)
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		return io.ReadAll(response.Body)
	}
}

func fastHTTP(address string, config *tls.Config) client {
	host := &fasthttp.HostClient{
		Addr: address, IsTLS: true, TLSConfig: config, MaxConns: workers, WriteBufferSize: 16 << 10,
	}
	return func() ([]byte, error) {
		request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
		defer fasthttp.ReleaseRequest(request)
		defer fasthttp.ReleaseResponse(response)
		request.Header.SetMethod(http.MethodPost)
		request.SetRequestURI("https://" + address + "/")
		request.SetBodyRaw(review)
		if err := host.Do(request, response); err != nil {
			return nil, err
		}
		return bytes.Clone(response.Body()), nil
	}
}

// TestClients requires that every client does what the benchmark measures.
func TestClients(t *testing.T) {
	for name, send := range clients(t, start(t)) {
		got, err := send()
		if err != nil || string(got) != response {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}

// BenchmarkClients sends requests from all workers.
func BenchmarkClients(b *testing.B) {
	for name, send := range clients(b, start(b)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			if err := share(b.N, send); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// share has the workers send n requests.
func share(n int, send client) error {
	var sent atomic.Int64
	var group sync.WaitGroup
	errs := make([]error, workers)
	for i := range errs {
		group.Go(func() {
			for errs[i] == nil && sent.Add(1) <= int64(n) {
				_, errs[i] = send()
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}
