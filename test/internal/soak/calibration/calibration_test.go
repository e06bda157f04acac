package calibration

import (
	"errors"
	"regexp"
	"testing"
	"time"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/soak/promise"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// TestGatehouse requires gatehouse to keep every promise. TestSwitches parses
// its messages about a broken promise.
func TestGatehouse(t *testing.T) {
	t.Parallel()
	for _, p := range promise.All() {
		if p.Name == "bursts" {
			p = promise.Bursts(*bursts)
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			err := p.Check(t.Context(), promise.Gatehouse{})
			var broken *promise.Broken
			switch {
			case errors.As(err, &broken):
				t.Errorf("%s%s\npromised: %s\n%s%s", brokenMark, p.Name, p.Says, observedMark, broken.Evidence)
			case err != nil:
				t.Errorf("it could not be found out: %v", err)
			case p.Name == "bursts":
				t.Logf("%s%d bursts, 0 stale, in %s", observedMark, *bursts, time.Since(start).Round(time.Millisecond))
			}
		})
	}
}

// What TestSwitches looks for in the output of the other tests.
const (
	brokenMark   = "broken promise: " // by gatehouse; its name follows
	observedMark = "observed: "       // what was observed, on either side
)

// faultRow is a promise that kube-apiserver is known not to keep. The name is
// the promise's.
type faultRow struct {
	row
	// shows is what the evidence has to show, as a regular expression, so that
	// the fault is not found for another reason.
	shows string
}

// faults are all that kube-apiserver does not keep.
func faults() []faultRow {
	return []faultRow{
		{row{"paused-lister", "known fault 1: accessors that were made of an old list are kept for good"}, `revision 2 had been delivered, but 1 was in force, and 1 after`},
		{row{"bursts", "known fault 1 as it happens by itself, now and then; it does not heal"}, `after burst \d+, revision (\d+) had been delivered, but (\d+) was in force, and (\d+) a while later`},
		{row{"readiness", "known fault 6: it waits up to 10 s, whatever the context"}, `had not returned`},
		{row{"client-errors", "known fault 5: the error is kept as long as the configuration"}, `no such file or directory`},
		{row{"old-connections", "they stay open for 90 s"}, `after 20 rotations 2\d connections were open and \d{2,} goroutines`},
		{row{"switching-protocols", "known fault 2: no timeout ends the wait"}, `had not returned`},
		{row{"endless-body", "it is read as long as there is time, into memory"}, `16 MiB of an endless body`},
		{row{"gzip-bomb", "there is no limit"}, `decompressed to 16 MiB, read and believed`},
		{row{"headers", "the limit is 10 MiB"}, `70 KB of headers, and after 14 KB after 56 KB of seven interim responses, and after 100 interim responses`},
		{row{"retry-after", "client-go asks again, ten times"}, `became 11 calls`},
		{row{"goaway", "net/http tries again at once, without end"}, `made 2\d+ connections`},
		{row{"redirects", "known fault 4: CVE-2020-8561, with the credentials"}, `Authorization "Bearer t0ken-of-the-hook" and Impersonate-User "jane"`},
		{row{"current-context", "it is what kubectl does"}, `Authorization "Bearer t0ken-of-the-hook"`},
		{row{"patch-panics", "known fault 3: at all seven places"}, `^7 of 7 patches`},
		{row{"copy-bomb", "the limit of the library is set by servers, not by the plugin"}, `object of \d{4} KiB`},
		{row{"patch-deadline", "the timeout is the call's alone"}, `had not returned`},
		{row{"panics", "only goroutines that validate are looked after"}, `resolver, mutating: a panic left`},
		{row{"status-code", "there is no upper bound"}, `denied with 1200`},
		{row{"denial-message", "there is no limit"}, `has 1024 KiB`},
		{row{"warnings", "there is no limit"}, `^10000 of 10000 warnings`},
		{row{"long-warnings", "there is no limit"}, `5000 characters 5000 were`},
		{row{"control-characters", "the code that writes the header drops the warning"}, `"two\\r\\nlines`},
		{row{"annotations", "there is no limit"}, `^5000 of 5000 annotations`},
		{row{"error-content", "the decoder's error quotes the input"}, `s3cr3t-of-the-widget`},
		{row{"first-denial", "the first response decides"}, `second`},
		{row{"request-over", "500, 504 or even yes"}, `validating, Ignore: it was allowed`},
		{row{"refused-object", "conversions go by way of the request's own object"}, `size:large`},
	}
}

// burstsUpstream are enough for chance to show itself.
const burstsUpstream = 20_000

// TestUpstream requires the checks to find every known fault of kube-apiserver,
// and no other.
func TestUpstream(t *testing.T) {
	t.Parallel()
	known := map[string]faultRow{}
	for _, f := range testtable.Checked(t, faults()) {
		known[f.Name()] = f
	}
	for _, p := range promise.All() {
		f, isKnown := known[p.Name]
		delete(known, p.Name)
		if p.Name == "bursts" {
			p = promise.Bursts(burstsUpstream)
		}
		t.Run(p.Name, func(t *testing.T) {
			if p.Name == "bursts" && !*chance {
				t.Skip("paused-lister finds the same fault without waiting for chance; make promises waits")
			}
			t.Parallel()
			start := time.Now()
			err := p.Check(t.Context(), upstream{})
			t.Logf("%s%v", observedMark, err)
			t.Logf("it took %s", time.Since(start).Round(time.Millisecond))
			if wrong := f.judge(err, isKnown); wrong != "" {
				t.Errorf("%s\nwhy: %s", wrong, f.Why())
			}
		})
	}
	for name := range known {
		t.Errorf("there is no promise %q", name)
	}
}

// judge compares the error of a check with the known fault; it returns "" if
// they agree.
func (f faultRow) judge(err error, known bool) string {
	var broken *promise.Broken
	switch isBroken := errors.As(err, &broken); {
	case err != nil && !isBroken:
		return "it could not be found out: " + err.Error()
	case !known && isBroken:
		return "it is not known that kube-apiserver breaks this promise: " + broken.Evidence
	case known && !isBroken:
		return "the known fault was not found: do not trust the check"
	case known && !regexp.MustCompile(f.shows).MatchString(broken.Evidence):
		return "it was found for another reason than " + f.shows + ": " + broken.Evidence
	}
	return ""
}
