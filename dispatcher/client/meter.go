package client

import (
	"context"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/tools/metrics"

	"example.com/gatehouse/dispatcher"
)

// newMeter returns the meter of an endpoint with a host, which has the port. It
// counts what client-go's REST client counts, in the metrics that the process has
// registered with client-go. Without any it is nil, so that calls cost no more.
func newMeter(host string) dispatcher.Meter {
	if !registered() {
		return nil
	}
	return func(ctx context.Context, address *url.URL, size int) (
		context.Context, func(*http.Response, int),
	) {
		x := &measurement{host: host, size: size, start: time.Now()}
		x.ctx = httptrace.WithClientTrace(context.WithValue(ctx, measurementKey{}, x), traceDNS(ctx))
		return x.ctx, func(response *http.Response, body int) { x.end(response, body, address) }
	}
}

// registered reports whether the process has registered metrics of requests: those
// that client-go itself has do nothing.
func registered() bool {
	own := reflect.TypeFor[metrics.RegisterOpts]().PkgPath()
	for _, m := range []any{metrics.RequestResult, metrics.RequestRetry, metrics.RequestLatency,
		metrics.RequestSize, metrics.ResponseSize, metrics.ResolverLatency} {
		if reflect.Indirect(reflect.ValueOf(m)).Type().PkgPath() != own {
			return true
		}
	}
	return false
}

// measurement is a call that is measured.
type measurement struct {
	ctx   context.Context
	host  string
	size  int
	start time.Time
	// attempts is the number of attempts, with or without a response.
	attempts int
}

type measurementKey struct{}

// measurementIn returns the measurement that a request belongs to; nil if it is not
// measured.
func measurementIn(ctx context.Context) *measurement {
	x, _ := ctx.Value(measurementKey{}).(*measurement)
	return x
}

// attempted counts an attempt; the response is nil if there was none. Every attempt
// but the first one is also counted as a retry.
func (x *measurement) attempted(response *http.Response) {
	if x == nil {
		return
	}
	code := "<error>"
	if response != nil {
		code = strconv.Itoa(response.StatusCode)
	}
	metrics.RequestSize.Observe(x.ctx, http.MethodPost, x.host, float64(x.size))
	metrics.RequestResult.Increment(x.ctx, code, http.MethodPost, x.host)
	if x.attempts++; x.attempts > 1 {
		metrics.RequestRetry.IncrementRetry(x.ctx, code, http.MethodPost, x.host)
	}
}

// end counts the last attempt, and measures the time of all attempts and the size of
// the body.
func (x *measurement) end(response *http.Response, body int, address *url.URL) {
	x.attempted(response)
	metrics.RequestLatency.Observe(x.ctx, http.MethodPost, template(address), time.Since(x.start))
	if response != nil && body >= 0 && isMeasured(response, body) {
		metrics.ResponseSize.Observe(x.ctx, http.MethodPost, x.host, float64(body))
	}
}

// isMeasured reports whether client-go measures the size of a body. It does not if it
// drops the body because of an invalid Content-Type, or if an error has no body.
func isMeasured(response *http.Response, body int) bool {
	if format := response.Header.Get("Content-Type"); format != "" {
		if _, _, err := mime.ParseMediaType(format); err != nil {
			return false
		}
	}
	code := response.StatusCode
	return body > 0 || code >= http.StatusOK && code <= http.StatusPartialContent
}

// template returns an address as client-go passes it to metrics of latency: a path
// of several parts is one of unknown names.
func template(address *url.URL) url.URL {
	u := *address
	if strings.Count(u.Path, "/") > 1 {
		u.Path, u.RawQuery = "/{prefix}", ""
	}
	return u
}

// traceDNS measures the resolution of names.
func traceDNS(ctx context.Context) *httptrace.ClientTrace {
	var mu sync.Mutex // a dial may go on when the next one begins
	var host string
	var start time.Time
	return &httptrace.ClientTrace{
		DNSStart: func(info httptrace.DNSStartInfo) {
			mu.Lock()
			defer mu.Unlock()
			host, start = info.Host, time.Now()
		},
		DNSDone: func(httptrace.DNSDoneInfo) {
			mu.Lock()
			defer mu.Unlock()
			metrics.ResolverLatency.Observe(ctx, host, time.Since(start))
		},
	}
}
