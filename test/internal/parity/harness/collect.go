package harness

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	endpointsrequest "k8s.io/apiserver/pkg/endpoints/request"

	"example.com/gatehouse/test/internal/parity/webhookserver"
)

// warnings records warnings, by phase.
type warnings struct {
	mu     sync.Mutex
	given  []string
	phases [][]string
}

// AddWarning implements warning.Recorder.
func (w *warnings) AddWarning(agent, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.given = append(w.given, strings.TrimPrefix(agent+": "+text, ": "))
}

func (w *warnings) nextPhase() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.phases = append(w.phases, w.given)
	w.given = nil
}

// collect adds what webhooks, client and tracing saw, and takes the uids of
// this run out of everything.
func (x *run) collect(ctx context.Context, o *Observation) {
	o.MutatingWarnings, o.ValidatingWarnings = x.warnings.phases[0], slices.Sorted(
		slices.Values(x.warnings.given),
	)
	if trackers, ok := endpointsrequest.LatencyTrackersFrom(ctx); ok {
		o.MutatingLatency = trackers.MutatingWebhookTracker.GetLatency()
		o.ValidatingLatency = trackers.ValidatingWebhookTracker.GetLatency()
	}
	last := x.records[len(x.records)-1].GetReinvocationContext()
	first := x.records[0].GetReinvocationContext()
	o.ShouldReinvoke = first.ShouldReinvoke() || last.ShouldReinvoke()
	o.IsReinvoke = first.IsReinvoke() || last.IsReinvoke()

	o.gather(x.requests(), x.spans(), x.mutatingCalls)
}

// requests are what webhooks got of this run.
func (x *run) requests() []webhookserver.Request {
	if x.mark == "" {
		return x.server.Requests()
	}
	return slices.DeleteFunc(x.server.Requests(),
		func(r webhookserver.Request) bool { return markOf(r) != x.mark })
}

// spans are those of this run.
func (x *run) spans() tracetest.SpanStubs {
	return slices.DeleteFunc(x.host.spans.GetSpans(),
		func(s tracetest.SpanStub) bool { return s.SpanContext.TraceID() != x.trace })
}

// gather adds requests, of which the first are those of the mutating phase, and
// spans.
func (o *Observation) gather(
	requests []webhookserver.Request, spans tracetest.SpanStubs, mutating int,
) {
	ids := newUIDs(requests, spans)
	o.UIDs = ids.complaints
	for i, r := range requests {
		call := newCall(r, ids)
		if i < mutating {
			o.MutatingCalls = append(o.MutatingCalls, call)
		} else {
			o.ValidatingCalls = append(o.ValidatingCalls, call)
		}
	}
	sortByText(o.ValidatingCalls)
	reviews := map[string]string{}
	number(reviews, "mutating", o.MutatingCalls)
	number(reviews, "validating", o.ValidatingCalls)
	o.Spans = newSpans(spans, ids, reviews)
	o.Error.Text, o.Error.Status = ids.normalize(o.Error.Text), ids.normalize(o.Error.Status)
}

func newCall(r webhookserver.Request, ids *uids) Call {
	return Call{
		Method: r.Method, Path: r.Path, Query: r.Query, Proto: r.Proto, Host: r.Host,
		Header: r.Header, Length: r.Length, Body: ids.replace.Replace(string(r.Body)),
		uid: uidOf(r),
	}
}

// uidOf is the uid of the review in a request, empty if there is none.
func uidOf(r webhookserver.Request) string {
	found := reviewUID.FindSubmatch(r.Body)
	if found == nil {
		return ""
	}
	return string(found[1])
}

// number maps each uid to its call. Calls that are equal in everything else
// count as one, because those of the validating phase have no order.
func number(reviews map[string]string, phase string, calls []Call) {
	first := map[string]int{}
	for i, c := range calls {
		text := show(c)
		if _, seen := first[text]; !seen {
			first[text] = i
		}
		reviews[c.uid] = fmt.Sprint(phase, " ", first[text])
	}
}

// newSpans leaves out the request's own span, which all others are below.
func newSpans(stubs tracetest.SpanStubs, ids *uids, reviews map[string]string) []Span {
	names := map[string]string{}
	for _, s := range stubs {
		names[s.SpanContext.SpanID().String()] = s.Name
	}
	var mutating, others []Span
	for _, s := range stubs {
		if !s.Parent.IsValid() {
			continue
		}
		span := Span{Name: s.Name, Parent: names[s.Parent.SpanID().String()],
			Status: strings.TrimSpace(s.Status.Code.String() + " " + s.Status.Description)}
		for _, a := range s.Attributes {
			span.Attributes = append(span.Attributes, ids.normalize(string(a.Key)+"="+a.Value.String()))
			if a.Key == "UID" {
				span.Review = reviews[a.Value.String()]
			}
		}
		for _, e := range s.Events {
			span.Events = append(span.Events, ids.normalize(fmt.Sprint(e.Name, e.Attributes)))
		}
		if s.Name == "Call mutating webhook" {
			mutating = append(mutating, span)
		} else {
			others = append(others, span)
		}
	}
	sortByText(others)
	return append(mutating, others...)
}

// What differs on the same machine from one request to the next.
var (
	localPort = regexp.MustCompile(`127\.0\.0\.1:\d+->`)
	streamID  = regexp.MustCompile(`stream ID \d+`)
	reviewUID = regexp.MustCompile(`"uid":"([^"]*)"`)
	validUID  = regexp.MustCompile(
		`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
)

// uids are the uids of the reviews of a run.
type uids struct {
	complaints []string
	replace    *strings.Replacer
}

// newUIDs collects uids from requests and from spans, because a review that did
// not arrive has a span too.
func newUIDs(requests []webhookserver.Request, spans tracetest.SpanStubs) *uids {
	u := &uids{}
	seen, spoken := map[string]bool{}, map[string]bool{}
	for _, r := range requests {
		switch uid := uidOf(r); {
		case !validUID.MatchString(uid):
			u.complaints = append(u.complaints, fmt.Sprintf("%s: %q is no uid", r.Path, uid))
		case seen[uid]:
			u.complaints = append(u.complaints, fmt.Sprintf("%s: the uid is not new", r.Path))
		}
		seen[uidOf(r)] = true
	}
	for _, s := range spans {
		for _, a := range s.Attributes {
			if a.Key != "UID" {
				continue
			}
			if uid := a.Value.String(); spoken[uid] {
				u.complaints = append(u.complaints, "two spans tell of one uid")
			} else {
				spoken[uid] = true
			}
		}
	}
	var pairs []string
	for uid := range seen {
		if !spoken[uid] {
			u.complaints = append(u.complaints, "no span tells of a review's uid")
		}
		spoken[uid] = true
	}
	for uid := range spoken {
		if validUID.MatchString(uid) {
			pairs = append(pairs, uid, "UID")
		}
	}
	slices.Sort(u.complaints)
	u.replace = strings.NewReplacer(pairs...)
	return u
}

// normalize takes out of a text what is different each time.
func (u *uids) normalize(text string) string {
	text = localPort.ReplaceAllString(text, "127.0.0.1:PORT->")
	return u.replace.Replace(streamID.ReplaceAllString(text, "stream ID N"))
}
