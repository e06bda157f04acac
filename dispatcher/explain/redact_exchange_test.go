package explain

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestHideSecrets looks for a value in everything that is left of an exchange.
func TestHideSecrets(t *testing.T) {
	t.Parallel()
	const value = "hunter2-of-old"
	quote := func(text string) string { return string(Body([]byte(text))) }
	object := fmt.Sprintf(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"data":{"pw":%q}}`, coded(value))
	review := `{"request":{"kind":{"group":"","version":"v1","kind":"Secret"},"object":` + object + `}}`
	answer := func(patch string) string { return `{"response":{"patch":"` + coded(patch) + `"}}` }
	type test struct {
		row
		request, response string
		want              Exchange
	}
	testtable.Run(t, []test{
		{
			row{"data", "it is what a Secret is for"}, review, `{"response":{"allowed":true}}`,
			Exchange{
				Request:  json.RawMessage(`{"request":{"kind":{"group":"","kind":"Secret","version":"v1"},"object":{"apiVersion":"v1","data":{"pw":"[redacted]"},"kind":"Secret","metadata":{"name":"s"}}}}`),
				Response: json.RawMessage(`{"response":{"allowed":true}}`),
			},
		},
		{
			row{"stringData", "nothing has made data of it yet"},
			`{"request":{"oldObject":{"apiVersion":"v1","kind":"Secret","stringData":{"pw":"` + value + `"}}}}`, "",
			Exchange{Request: json.RawMessage(`{"request":{"oldObject":{"apiVersion":"v1","kind":"Secret","stringData":{"pw":"[redacted]"}}}}`)},
		},
		{
			row{"message", "it is quoted, and so is what it decodes to"}, `{"request":{"object":` + object + `}}`,
			`{"response":{"status":{"message":"` + value + ` is weak, as is ` + coded(value) + `"}}}`,
			Exchange{
				Request:  json.RawMessage(`{"request":{"object":{"apiVersion":"v1","data":{"pw":"[redacted]"},"kind":"Secret","metadata":{"name":"s"}}}}`),
				Response: json.RawMessage(`{"response":{"status":{"message":"[redacted] is weak, as is [redacted]"}}}`),
			},
		},
		{
			row{"patch", "what it does is worth to be seen, and where"}, `{"request":{"kind":{"kind":"Secret"}}}`,
			answer(`[{"op":"add","path":"/data/pw","value":"` + coded(value) + `"},{"op":"add","path":"/metadata/labels/a","value":"b"}]`),
			Exchange{
				Request:  json.RawMessage(`{"request":{"kind":{"kind":"Secret"}}}`),
				Response: json.RawMessage(answer(`[{"op":"add","path":"/data/pw","value":"[redacted]"},{"op":"add","path":"/metadata/labels/a","value":"b"}]`)),
			},
		},
		{
			row{"patch that quotes", "it has the value where it cannot be hidden by its place"}, `{"request":{"kind":{"kind":"Secret"}}}`,
			answer(`[{"op":"add","path":"/data/pw","value":"` + coded(value) + `"},{"op":"add","path":"/metadata/labels/a","value":"` + value + `"}]`),
			Exchange{Request: json.RawMessage(`{"request":{"kind":{"kind":"Secret"}}}`), Response: json.RawMessage(`{"response":{"patch":"[redacted]"}}`)},
		},
		{
			row{"patch that is none", "nobody knows what is in it"}, review, answer("pw: " + coded(value)),
			Exchange{
				Request:  json.RawMessage(`{"request":{"kind":{"group":"","kind":"Secret","version":"v1"},"object":{"apiVersion":"v1","data":{"pw":"[redacted]"},"kind":"Secret","metadata":{"name":"s"}}}}`),
				Response: json.RawMessage(`{"response":{"patch":"[redacted]"}}`),
			},
		},
		{
			row{"no JSON", "it cannot be told what is data in it"}, quote(review[:len(review)-1]), quote("I do not understand " + value),
			Exchange{Request: json.RawMessage(`"[redacted]"`), Response: json.RawMessage(`"[redacted]"`)},
		},
		{
			row{"page of an error", "it may be about the body"}, review, quote("<p>" + value),
			Exchange{
				Request:  json.RawMessage(`{"request":{"kind":{"group":"","kind":"Secret","version":"v1"},"object":{"apiVersion":"v1","data":{"pw":"[redacted]"},"kind":"Secret","metadata":{"name":"s"}}}}`),
				Response: json.RawMessage(`"\u003cp\u003e[redacted]"`),
			},
		},
	}, func(t *testing.T, tc test) {
		exchanges := []Exchange{{Request: json.RawMessage(tc.request), Response: json.RawMessage(tc.response)}}
		if tc.response == "" {
			exchanges[0].Response = nil
		}
		HideSecrets(exchanges)
		if diff := cmp.Diff([]Exchange{tc.want}, exchanges); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

// TestHiderHidesInTexts what the exchanges have been found to hold.
func TestHiderHidesInTexts(t *testing.T) {
	t.Parallel()
	review := `{"request":{"object":{"apiVersion":"v1","kind":"Secret","data":{"pw":"` + coded(password) + `"}}}}`
	h := HideSecrets([]Exchange{{Request: json.RawMessage(review)}})
	for _, got := range []string{h.Text("it is " + password), h.Path(`metadata.labels["` + password + `"]`)} {
		if strings.Contains(got, password) || !strings.Contains(got, redacted) {
			t.Errorf("got %q", got)
		}
	}
}

// TestHideSecretsInWhatIsCut: half a value is none that could be found.
func TestHideSecretsInWhatIsCut(t *testing.T) {
	t.Parallel()
	of := func(kind string) json.RawMessage {
		return json.RawMessage(`{"request":{"object":{"apiVersion":"v1","kind":"` + kind + `","data":{"pw":"` + coded(password) + `"}}}}`)
	}
	exchanges := []Exchange{
		{Request: of("Secret"), Response: json.RawMessage(`"it is ` + password[:4] + `"`), Cut: true},
		{Request: of("ConfigMap"), Response: json.RawMessage(`"it is a map"`), Cut: true},
	}
	HideSecrets(exchanges)
	got := []string{string(exchanges[0].Response), string(exchanges[1].Response)}
	if diff := cmp.Diff([]string{`"[redacted]"`, `"it is a map"`}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestHiderHidesInQuotes what needs to be escaped there: a webhook quotes, and whoever
// quotes the webhook does so once more.
func TestHiderHidesInQuotes(t *testing.T) {
	t.Parallel()
	const value = "a first line\n\"q\"<swordfish>\\\n"
	h := HideSecrets([]Exchange{{Request: json.RawMessage(`{"request":{"object":{"apiVersion":"v1","kind":"Secret","data":{"pw":"` + coded(value) + `"}}}}`)}})
	goes := func(text string) string { return fmt.Sprintf("%q", text) }
	jsons := func(text string) string { return string(Body([]byte(text))) }
	type test struct {
		row
		text string
	}
	testtable.Run(t, []test{
		{row{"plain", "it may be read as it is"}, value},
		{row{"Go", "most webhooks and all checks quote so"}, goes(value)},
		{row{"JSON", "others answer so"}, jsons(value)},
		{row{"Go in Go", "a check quotes what a webhook quoted"}, goes("bad value " + goes(value))},
		{row{"JSON in Go", "a check quotes what a webhook encoded"}, goes("bad value " + jsons(value))},
		{row{"Go in JSON", "a message may be a document"}, jsons("bad value " + goes(value))},
		{row{"JSON in JSON", "so may a part of it"}, jsons("bad value " + jsons(value))},
		{row{"one line in Go in Go", "the other one may be left out"}, goes(goes(`"q"<swordfish>\`))},
	}, func(t *testing.T, tc test) {
		if got := h.Text(tc.text); strings.Contains(got, "swordfish") || strings.Contains(got, "first line") || !strings.Contains(got, redacted) {
			t.Errorf("%s: got %s", tc.Why(), got)
		}
	})
}

// TestHideSecretsLeavesTheRest to the letter.
func TestHideSecretsLeavesTheRest(t *testing.T) {
	t.Parallel()
	for _, request := range []string{
		`{"request": {"kind": {"kind": "ConfigMap"}, "object": {"data": {"Secret": "no"}}}}`,
		`{"request": {"kind": {"group": "example.com", "kind": "Secret"}, "object": {"data": {"a": "b"}}}}`,
		`"not even JSON"`, `[]`, ``,
	} {
		exchanges := []Exchange{{Request: json.RawMessage(request), Response: json.RawMessage(`{"a": 1}`)}}
		HideSecrets(exchanges)
		if got := string(exchanges[0].Request); got != request || string(exchanges[0].Response) != `{"a": 1}` {
			t.Errorf("%s became %s, its answer %s", request, got, exchanges[0].Response)
		}
	}
}
