package production

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	dto "github.com/prometheus/client_model/go"
	"k8s.io/client-go/tools/metrics"
	"k8s.io/component-base/metrics/legacyregistry"
	// For client-go's metrics, which are registered when the package is imported.
	_ "k8s.io/component-base/metrics/prometheus/restclient"

	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/parity/harness"
)

type requestsRow struct {
	row
	answer http.HandlerFunc
	// times is how often the webhook is called; by default once.
	times int
	path  string
	// refused has the service have no endpoint.
	refused bool
	// exact says that gatehouse by default does something else.
	exact bool
}

func answerWith(status int, format, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = []string{format}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // a client that gets less reports it
	}
}

// allow allows everything.
var allow = reviewtest.Answer(reviewtest.Allow).ServeHTTP

const statusJSON = `{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 503}`

func requestsRows() []requestsRow {
	return []requestsRow{
		{row: row{"allowed", "each call is counted"}, answer: allow, times: 3},
		{row: row{"path", "paths of several parts are one"}, answer: allow, path: "/mutate/pods"},
		{row: row{"error in JSON", "its body is measured"}, answer: answerWith(503, "application/json", statusJSON)},
		{row: row{"error in text", "its body is measured, too"}, answer: answerWith(500, "text/plain", "no")},
		{row: row{"error without body", "there is nothing to measure"}, answer: answerWith(500, "application/json", "")},
		{row: row{"review in text", "no format is refused"}, answer: answerWith(200, "text/plain", "yes")},
		{row: row{"no Content-Type", "it counts as JSON"}, answer: answerWith(200, "", "{}")},
		{row: row{"malformed Content-Type", "the body is dropped"}, answer: answerWith(200, "/", "{}")},
		{row: row{"empty", "its size is 0"}, answer: answerWith(200, "application/json", "")},
		{row: row{"broken off", "the code is counted, and no size"}, answer: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			answerWith(200, "application/json", "{")(w, r)
		}},
		{row: row{"timeout", "there is no code"}, answer: func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // so that it is seen when the client goes
			<-r.Context().Done()
		}},
		{row: row{"refused", "there is no code"}, answer: allow, refused: true, times: 2},
		{row: row{"redirect", "where it leads is counted"}, answer: func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/" {
				http.Redirect(w, r, "/other", http.StatusTemporaryRedirect)
				return
			}
			allow(w, r)
		}},
		{row: row{"redirects without end", "the last one is counted"}, answer: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/", http.StatusTemporaryRedirect)
		}},
		{row: row{"retries", "each is counted twice, but for the first"}, exact: true, answer: retried()},
		{row: row{"retries without end", "eleven in all"}, exact: true, answer: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "0")
			answerWith(429, "application/json", statusJSON)(w, r)
		}},
	}
}

// retried asks for two retries of each call.
func retried() http.HandlerFunc {
	var calls atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1)%3 != 0 {
			w.Header().Set("Retry-After", "1")
			answerWith(503, "application/json", statusJSON)(w, r)
			return
		}
		allow(w, r)
	}
}

// hosts numbers the hosts, so that each has its own series.
var hosts atomic.Int64

// TestRequests: the metrics of client-go have the same values, durations included,
// whether kube-apiserver's plugin makes the calls or gatehouse's.
func TestRequests(t *testing.T) {
	testtable.Run(t, requestsRows(), func(t *testing.T, r requestsRow) {
		want := r.measure(t, harness.Upstream)
		if len(want) < 3 {
			t.Errorf("upstream counts nothing: %q", want)
		}
		ours := []harness.Side{harness.Exact}
		if !r.exact {
			ours = append(ours, harness.Gatehouse)
		}
		for _, side := range ours {
			if diff := cmp.Diff(want, r.measure(t, side)); diff != "" {
				t.Errorf("-upstream +%v:\n%s", side, diff)
			}
		}
	})
}

// measure returns the series of a side's calls, without the name of the host.
func (r requestsRow) measure(t *testing.T, side harness.Side) (series []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := serveAs(t, fmt.Sprintf("hook-%08d", hosts.Add(1)), r.answer)
		s.handling, s.path = handling, r.path
		h := s.open(t, side, "", func(ctx context.Context, _, _ string) (net.Conn, error) {
			resolve(ctx, s.name)
			if r.refused {
				return nil, &net.OpError{Op: "dial", Err: net.ErrClosed}
			}
			return s.listener.Dial(ctx)
		})
		for range max(r.times, 1) {
			_ = h.call(t.Context()) // each row has its errors, which other tests compare
		}
		series = seriesOf(t, s.name+".test.svc:443")
		series = append(series, observed.take(s.name+".test.svc:443")...)
		series = append(series, observed.take(s.name)...)
	})
	return series
}

// resolve does as net.Dialer does when it resolves a name.
func resolve(ctx context.Context, host string) {
	trace := httptrace.ContextClientTrace(ctx)
	if trace == nil || trace.DNSStart == nil || trace.DNSDone == nil {
		return
	}
	trace.DNSStart(httptrace.DNSStartInfo{Host: host})
	time.Sleep(connecting)
	trace.DNSDone(httptrace.DNSDoneInfo{})
}

// seriesOf returns the series of a host in client-go's families.
func seriesOf(t *testing.T, host string) []string {
	t.Helper()
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if strings.HasPrefix(f.GetName(), "rest_client_") && labelsOf(m)["host"] == host {
				labels := labelsOf(m)
				delete(labels, "host")
				found = append(found, fmt.Sprint(f.GetName(), labels, " ", m.GetCounter().GetValue(), " ",
					m.GetHistogram().GetSampleCount(), " ", m.GetHistogram().GetSampleSum()))
			}
		}
	}
	return found
}

func labelsOf(m *dto.Metric) map[string]string {
	labels := map[string]string{}
	for _, l := range m.GetLabel() {
		labels[l.GetName()] = l.GetValue()
	}
	return labels
}

// observed are observations that have no series, by host.
var observed observations

type observations struct {
	latency metrics.LatencyMetric
	mu      sync.Mutex
	by      map[string][]string
}

// watchMetrics observes what client-go passes on for labels that are not
// used: the path of an address, and the time to resolve a name.
func watchMetrics() {
	observed.latency = metrics.RequestLatency
	metrics.RequestLatency, metrics.ResolverLatency = &observed, resolution{&observed}
}

func (o *observations) add(host, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.by == nil {
		o.by = map[string][]string{}
	}
	o.by[host] = append(o.by[host], text)
}

func (o *observations) take(host string) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer delete(o.by, host)
	return slices.Clone(o.by[host])
}

// Observe implements metrics.LatencyMetric.
func (o *observations) Observe(ctx context.Context, verb string, u url.URL, took time.Duration) {
	o.add(u.Host, fmt.Sprint(verb, " ", u.Scheme, " ", u.RequestURI(), " ", took))
	o.latency.Observe(ctx, verb, u, took)
}

// resolution implements metrics.ResolverLatencyMetric.
type resolution struct{ *observations }

// Observe implements metrics.ResolverLatencyMetric.
func (r resolution) Observe(_ context.Context, host string, took time.Duration) {
	r.add(host, fmt.Sprint("resolved in ", took))
}
