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
)

const (
	// patience is how long it may take to read what is observed, and most how much of it
	// there may be.
	patience = 10 * time.Second
	most     = 8 << 20
)

// observer reads what side effects can be seen at.
type observer struct {
	url    string
	client *http.Client
}

// observer returns that of --observe. It is reached as the webhooks are, with --resolve
// and --ca-file. It must be closed.
func (o *options) observer() (*observer, error) {
	u, err := url.Parse(o.observe)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, &message.UsageError{Err: fmt.Errorf("--observe %q: want a URL with http or https and a host", o.observe)}
	}
	table, err := flags.Routes(o.resolve)
	if err != nil {
		return nil, &message.UsageError{Err: err}
	}
	pem, err := flags.CA(o.caFile)
	if err != nil {
		return nil, &message.InputError{Err: err}
	}
	trust := &tls.Config{MinVersion: tls.VersionTLS12}
	if pem != nil {
		trust.RootCAs = x509.NewCertPool()
		trust.RootCAs.AppendCertsFromPEM(pem) // flags.CA has found some
	}
	return &observer{url: o.observe, client: &http.Client{
		Timeout:   patience,
		Transport: &http.Transport{DialContext: table.Dial, Proxy: table.Proxy, TLSClientConfig: trust},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // it is an answer, and not what was to be observed
		},
	}}, nil
}

func (o *observer) close() { o.client.CloseIdleConnections() }

// look returns what can be seen now.
func (o *observer) look(ctx context.Context) ([]byte, error) {
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
	defer func() { _ = response.Body.Close() }() // everything was read, or the error says why not
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("--observe %s: it answers with the status %d, want 200", o.url, response.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("--observe %s: reading it: %w", o.url, err)
	case len(body) > most:
		return nil, fmt.Errorf("--observe %s: there is more of it than %d MiB", o.url, most>>20)
	}
	return body, nil
}
