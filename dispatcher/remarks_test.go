package dispatcher_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// remarks are the members of a response with so many warnings and annotations.
func remarks(warnings, annotations int) string {
	texts, pairs := make([]string, warnings), map[string]string{}
	for i := range texts {
		texts[i] = fmt.Sprintf("warning %03d", i)
	}
	for i := range annotations {
		pairs[fmt.Sprintf("key%03d", i)] = "value"
	}
	w, _ := json.Marshal(texts)
	a, _ := json.Marshal(pairs)
	return fmt.Sprintf(`"warnings":%s,"auditAnnotations":%s`, w, a)
}

// TestDetails bounds what a denial has beside its message.
func TestDetails(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 5000)
	cause := fmt.Sprintf(`{"reason":%q,"message":%q,"field":%q}`, long, long, long)
	causes := "[" + strings.TrimSuffix(strings.Repeat(cause+",", 70), ",") + "]"
	answer := strings.ReplaceAll(`"allowed":false,"status":{"kind":$,"apiVersion":$,"status":$,"reason":$,"metadata":{"selfLink":$,"resourceVersion":$,"continue":$},`+
		`"details":{"name":$,"group":$,"kind":$,"uid":$,"causes":`+causes+`}}`, "$", strconv.Quote(long))
	r := one(admission.Validating, reply(answer)).run(t.Context(), t, admission.Validating)
	status, ok := r.err.(apierrors.APIStatus)
	if !ok {
		t.Fatalf("error %v", r.err)
	}
	s := status.Status()
	d := s.Details
	if len(d.Causes) != 64 {
		t.Errorf("%d causes, want 64", len(d.Causes))
	}
	//lint:ignore SA1019 A webhook may set it.
	for _, text := range []string{s.Kind, s.APIVersion, s.Status, string(s.Reason), s.SelfLink, s.ResourceVersion, s.Continue, d.Name, d.Group, d.Kind, string(d.UID), string(d.Causes[63].Type), d.Causes[63].Message, d.Causes[63].Field} {
		if len(text) != 4<<10 {
			t.Errorf("a text of %d bytes, want 4 KiB", len(text))
		}
	}
}

// TestAnnotationSize bounds the value of an annotation.
func TestAnnotationSize(t *testing.T) {
	t.Parallel()
	answer := fmt.Sprintf(`"allowed":true,"auditAnnotations":{"short":"x","long":%q}`, strings.Repeat("x", 70_000))
	kept := one(admission.Mutating, reply(answer)).run(t.Context(), t, admission.Mutating).calls[0].AuditAnnotations
	if len(kept["long"]) != 64<<10 || kept["short"] != "x" {
		t.Errorf("%d bytes and %q are left, want 64 KiB and x", len(kept["long"]), kept["short"])
	}
}

type warningRow struct {
	row
	text, want string
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []warningRow{
		{row{"plain", "a valid warning is passed on unchanged"}, "use v2, é", "use v2, é"},
		{row{"of the full length", "characters count, not bytes"}, strings.Repeat("é", 4096), strings.Repeat("é", 4096)},
		{row{"too long", "H8: what is beyond the limit is left out"}, strings.Repeat("é", 4097), strings.Repeat("é", 4096)},
		{row{"two lines", "H7: no header can carry a line break"}, "a\r\nSet-Cookie: b", "a  Set-Cookie: b"},
		{row{"not text", "H7: a replacement character is one that a header can carry"}, "a\xffb", "a\uFFFDb"},
	}, func(t *testing.T, tc warningRow) {
		quoted, err := json.Marshal(tc.text)
		if err != nil {
			t.Fatal(err)
		}
		r := one(admission.Mutating, reply(`"allowed":true,"warnings":[`+string(quoted)+`]`)).run(t.Context(), t, admission.Mutating)
		if diff := cmp.Diff([]string{tc.want}, r.warnings); diff != "" {
			t.Errorf("warnings (-want +got):\n%s", diff)
		}
	})
}

type remarksRow struct {
	row
	members               string
	warnings, annotations int
	dropped               admission.Dropped
}

