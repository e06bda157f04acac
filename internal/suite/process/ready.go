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

// The pauses between attempts to reach a command grow from the one to the other.
const (
	shortestPause = time.Millisecond
	longestPause  = 50 * time.Millisecond
)

// errEnded is why waiting ends when the command does.
var errEnded = errors.New("the command has ended")

// sign waits until a command can be called, or ctx ends. The error says what was wrong with
// the last attempt, if there was one.
type sign func(ctx context.Context) error

// compile compiles Readiness.Log; the result is nil if there is none.
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

// newSign returns the sign that a command gives.
func newSign(r suitefile.Readiness, p *Process) (sign, error) {
	switch {
	case r.Log != "":
		return p.output.line, nil
	case r.Path != "":
		return answered("https://"+p.address+"/"+strings.TrimPrefix(r.Path, "/"), p.bundle)
	}
	return attempts(func(ctx context.Context) error { return accepted(ctx, p.address) }), nil
}

// accepted reports why no connection is accepted at an address; nil if one is.
func accepted(ctx context.Context, address string) error {
	connection, err := dial(ctx, address)
	if err != nil {
		return err
	}
	defer connection.Close()
	// To hang up without a word would do, but many servers print that as an error, which
	// looks as if something were wrong. What comes of the handshake is not asked.
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	polite := tls.Client(connection, &tls.Config{InsecureSkipVerify: true})
	if polite.HandshakeContext(ctx) == nil {
		_ = polite.Close()
	}
	return nil
}

// line is the sign of a command that prints a line.
func (o *output) line(ctx context.Context) error {
	select {
	case <-o.matched:
		return nil
	case <-ctx.Done():
		return errors.New("no line of its output matches readiness.log")
	}
}

// answered is the sign of a command that answers.
func answered(url string, bundle []byte) (sign, error) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, fmt.Errorf("readiness.path: %w", err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle)
	client := &http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true},
		// A redirection is an answer.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       attempt,
	}
	return attempts(func(ctx context.Context) error {
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

// attempts is the sign of a command that has to be asked again and again.
func attempts(try func(ctx context.Context) error) sign {
	return func(ctx context.Context) error {
		var last error
		for pause := shortestPause; ; pause = min(2*pause, longestPause) {
			err := try(ctx)
			if err == nil {
				return nil
			}
			if ctx.Err() == nil || last == nil {
				last = err // and not the error of an attempt that was cut short
			}
			select {
			case <-ctx.Done():
				return last
			case <-time.After(pause):
			}
		}
	}
}

// await waits for the sign, but no longer than the command runs, ctx lives and the limit
// allows.
func (p *Process) await(ctx context.Context, ready sign, limit time.Duration) error {
	waiting, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	tooLate := fmt.Errorf("it was not ready after %s", limit)
	defer time.AfterFunc(limit, func() { cancel(tooLate) }).Stop()
	go func() {
		select {
		case <-p.ended:
			cancel(errEnded)
		case <-waiting.Done():
		}
	}()
	err := ready(waiting)
	switch cause := context.Cause(waiting); {
	case isClosed(p.ended):
		// Whatever gave the sign then, it was not the command.
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
