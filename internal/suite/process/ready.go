package process

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"example.com/gatehouse/internal/suite/suitefile"
)

// Pauses between attempts to reach a command grow between these limits.
const (
	shortestPause = time.Millisecond
	longestPause  = 50 * time.Millisecond
)

// probe waits until a command is ready, or ctx ends. The error is that of the
// last attempt.
type probe func(ctx context.Context) error

// compile compiles Readiness.Log; nil if it is empty.
func compile(log string) (*regexp.Regexp, error) {
	if log == "" {
		return nil, nil
	}
	compiled, err := regexp.Compile(log)
	if err != nil {
		return nil, fmt.Errorf("readiness.log: %w", err)
	}
	return compiled, nil
}

// newProbe returns the probe for a Readiness.
func newProbe(r suitefile.Readiness, p *Process) (probe, error) {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(p.bundle)
	switch {
	case r.Log != "":
		return p.output.line, nil
	case r.Path != "":
		return httpProbe("https://"+p.address+"/"+strings.TrimPrefix(r.Path, "/"), roots)
	}
	return retry(func(ctx context.Context) error {
		return checkConnection(ctx, p.address, roots)
	}), nil
}

// checkConnection returns an error unless a TCP connection can be made. A server
// whose certificate is of another authority of this package is the command of
// another run, which got the port first.
func checkConnection(ctx context.Context, address string, roots *x509.CertPool) error {
	connection, err := dial(ctx, address)
	if err != nil {
		return err
	}
	defer connection.Close()
	// Complete the handshake: many servers log an aborted one as an error. It need
	// not succeed.
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	polite := tls.Client(connection, &tls.Config{InsecureSkipVerify: true})
	if polite.HandshakeContext(ctx) != nil {
		return nil
	}
	defer polite.Close()
	leaf := polite.ConnectionState().PeerCertificates[0]
	_, err = leaf.Verify(x509.VerifyOptions{Roots: roots})
	if err != nil && leaf.Issuer.CommonName == authorityName {
		return errors.New("the command of another gatehouse listens on the port")
	}
	return nil
}

// line is the probe for Readiness.Log.
func (o *output) line(ctx context.Context) error {
	select {
	case <-o.matched:
		return nil
	case <-ctx.Done():
		return errors.New("no line of its output matches readiness.log")
	}
}

// httpProbe returns the probe for Readiness.Path.
func httpProbe(url string, roots *x509.CertPool) (probe, error) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, fmt.Errorf("readiness.path: %w", err)
	}
	client := &http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true},
		// A redirect counts as ready.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       attempt,
	}
	return retry(func(ctx context.Context) error {
		response, err := client.Do(request.WithContext(ctx))
		if err != nil {
			return err
		}
		_ = response.Body.Close()
		if response.StatusCode < 200 || response.StatusCode > 399 {
			return fmt.Errorf("GET %s: %s", url, response.Status)
		}
		return nil
	}), nil
}

// retry returns a probe that retries until its context ends, which has a deadline.
func retry(try func(ctx context.Context) error) probe {
	return func(ctx context.Context) error {
		var last error
		deadline, _ := ctx.Deadline()
		for pause := shortestPause; ; pause = min(2*pause, longestPause) {
			err := try(ctx)
			if err == nil {
				return nil
			}
			// Keep the error of a complete attempt. A dial sees the deadline before ctx ends.
			if last == nil || ctx.Err() == nil && time.Now().Before(deadline) {
				last = err
			}
			select {
			case <-ctx.Done():
				return last
			case <-time.After(pause):
			}
		}
	}
}

// await waits for the probe, the end of the command, the end of ctx, or the
// limit.
func (p *Process) await(ctx context.Context, ready probe, limit time.Duration) error {
	tooLate := fmt.Errorf("it was not ready after %s", limit)
	waiting, cancel := context.WithTimeoutCause(ctx, limit, tooLate)
	defer cancel()
	go func() {
		select {
		case <-p.ended:
			cancel()
		case <-waiting.Done():
		}
	}()
	err := ready(waiting)
	switch cause := context.Cause(waiting); {
	case isClosed(p.ended):
		// Another process may have caused the match.
		return fmt.Errorf("it ended before it was ready: %w", p.status)
	case err == nil:
		return nil
	case cause == tooLate:
		return fmt.Errorf("%w: %w", tooLate, err)
	default:
		return cause
	}
}

// isClosed reports whether a channel that carries nothing is closed.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
