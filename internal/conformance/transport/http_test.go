package transport

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type askedRow struct {
	row
	checks   []check.Check
	handler  http.Handler
	requests []*admission.Request
	want     outcome
}

// TestAsked is about the checks that ask as kube-apiserver would.
func TestAsked(t *testing.T) {
	t.Parallel()
	every := []*admission.Request{created(), probetest.Pod(admissionv1.Update), probetest.Pod(admissionv1.Delete)}
	const silence = "HTTP 503 without an AdmissionReview that has a response"
	testtable.Run(t, []askedRow{
		{row{"timeout good", "a webhook that does not care passes"}, only("C-TIMEOUT"), probetest.Good(), every, outcome{}},
		{row{"timeout margin", "a second less leaves nothing of one second"}, only("C-TIMEOUT"), timed("1s", unavailable), every,
			fails("C-TIMEOUT", "with timeout=1s there is no answer: "+silence, "with timeout=1s there is no answer: "+silence, "with timeout=1s there is no answer: "+silence)},
		{row{"timeout long", "no webhook is told more than its timeoutSeconds"}, only("C-TIMEOUT"), timed("30s", unavailable), every, outcome{}},
		{row{"timeout denied", "an error may be made a denial"}, only("C-TIMEOUT"), timed("1s", denying().ServeHTTP), every[:1],
			fails("C-TIMEOUT", "with timeout=1s the answer is a no, and a yes with timeout=10s")},
		{row{"timeout unanswered", "without an answer there is nothing to compare"}, only("C-TIMEOUT"), http.HandlerFunc(unavailable), every,
			outcome{skipped: map[string]string{"C-TIMEOUT": check.NothingAnswered}}},

		{row{"load good", "a webhook that keeps reviews apart passes"}, underLoad(), probetest.Good(), every, outcome{}},
		{row{"load together", "all reviews are under way at the same time"}, underLoad(), together(), every[:1], outcome{}},
		{row{"load good without uids", "wrong uids as such are for C-UID"}, underLoad(), uidOf("none"), every, outcome{}},
		{row{"load mixed up always", "this one is wrong even if it is asked one thing at a time"}, underLoad(), previous(), every, outcome{}},
		{row{"load mixed up", "a shared variable shows only under load"}, underLoad(), sharing(), every[:1],
			fails("C-CONCURRENCY", "63 of 64 answers have the uid of another review that was under way")},
		{row{"load few", "reviews that are turned away are calls that failed"}, underLoad(), crowded(8, unavailable), every[:1],
			fails("C-CONCURRENCY", "56 of 64 reviews at once have no answer, the first of them: "+silence)},
		{row{"load small", "a limit of 3 MiB is too little for the review of an object of 3 MiB"}, underLoad(), upTo(3 << 20), every,
			fails("C-LARGE-OBJECT", "there is no answer to a review of an object of 3 MiB: HTTP 413 without an AdmissionReview that has a response")},
		{row{"load denied", "a library makes a denial of what is too large for it"}, underLoad(), upToOrNo(3 << 20), every,
			fails("C-LARGE-OBJECT", `an object of 3 MiB is denied, and a small one is not: "too large"`)},
		{row{"load few denied", "a denial turns away as well"}, underLoad(), crowded(8, busy), every[:1],
			fails("C-CONCURRENCY", `56 of 64 reviews at once have another verdict than alone: CREATE pods/web in shop is denied, and alone it is not: "busy"`)},
		{row{"load all denied", "a no that stays a no is an answer"}, underLoad(), denying(), every, outcome{}},
		{row{"load allowed behind denied", "what was denied anyway shows nothing, if there is something else"}, underLoad(), creationsDenied(upToOrNo(3 << 20)), every,
			fails("C-LARGE-OBJECT", `an object of 3 MiB is denied, and a small one is not: "too large"`)},
		{row{"load annotation", "a policy of annotations is no limit of size"}, underLoad(), unpadded(), every,
			outcome{skipped: map[string]string{"C-LARGE-OBJECT": "the webhook denies objects because of the annotation that makes them large"}}},
		{row{"load no object", "deletions have none that could be padded"}, underLoad(), probetest.Good(), every[2:],
			outcome{skipped: map[string]string{"C-LARGE-OBJECT": "the webhook answered no sample with an object"}}},
		{row{"load unanswered", "silence as such is for C-ANSWER"}, underLoad(), http.HandlerFunc(unavailable), every,
			outcome{skipped: map[string]string{"C-CONCURRENCY": check.NothingAnswered, "C-LARGE-OBJECT": "the webhook answered no sample with an object"}}},

		{row{"connections unanswered", "silence as such is for C-ANSWER"}, only("C-KEEP-ALIVE", "C-HTTP2"), http.HandlerFunc(unavailable), every,
			outcome{skipped: map[string]string{"C-KEEP-ALIVE": check.NothingAnswered, "C-HTTP2": check.NothingAnswered}}},
		{row{"connections handled", "the server is not the webhook's own, and there is no way to it"}, only("C-HTTP2"), probetest.Good(), every,
			outcome{skipped: map[string]string{"C-HTTP2": ownServer}}},
	}, func(t *testing.T, tc askedRow) {
		_, w := meet(t, tc.handler, nil, tc.requests...)
		expect(t, tc.checks, w, tc.want)
	})
}