func TestRemarks(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []remarksRow{
		{row{"below", "as many as allowed"}, `"allowed":true,` + remarks(64, 64), 64, 64, admission.Dropped{}},
		{row{"warnings above", "H9: the last one is dropped and counted"}, `"allowed":true,` + remarks(65, 1), 64, 1, admission.Dropped{Warnings: 1}},
		{row{"annotations above", "H3: the last ones are dropped and counted"}, `"allowed":true,` + remarks(0, 70), 0, 64, admission.Dropped{AuditAnnotations: 6}},
		{row{"denial", "H10: also in a denial"}, `"allowed":false,` + remarks(66, 66), 64, 64, admission.Dropped{Warnings: 2, AuditAnnotations: 2}},
		{row{"many", "H3, H9: however many there are"}, `"allowed":true,` + remarks(10_000, 10_000), 64, 64, admission.Dropped{Warnings: 9936, AuditAnnotations: 9936}},
	}, func(t *testing.T, tc remarksRow) {
		r := one(admission.Validating, reply(tc.members)).run(t.Context(), t, admission.Validating)
		call := r.calls[0]
		keys := slices.Sorted(maps.Keys(call.AuditAnnotations))
		if len(r.warnings) != tc.warnings || len(keys) != tc.annotations || call.Dropped != tc.dropped {
			t.Errorf("%d warnings, %d annotations, dropped %+v; want %d, %d and %+v", len(r.warnings), len(keys), call.Dropped, tc.warnings, tc.annotations, tc.dropped)
		}
		if n := len(keys); n > 0 && keys[n-1] != fmt.Sprintf("key%03d", n-1) {
			t.Errorf("the last annotation is %s, want the first %d", keys[n-1], n)
		}
		if n := len(r.warnings); n > 0 && r.warnings[n-1] != fmt.Sprintf("warning %03d", n-1) {
			t.Errorf("the last warning is %s, want the first %d", r.warnings[n-1], n)
		}
	})
}

// denialRow is a denial with parts of its status beyond the limits.
type denialRow struct {
	row
	status  string
	code    int32
	reason  string
	message string
}

func TestDenials(t *testing.T) {
	t.Parallel()
	const (
		denied = `admission webhook "hook.example.com" denied the request`
		end    = "... (truncated)"
	)
	x := func(n int) string { return strings.Repeat("x", n) }
	testtable.Run(t, []denialRow{
		{row{"message below", "a message of just this size"}, `{"message":"` + x(4096) + `"}`, 400, "", denied + ": " + x(4096)},
		{row{"message above", "A11: one character more"}, `{"message":"` + x(4097) + `"}`, 400, "", denied + ": " + x(4096-len(end)) + end},
		{row{"message of wide characters", "A11: characters stay whole"}, `{"message":"` + strings.Repeat("é", 4000) + `"}`, 400, "", denied + ": " + strings.Repeat("é", 2040) + end},
		{row{"reason above", "A11: the reason is a message if there is no other"}, `{"reason":"` + x(5000) + `"}`, 400, x(4096-len(end)) + end, denied + ": " + x(4096-len(end)) + end},
		{row{"code below zero", "A6: as everything below 400"}, `{"code":-5}`, 400, "", denied + " without explanation"},
		{row{"code 599", "A8: the last code there is"}, `{"code":599}`, 599, "", denied + " without explanation"},
		{row{"code 600", "A8: clamped"}, `{"code":600}`, 599, "", denied + " without explanation"},
		{row{"code 1200", "A8: net/http would panic"}, `{"code":1200}`, 599, "", denied + " without explanation"},
		{row{"code 429", "A10: passes, with all that belongs to it"}, `{"code":429,"details":{"retryAfterSeconds":7}}`, 429, "", denied + " without explanation"},
	}, func(t *testing.T, tc denialRow) {
		for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
			r := one(phase, reply(`"allowed":false,"status":`+tc.status)).run(t.Context(), t, phase)
			if testtable.Text(r.err) != tc.message || codeOf(r.err) != tc.code || string(apierrors.ReasonForError(r.err)) != tc.reason {
				t.Errorf("%v: %d %q %v\nwant %d %q %s", phase, codeOf(r.err), apierrors.ReasonForError(r.err), r.err, tc.code, tc.reason, tc.message)
			}
			if got := r.calls[0].Code; got != int(tc.code) {
				t.Errorf("%v: the record has code %d, want %d", phase, got, tc.code)
			}
		}
	})
}

