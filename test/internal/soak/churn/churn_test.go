package churn

import (
	"context"
	"crypto/tls"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/matching"
	"example.com/gatehouse/test/internal/soak/model"
	"example.com/gatehouse/test/internal/soak/vitals"
)

// moment is a run that a test can wait for.
var moment = Options{Duration: 3 * time.Second, Callers: 8, Cycle: time.Second, Seed: 1, drains: 10 * time.Second}

// silences are how many a run has to have: growth is judged from one to the next.
const silences = 2

// TestRun soaks an engine until everything has happened that a soak is for. It runs alone,
// because connections are counted.
func TestRun(t *testing.T) {
	o := moment
	o.Duration, o.enough = 4*time.Minute, complete
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	r.Print(&text)
	t.Logf("\n%s", &text)
	for _, v := range r.Violations() {
		t.Error(v)
	}
	if missing := r.missing(); missing != "" {
		t.Errorf("there were not enough %s", missing)
	}
}

// complete reports whether there has been enough of everything.
func complete(c *callers, w *writer) bool {
	var r Result
	r.count(c, w)
	return r.missing() == ""
}

// missing returns what there was not enough of in a run.
func (r *Result) missing() string {
	for _, figure := range []struct {
		what          string
		count, enough int64
	}{
		{"requests", r.requests, 500}, {"faults", r.faulty, 1}, {"changes", r.changes, 1},
		{"silences", r.silences, silences}, {"events", r.events, 1}, {"phases with one state", r.certain, 1},
	} {
		if figure.count < figure.enough {
			return figure.what
		}
	}
	return ""
}

// ending is a recorder that ends the run with the first call.
type ending struct {
	dispatcher.Recorder
	end func()
}

// RecordCall implements dispatcher.Recorder.
func (e ending) RecordCall(ctx context.Context, c *admission.Call) {
	e.end()
	e.Recorder.RecordCall(ctx, c)
}