// TestSlow has the time that it takes to answer, and one that is slow anyway.
func TestSlow(t *testing.T) {
	t.Parallel()
	slow := timed("1s", func(out http.ResponseWriter, r *http.Request) {
		time.Sleep(1100 * time.Millisecond)
		probetest.Good().ServeHTTP(out, r)
	})
	_, w := meet(t, slow, nil, created())
	for _, x := range w.Exchanges {
		x.Elapsed = 0 // however slow the machine is
	}
	r := &check.Record{}
	heedsTimeout(t.Context(), w, r)
	result := r.Result(&only("C-TIMEOUT")[0], "")
	if len(result.Findings) != 1 || !regexp.MustCompile(`^with timeout=1s (the answer took|there is no answer: )`).MatchString(result.Findings[0].Message) {
		t.Errorf("got %+v", result)
	}
	for _, x := range w.Exchanges {
		x.Elapsed = time.Second // as if it had been slow in Collect
	}
	expect(t, only("C-TIMEOUT"), w, outcome{})
	w.TimeoutSeconds = new(int32(1))
	expect(t, only("C-TIMEOUT"), w, outcome{skipped: map[string]string{"C-TIMEOUT": "the webhook takes more than half of its time, which is for C-LATENCY"}})
}

// TestLateOnce has a machine that was busy during one call.
func TestLateOnce(t *testing.T) {
	t.Parallel()
	var late sync.Once
	_, w := meet(t, timed("1s", func(out http.ResponseWriter, r *http.Request) {
		late.Do(func() { time.Sleep(1100 * time.Millisecond) })
		probetest.Good().ServeHTTP(out, r)
	}), nil, created())
	for _, x := range w.Exchanges {
		x.Elapsed = 0 // however slow the machine is
	}
	expect(t, only("C-TIMEOUT"), w, outcome{})
}

// TestCrowdIsWaitedFor has a machine that is busy with something else.
func TestCrowdIsWaitedFor(t *testing.T) {
	t.Parallel()
	late := func(out http.ResponseWriter, r *http.Request) {
		time.Sleep(2100 * time.Millisecond)
		probetest.Good().ServeHTTP(out, r)
	}
	_, w := meet(t, crowded(0, late), nil, created())
	w.TimeoutSeconds = new(int32(1))
	expect(t, only("C-CONCURRENCY"), w, outcome{}) // large reviews may take longer than a second
}

// TestQueue has one review wait for another.
func TestQueue(t *testing.T) {
	t.Parallel()
	var lock sync.Mutex
	locked := func(out http.ResponseWriter, r *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		time.Sleep(25 * time.Millisecond) // the webhook is slow: the check times it over a socket
		probetest.Good().ServeHTTP(out, r)
	}
	c, w := meet(t, http.HandlerFunc(locked), nil, created())
	c.Calls = 10                                   // two rounds, with small objects and with large ones
	expect(t, only("C-CONCURRENCY"), w, outcome{}) // there is time for all of them
	w.TimeoutSeconds = new(int32(1))
	r := &check.Record{}
	answersAtOnce(t.Context(), w, r)
	findings := r.Result(&only("C-CONCURRENCY")[0], "").Findings
	if len(findings) != 1 || !strings.Contains(findings[0].Message, " of 64 reviews at once are answered too late, after more than 1s: they wait for one another, the last one for ") {
		t.Errorf("got %+v", findings)
	}
}

type mixedRow struct {
	row
	handler http.Handler
	want    string
}

