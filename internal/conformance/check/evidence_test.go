package check

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

func found(f Finding, message string) report.Finding {
	r := &Record{}
	r.Add(f, "%s", message)
	return r.Result(&Check{}, "").Findings[0]
}

// TestEvidence is all of an exchange, as it was.
func TestEvidence(t *testing.T) {
	t.Parallel()
	x := &probe.Exchange{
		Method: "POST", URL: "https://hook/?timeout=1s", Sent: []byte(`{"a": 1}`),
		Status: 500, Header: http.Header{"Content-Type": {"text/plain"}}, Body: []byte("oh <no>"),
		Err: errors.New("the end"), Elapsed: 1500 * time.Microsecond,
	}
	want := report.Finding{Sample: "s", Message: "m", Paths: []string{"spec.a"}, Evidence: []report.Exchange{
		{
			Method: "POST", URL: "https://hook/?timeout=1s", Request: json.RawMessage(`{"a": 1}`), Status: 500,
			ContentType: "text/plain", Response: json.RawMessage(`"oh \u003cno\u003e"`), Error: "the end", Milliseconds: 1.5,
		},
		{Method: "GET"},
	}}
	got := found(Finding{Sample: "s", Paths: []string{"spec.a"}, Evidence: []*probe.Exchange{x, {Method: "GET"}}}, "m")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestEvidenceHasNoSecrets wherever a webhook has been seen to put them.
func TestEvidenceHasNoSecrets(t *testing.T) {
	t.Parallel()
	const value = "correct horse battery staple"
	coded := base64.StdEncoding.EncodeToString([]byte(value))
	review := func(fields string) []byte {
		return []byte(`{"request":{"uid":"u","kind":{"group":"","version":"v1","kind":"Secret"},` + fields + `}}`)
	}
	data := `{"apiVersion":"v1","kind":"Secret","data":{"pw":"` + coded + `"}}`
	answer := func(fields string) []byte { return []byte(`{"response":{"uid":"u",` + fields + `}}`) }
	patch := base64.StdEncoding.EncodeToString([]byte(`[{"op":"add","path":"/data/more","value":"` + coded + `"}]`))
	type test struct {
		row
		x             probe.Exchange
		message, path string
	}
	testtable.Run(t, []test{
		{row{"data", "that is what it is for"}, probe.Exchange{Sent: review(`"object":` + data)}, "no", ""},
		{row{"stringData", "it becomes data"}, probe.Exchange{Sent: review(`"object":{"stringData":{"pw":"` + value + `"}}`)}, "no", ""},
		{row{"old object", "what was secret stays so"}, probe.Exchange{Sent: review(`"object":null,"oldObject":` + data)}, "no", ""},
		{row{"patch", "it is base64 around base64"}, probe.Exchange{Sent: review(`"object":null`), Body: answer(`"patch":"` + patch + `"`)}, "no", ""},
		{row{"status", "a webhook says why it denies"}, probe.Exchange{Sent: review(`"object":` + data), Body: answer(`"status":{"message":"` + value + ` is weak"}`)}, "no", ""},
		{row{"error page", "a framework shows the body"}, probe.Exchange{Sent: review(`"object":` + data), Body: []byte("panic: " + value)}, "no", ""},
		{row{"connection", "libraries quote what they cannot read"}, probe.Exchange{Sent: review(`"object":` + data), Err: errors.New("malformed: " + value)}, "no", ""},
		{row{"header", "it is the webhook's"}, probe.Exchange{Sent: review(`"object":` + data), Header: http.Header{"Content-Type": {value}}}, "no", ""},
		{row{"message", "checks quote webhooks"}, probe.Exchange{Sent: review(`"object":` + data)}, "it says " + value, ""},
		{row{"long message", "it is hidden before it is cut, here too"}, probe.Exchange{Sent: review(`"object":` + data)}, strings.Repeat("A", maxMessage-10) + value, ""},
		{row{"path", "a label may be made of it"}, probe.Exchange{Sent: review(`"object":` + data)}, "no", `metadata.labels["` + value + `"]`},
		{row{"garbage", "half a Secret is secret"}, probe.Exchange{Sent: review(`"object":` + data)[5:], Body: []byte(value)}, "no", ""},
		{row{"long", "it is hidden before it is cut"}, probe.Exchange{Sent: review(`"object":` + strings.Replace(data, `{"pw"`, `{"a":"`+strings.Repeat("A", maxBody-300)+`","pw"`, 1))}, "no", ""},
	}, func(t *testing.T, tc test) {
		got, err := json.Marshal(found(Finding{Paths: []string{tc.path}, Evidence: []*probe.Exchange{&tc.x}}, tc.message))
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{value, value[:10], coded, coded[:10], patch} {
			if strings.Contains(string(got), form) {
				t.Errorf("%s: %q is shown in\n%s", tc.Why(), form, got)
			}
		}
		// That of a patch is in its base64.
		if tc.Name() != "patch" && !strings.Contains(string(got), "[redacted]") {
			t.Errorf("%s: nothing says that something is hidden in\n%s", tc.Why(), got)
		}
	})
}

// TestEvidenceIsCut between characters, and stays JSON.
func TestEvidenceIsCut(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		body, want string
	}
	many := strings.Repeat("é", maxBody)
	testtable.Run(t, []test{
		{row{"short", "nothing is cut"}, "no", `"no"`},
		{row{"JSON", "half of it is none: it becomes a string"}, `{"a":"` + many + `"}`, `"{\"a\":\"` + limits.Cut(many, maxBody-6) + `"`},
		{row{"text", "it is one already, and is not quoted twice"}, "x" + many, `"x` + limits.Cut(many, maxBody-1) + `"`},
		{row{"just too long when quoted", "what was measured is what is kept"}, strings.Repeat("<", maxBody/2), `"` + strings.Repeat(`\u003c`, maxBody/2) + `"`},
	}, func(t *testing.T, tc test) {
		got := found(Finding{Evidence: []*probe.Exchange{{Body: []byte(tc.body)}}}, "").Evidence[0].Response
		if diff := cmp.Diff(tc.want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

// TestMessagesAreCut between characters.
func TestMessagesAreCut(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("é", maxMessage/2)
	type test struct {
		row
		message, want string
	}
	testtable.Run(t, []test{
		{row{"short", "all of it can be read"}, many, many},
		{row{"long", "the evidence has the rest"}, many + "!", limits.Cut(many+"!", maxMessage)},
		{row{"long within a character", "half a character is none"}, "!" + many, limits.Cut("!"+many, maxMessage)},
	}, func(t *testing.T, tc test) {
		if got := found(Finding{}, tc.message).Message; got != tc.want {
			t.Errorf("%s: got %s", tc.Why(), got)
		}
	})
}
