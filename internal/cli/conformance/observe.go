package conformance

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/reach"
)

const (
	// readTimeout is the timeout of a read, and maxBody the largest body.
	readTimeout = 10 * time.Second
	maxBody     = 8 << 20
)

// observer reads the URL of --observe, which shows side effects.
type observer struct {
	url    string
	client *http.Client
}

// observer returns the observer of --observe. It connects as to the webhooks,
// with --resolve, --connect-anywhere and --ca-file. The caller must close it.
func (o *options) observer(a reach.Access) (*observer, error) {
	u, err := url.Parse(o.observe)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, &message.UsageError{
			Err: fmt.Errorf("--observe %q: want a URL with http or https and a host", o.observe)}
	}
	trust := &tls.Config{MinVersion: tls.VersionTLS12}
	pem, err := flags.CA(o.caFile)
	if err != nil {
		return nil, &message.InputError{Err: err}
	}
	if pem != nil {
		trust.RootCAs = x509.NewCertPool()
		trust.RootCAs.AppendCertsFromPEM(pem) // flags.CA has found some
	}
	return &observer{url: o.observe, client: &http.Client{
		Timeout: readTimeout,
		Transport: &http.Transport{
			DialContext: a.Dialer.Dial, Proxy: a.Dialer.Proxy, TLSClientConfig: trust,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a redirect is an error
		},
	}}, nil
}

func (o *observer) close() { o.client.CloseIdleConnections() }

// read returns the current content of the URL.
func (o *observer) read(ctx context.Context) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, o.url, nil)
	if err != nil {
		return nil, fmt.Errorf("--observe %s: %w", o.url, err)
	}
	response, err := o.client.Do(request)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, fmt.Errorf("--observe %s: %w", o.url, err)
	}
	defer func() { _ = response.Body.Close() }() // the body was read to its end, or there is an error
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("--observe %s: status %d, want 200", o.url, response.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("--observe %s: reading the body: %w", o.url, err)
	case len(body) > maxBody:
		return nil, fmt.Errorf("--observe %s: the body exceeds %d MiB", o.url, maxBody>>20)
	}
	return body, nil
}