// TestMixedUp has reviews that are answered as if they were others. How many
// are depends on their order.
func TestMixedUp(t *testing.T) {
	t.Parallel()
	every := []*admission.Request{created(), probetest.Pod(admissionv1.Update)}
	unknownImage := func(review probe.Review) bool {
		return strings.Contains(string(review.Bytes()), "registry.invalid/")
	}
	warning := func(review probe.Review, response map[string]any) {
		response["warnings"] = []any{review.Operation()}
	}
	denied := judging(isCreate)
	testtable.Run(t, []mixedRow{
		{row{"verdict", "what is denied alone gets in, and the other way round"}, holding(denied),
			`^\d+ of 64 reviews at once have another verdict than alone: (CREATE pods/web in shop is allowed, and alone it is denied|UPDATE pods/web in shop is denied, and alone it is not): "CREATE is denied"$`},
		{row{"no sample is denied", "one with an unknown image is"}, holding(judging(unknownImage)),
			`^\d+ of 64 reviews at once have another verdict than alone: CREATE pods/web in shop( with an unknown image is allowed, and alone it is denied| is denied, and alone it is not): "CREATE is denied"$|^\d+ .*: UPDATE pods/web in shop is denied, and alone it is not: "CREATE is denied"$`},
		{row{"warnings", "they are about another object"}, holding(warning),
			`^\d+ of 64 answers at once have another list of warnings than the same review has alone, such as that to (CREATE|UPDATE) pods/web in shop$`},
		{row{"patch", "one object gets the changes of another"}, holding(labelling),
			`^\d+ of 64 answers at once have another patch than the same review has alone, such as that to (CREATE|UPDATE) pods/web in shop$`},
		{row{"order", "operations that come from a map come in any order"}, shuffling(), ``},
		{row{"good", "each has its own"}, probetest.Handler(denied), ``},
		{row{"counter", "it changes alone as well"}, counting(), ``},
		{row{"quota", "it is used up, for reviews alone as well"}, from(judging(func(probe.Review) bool { return true })), ``},
		{row{"clock", "the time has passed, for reviews alone as well"}, from(warning), ``},
	}, func(t *testing.T, tc mixedRow) {
		_, w := meet(t, tc.handler, nil, every...)
		r := &check.Record{}
		answersAtOnce(t.Context(), w, r)
		findings := r.Result(&only("C-CONCURRENCY")[0], "").Findings
		if tc.want == "" && len(findings) == 0 {
			return
		}
		if len(findings) != 1 || !regexp.MustCompile(tc.want).MatchString(findings[0].Message) || tc.want == "" {
			t.Errorf("%s: got %+v, want %s", tc.Why(), findings, tc.want)
		}
	})
}

type connectionRow struct {
	row
	handler http.Handler
	start   func(*httptest.Server)
	want    outcome
}

// TestConnections is about the checks that use connections of their own.
func TestConnections(t *testing.T) {
	t.Parallel()
	const noHTTP2 = "the server does not choose HTTP/2, which kube-apiserver can do without"
	good := probetest.Good()
	http2 := func(s *httptest.Server) {
		s.EnableHTTP2 = true
		s.StartTLS()
	}
	testtable.Run(t, []connectionRow{
		{row{"good", "net/http as it is passes"}, good, http2, outcome{}},
		{row{"HTTP/1.1", "many webhooks have HTTP/2 switched off, for good reasons"}, good, (*httptest.Server).StartTLS,
			outcome{skipped: map[string]string{"C-HTTP2": noHTTP2}}},
		{row{"closing", "keep-alive is switched off"}, good, func(s *httptest.Server) {
			s.Config.SetKeepAlivesEnabled(false)
			http2(s)
		}, fails("C-KEEP-ALIVE", "the server closed the connection after an answer")},
		{row{"broken", "a connection that is kept and then broken loses a review"}, breaking(), (*httptest.Server).StartTLS, outcome{
			failed:  map[string][]string{"C-KEEP-ALIVE": {"there is no answer to a second review on the same connection: broken"}},
			skipped: map[string]string{"C-HTTP2": noHTTP2},
		}},
		{row{"HTTP/2 promised", "the handshake says h2 and no server listens to speak it"}, good, func(s *httptest.Server) {
			s.TLS = &tls.Config{NextProtos: []string{"h2", "http/1.1"}}
			s.Config.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){}
			s.StartTLS()
		}, fails("C-HTTP2", "the server chooses HTTP/2 and has no answer then: broken")},
		{row{"HTTP/2 unanswered", "a handler may do without it what it cannot do with it"}, without2(), http2,
			fails("C-HTTP2", "the server chooses HTTP/2 and has no answer then: HTTP 503 without an AdmissionReview that has a response")},
		{row{"HTTP/1.1 unanswered", "kube-apiserver speaks it to services"}, without1(), http2,
			fails("C-KEEP-ALIVE", "there is no answer over HTTP/1.1: HTTP 503 without an AdmissionReview that has a response")},
		{row{"no TLS", "both need a connection to begin with"}, good, (*httptest.Server).Start, outcome{
			failed:  map[string][]string{"C-KEEP-ALIVE": {"there is no answer over HTTP/1.1: http: server gave HTTP response to HTTPS client"}},
			skipped: map[string]string{"C-HTTP2": "there is no TLS connection: tls: first record does not look like a TLS handshake"},
		}},
	}, func(t *testing.T, tc connectionRow) {
		expect(t, only("C-KEEP-ALIVE", "C-HTTP2"), dialed(t, tc.handler, service(nil), tc.start), tc.want)
	})
}

// underLoad returns the checks of many reviews and of large ones.
func underLoad() []check.Check { return only("C-CONCURRENCY", "C-LARGE-OBJECT") }
