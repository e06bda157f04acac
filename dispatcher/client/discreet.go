package client

import (
	"context"
	"net/http"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

// discreet keeps client-go from logging the headers of answers, their status lines and
// where they redirect to, which it does from -v=6 on: webhooks may write there what they
// were sent. It asks the context of the request for a logger, and finds one that is
// silent: the zero one.
type discreet struct{ next http.RoundTripper }

var _ utilnet.RoundTripperWrapper = discreet{}

// loggerKey is where a request's own logger is meanwhile.
type loggerKey struct{}

// RoundTrip passes on, without the logger.
func (d discreet) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := context.WithValue(req.Context(), loggerKey{}, klog.FromContext(req.Context()))
	return d.next.RoundTrip(req.WithContext(klog.NewContext(ctx, klog.Logger{})))
}

// WrappedRoundTripper lets others look underneath.
func (d discreet) WrappedRoundTripper() http.RoundTripper { return d.next }

// outspoken gives the logger back to what is further inside than client-go's logging: the
// counters of certificates, and what the credentials bring along.
type outspoken struct{ next http.RoundTripper }

var _ utilnet.RoundTripperWrapper = outspoken{}

// RoundTrip passes on, with the logger.
func (o outspoken) RoundTrip(req *http.Request) (*http.Response, error) {
	if logger, ok := req.Context().Value(loggerKey{}).(klog.Logger); ok {
		req = req.WithContext(klog.NewContext(req.Context(), logger))
	}
	return o.next.RoundTrip(req)
}

// WrappedRoundTripper lets others look underneath.
func (o outspoken) WrappedRoundTripper() http.RoundTripper { return o.next }

// hush has client-go build a chain for cfg that does not log. Mostly it would not anyway:
// whether it will is decided now, by the verbosity of the process.
func hush(cfg *rest.Config, build func(*rest.Config) (http.RoundTripper, error)) (http.RoundTripper, error) {
	if !klog.V(6).Enabled() {
		return build(cfg)
	}
	cfg.Wrap(func(next http.RoundTripper) http.RoundTripper { return outspoken{next} })
	rt, err := build(cfg)
	return discreet{rt}, err
}