// wordyRow is a text of the webhook's in an error.
type wordyRow struct {
	row
	answer exchange
	begin  string
}

// TestErrorsAreBrief has webhooks fill errors with what they please.
func TestErrorsAreBrief(t *testing.T) {
	t.Parallel()
	x := strings.Repeat("x", 1<<20)
	const review = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":`
	testtable.Run(t, []wordyRow{
		{row{"uid", "S-220 quotes it"}, says(200, "", review+`{"uid":"`+x+`"}}`), "received invalid webhook response: expected response.uid="},
		{row{"kind", "S-223 quotes it"}, says(200, "", `{"kind":"`+x+`","apiVersion":"v1"}`), `failed to call webhook: no kind "xxx`},
		{row{"status of an error", "S-286: a Status speaks for itself"}, says(500, "", `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"`+x+`"}`), "failed to call webhook: xxx"},
		{row{"patch type", "S-176 quotes it"}, reply(`"allowed":true,"patch":"W3t9XQ==","patchType":"` + x + `"`), `unsupported patch type "xxx`},
		{row{"path of a patch", "S-177 quotes it"}, patches(`[{"op":"remove","path":"/` + x + `"}]`), "Internal error occurred: error in remove for path: '/xxx"},
		{row{"kind of a patched object", "G33 quotes it"}, patches(`[{"op":"replace","path":"/kind","value":"` + x + `"},{"op":"replace","path":"/apiVersion","value":"v1"}]`), `Internal error occurred: no kind "xxx`},
	}, func(t *testing.T, tc wordyRow) {
		s := one(admission.Mutating, tc.answer, patient)
		s.request.object = pod("app", "web")
		r := s.run(t.Context(), t, admission.Mutating)
		const most = 4<<10 + 200 // what surrounds the text is ours
		if got := testtable.Text(r.err); len(got) > most || !strings.Contains(got, tc.begin) || !strings.HasSuffix(got, "... (truncated)") {
			t.Errorf("error of %d bytes: %.200s", len(got), got)
		}
		if call := r.calls[0]; len(call.Err.Error()) > most {
			t.Errorf("the record's error has %d bytes", len(call.Err.Error()))
		}
	})
}

// TestBriefErrorsAreTheSame: truncation keeps the error's identity: a canceled
// call stays a canceled call.
func TestBriefErrorsAreTheSame(t *testing.T) {
	t.Parallel()
	canceled := func(*http.Request) (*http.Response, error) {
		return nil, fmt.Errorf("%s: %w", strings.Repeat("x", 1<<20), context.Canceled)
	}
	if call := one(admission.Mutating, canceled).run(t.Context(), t, admission.Mutating).calls[0]; call.Outcome != admission.Canceled {
		t.Errorf("%v with error %.100v", call.Outcome, call.Err)
	}
}

// TestAuditErrorKeysAreBrief has a webhook use a key that fills a log.
func TestAuditErrorKeysAreBrief(t *testing.T) {
	t.Parallel()
	r := one(admission.Validating, reply(`"allowed":true,"auditAnnotations":{"`+strings.Repeat("k", 5000)+`":"v"}`)).run(t.Context(), t, admission.Validating)
	refused := r.calls[0].AuditErrors
	if len(refused) != 1 || refused[0].Err == nil {
		t.Fatalf("audit errors %v, want one", refused)
	}
	if key := refused[0].Key; len(key) != 4096 || !strings.HasPrefix(key, hookName+"/kkk") {
		t.Errorf("key of %d bytes: %.100s", len(key), key)
	}
}