// TestRunEnds ends a run early.
func TestRunEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	started := time.Now()
	r, err := run(ctx, Options{Duration: time.Hour, Callers: 4, Cycle: time.Second}, func(c *dispatcher.Config) {
		c.Metrics = ending{c.Metrics, cancel}
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.requests == 0 {
		t.Error("there were no requests")
	}
	if took := time.Since(started); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}

// TestFindings injects faults into the engine, which the run must detect.
func TestFindings(t *testing.T) {
	type row struct {
		testtable.Row
		spoil   func(*dispatcher.Config)
		finding string
		// after is the number of requests after which the end of the run shows it; 0 if the
		// outcome of a request does.
		after int64
	}
	// One after the other: connections are counted.
	for _, r := range testtable.Checked(t, []row{
		{testtable.Row{"stale", "a request must not see a state that had been replaced before it began"},
			func(c *dispatcher.Config) { c.Source = &stale{Source: c.Source} }, "which none of ", 0},
		{testtable.Row{"half", "a request must not see a part of a configuration"},
			func(c *dispatcher.Config) { c.Source = half{c.Source} }, "which none of ", 0},
		{testtable.Row{"twice", "a webhook must be called once"},
			func(c *dispatcher.Config) { c.Client = twice{c.Client} }, "the webhooks without a fault were called ", 50},
		{testtable.Row{"cut off", "a call fails only if its webhook has a fault or the server gave up the connection"},
			func(c *dispatcher.Config) { c.Client = &losing{Client: c.Client, lose: cutOff} }, "which none of ", 0},
		{testtable.Row{"forgetful metrics", "metrics have to add up to the calls"},
			func(c *dispatcher.Config) { c.Metrics = &forgetful{Recorder: c.Metrics} }, "but the metrics say", 50},
	}) {
		t.Run(r.Name(), func(t *testing.T) {
			// A slow machine may not have the requests in one run that would
			// notice.
			var found string
			o := moment
			o.enough = func(c *callers, _ *writer) bool {
				return c.findings.Count() > 0 || r.after > 0 && c.ended.Load() >= r.after
			}
			for attempt := 0; attempt < 10 && !strings.Contains(found, r.finding); attempt++ {
				result, err := run(t.Context(), o, r.spoil)
				if err != nil {
					t.Fatal(err)
				}
				found = strings.Join(result.Violations(), "\n")
			}
			if !strings.Contains(found, r.finding) {
				t.Errorf("found %q, want %q", found, r.finding)
			}
		})
	}
}

// stale is a source that looks only now and then.
type stale struct {
	dispatcher.Source
	mu   sync.Mutex
	at   time.Time
	last *matching.Snapshot
}

// Current implements dispatcher.Source.
func (s *stale) Current(ctx context.Context) (*matching.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last != nil && time.Since(s.at) < 100*time.Millisecond {
		return s.last, nil
	}
	now, err := s.Source.Current(ctx)
	s.last, s.at = now, time.Now()
	return now, err
}

// forgetful is a recorder that misses its first call.
type forgetful struct {
	dispatcher.Recorder
	once sync.Once
}

// RecordCall implements dispatcher.Recorder.
func (f *forgetful) RecordCall(ctx context.Context, c *admission.Call) {
	forgotten := false
	f.once.Do(func() { forgotten = true })
	if !forgotten {
		f.Recorder.RecordCall(ctx, c)
	}
}

// half is a source that sometimes lacks the first mutating webhook.
type half struct{ dispatcher.Source }

// Current implements dispatcher.Source.
func (h half) Current(ctx context.Context) (*matching.Snapshot, error) {
	whole, err := h.Source.Current(ctx)
	if err != nil || len(whole.Webhooks(admission.Mutating)) == 0 || rand.IntN(2) == 0 {
		return whole, err
	}
	return whole.With(admission.Mutating, whole.Webhooks(admission.Mutating)[1:]), nil
}

// twice is a client that sends everything once more.
type twice struct{ dispatcher.Client }

// Endpoint implements dispatcher.Client.
func (c twice) Endpoint(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	return through(ctx, c.Client, w, func(next http.RoundTripper) http.RoundTripper { return again{next} })
}

// through returns an endpoint whose transport is wrapped.
func through(
	ctx context.Context, c dispatcher.Client, w *admission.Webhook,
	wrap func(http.RoundTripper) http.RoundTripper,
) (*dispatcher.Endpoint, error) {
	plain, err := c.Endpoint(ctx, w)
	if err != nil {
		return nil, err
	}
	client := *plain.HTTP
	client.Transport = wrap(client.Transport)
	return &dispatcher.Endpoint{URL: plain.URL, HTTP: &client}, nil
}

type again struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (a again) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := r.GetBody()
	if err != nil {
		return nil, err
	}
	more := r.Clone(r.Context())
	more.Body = body
	if answer, err := a.RoundTripper.RoundTrip(more); err == nil {
		_ = answer.Body.Close()
	}
	return a.RoundTripper.RoundTrip(r)
}

// TestLostCalls loses a call on a connection that the webhooks' server gives up,
// which is no violation. The server waits for two seconds.
func TestLostCalls(t *testing.T) {
	o := moment
	o.Duration = 4 * time.Minute
	o.enough = func(c *callers, w *writer) bool {
		return c.lost.Load() > 0 && c.ended.Load() >= 100 && w.silences.Load() >= silences
	}
	r, err := run(t.Context(), o, func(c *dispatcher.Config) {
		c.Client = &losing{Client: c.Client, lose: giveUp}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Violations() {
		t.Error(v)
	}
	if r.lost == 0 {
		t.Error("no call was lost")
	}
}

// losing is a client that loses the first call of a webhook without a fault.
type losing struct {
	dispatcher.Client
	once sync.Once
	lose roundTrip
}

// Endpoint implements dispatcher.Client.
func (l *losing) Endpoint(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	return through(ctx, l.Client, w, func(next http.RoundTripper) http.RoundTripper {
		if len(w.ObjectSelector.MatchLabels) == 0 && w.ClientConfig.URL != nil {
			l.once.Do(func() { next = l.lose })
		}
		return next
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func cutOff(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF }

// giveUp makes a connection of HTTP/2 and sends no SETTINGS until the server
// closes it.
func giveUp(r *http.Request) (*http.Response, error) {
	connection, err := tls.Dial("tcp", r.URL.Host, &tls.Config{NextProtos: []string{"h2"}, InsecureSkipVerify: true})
	if err != nil {
		return nil, err
	}
	defer connection.Close()
	httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{Conn: connection})
	if _, err := io.WriteString(connection, http2.ClientPreface); err != nil {
		return nil, err
	}
	_, _ = io.Copy(io.Discard, connection)
	return cutOff(r)
}

// TestSlopes judges samples that grow, and some that do not.
func TestSlopes(t *testing.T) {
	t.Parallel()
	type row struct {
		testtable.Row
		sample func(minute int) vitals.Sample
		want   []string
	}
	testtable.Run(t, []row{
		{testtable.Row{"flat", "what stays as it is is no leak"}, func(minute int) vitals.Sample {
			return vitals.Sample{Resident: 100 << 20, Heap: int64(50+minute%2) << 20, Goroutines: 90 - minute}
		}, nil},
		{testtable.Row{"memory", "a leak of 2 MiB a minute is seen"}, func(minute int) vitals.Sample {
			return vitals.Sample{Resident: int64(100+2*minute) << 20}
		}, []string{"resident memory grows by 2.00 MiB a minute, more than 1.00"}},
		{testtable.Row{"one connection", "one a minute may be chance"}, func(minute int) vitals.Sample {
			return vitals.Sample{Sockets: minute}
		}, nil},
		{testtable.Row{"connections", "so are connections, and their goroutines"}, func(minute int) vitals.Sample {
			return vitals.Sample{Sockets: 30 * minute, Goroutines: 60 * minute}
		}, []string{"goroutines grows by 60.00  a minute, more than 1.00", "connections grows by 30.00  a minute, more than 1.00", "connections with idle ones grows by 30.00  a minute, more than 20.00"}},
	}, func(t *testing.T, r row) {
		var samples []vitals.Sample
		for minute := range 8 {
			s := r.sample(minute)
			s.At = time.Duration(minute) * time.Minute
			samples = append(samples, s)
		}
		var result Result
		result.judgeSlopes(samples, samples, samples)
		if got := result.Violations(); !slices.Equal(got, r.want) {
			t.Errorf("got %q, want %q", got, r.want)
		}
	})
}

// TestKinds counts kinds of requests, of which none may be missing.
func TestKinds(t *testing.T) {
	t.Parallel()
	w := &world{mutating: &kind{}, validating: &kind{}}
	r := Result{world: w, requests: many}
	for _, kinds := range []model.Kinds{model.Updates | model.DryRuns, model.Updates} {
		w.mutating.calls.add(model.Explanation{Kinds: kinds})
	}
	w.validating.calls.add(model.Explanation{Kinds: model.PolicyDenied})
	r.countKinds()
	met, missing := map[string]int64{}, len(r.Violations())
	for _, s := range r.shares {
		if met[s.name] = s.met; s.met > 0 {
			missing++
		}
	}
	if met["UPDATE"] != 2 || met["dry run"] != 1 || met["denied by a policy"] != 1 || missing != len(r.shares) {
		t.Errorf("met %v, found %q", met, r.Violations())
	}
}

// TestGrowth judges runs that are too short for slopes.
func TestGrowth(t *testing.T) {
	t.Parallel()
	type row struct {
		testtable.Row
		samples []vitals.Sample
		want    []string
	}
	testtable.Run(t, []row{
		{testtable.Row{"little", "one more is no leak"}, []vitals.Sample{{Goroutines: 10, Sockets: 8}, {Goroutines: 99}, {Goroutines: 11, Sockets: 2}}, nil},
		{testtable.Row{"much", "what is left of a minute's changes is one"}, []vitals.Sample{{Goroutines: 10, Descriptors: 20}, {Goroutines: 12, Descriptors: 22}},
			[]string{"goroutines grow from 10 at the first rest to 12 at the last, by more than 1", "descriptors grow from 20 at the first rest to 22 at the last, by more than 1"}},
		{testtable.Row{"one rest", "nothing would have been judged"}, []vitals.Sample{{}}, []string{"there were 1 rests, and growth takes two"}},
	}, func(t *testing.T, r row) {
		var result Result
		result.judgeGrowth(r.samples)
		if got := result.Violations(); !slices.Equal(got, r.want) {
			t.Errorf("got %q, want %q", got, r.want)
		}
	})
}
