package explain

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestHideSecrets searches the redacted exchanges for a value.
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
			row{"data", "the data is secret"}, review, `{"response":{"allowed":true}}`,
			Exchange{
				Request:  json.RawMessage(`{"request":{"kind":{"group":"","kind":"Secret","version":"v1"},"object":{"apiVersion":"v1","data":{"pw":"[redacted]"},"kind":"Secret","metadata":{"name":"s"}}}}`),
				Response: json.RawMessage(`{"response":{"allowed":true}}`),
			},
		},
		{
			row{"stringData", "stringData is secret, too"},
			`{"request":{"oldObject":{"apiVersion":"v1","kind":"Secret","stringData":{"pw":"` + value + `"}}}}`, "",
			Exchange{Request: json.RawMessage(`{"request":{"oldObject":{"apiVersion":"v1","kind":"Secret","stringData":{"pw":"[redacted]"}}}}`)},
		},
		{
			row{"message", "the message quotes the value and what it decodes to"}, `{"request":{"object":` + object + `}}`,
			`{"response":{"status":{"message":"` + value + ` is weak, as is ` + coded(value) + `"}}}`,
			Exchange{
				Request:  json.RawMessage(`{"request":{"object":{"apiVersion":"v1","data":{"pw":"[redacted]"},"kind":"Secret","metadata":{"name":"s"}}}}`),
				Response: json.RawMessage(`{"response":{"status":{"message":"[redacted] is weak, as is [redacted]"}}}`),
			},
		},
		{
			row{"patch", "the patch stays readable"}, `{"request":{"kind":{"kind":"Secret"}}}`,
			answer(`[{"op":"add","path":"/data/pw","value":"` + coded(value) + `"},{"op":"add","path":"/metadata/labels/a","value":"b"}]`),
			Exchange{
				Request:  json.RawMessage(`{"request":{"kind":{"kind":"Secret"}}}`),
				Response: json.RawMessage(answer(`[{"op":"add","path":"/data/pw","value":"[redacted]"},{"op":"add","path":"/metadata/labels/a","value":"b"}]`)),
			},
		},
		{
			row{"patch with a copy", "the copy is at another path"}, `{"request":{"kind":{"kind":"Secret"}}}`,
			answer(`[{"op":"add","path":"/data/pw","value":"` + coded(value) + `"},{"op":"add","path":"/metadata/labels/a","value":"` + value + `"}]`),
			Exchange{Request: json.RawMessage(`{"request":{"kind":{"kind":"Secret"}}}`), Response: json.RawMessage(`{"response":{"patch":"[redacted]"}}`)},
		},
		{
			row{"invalid patch", "its values cannot be found"}, review, answer("pw: " + coded(value)),
			Exchange{
				Request:  json.RawMessage(`{"request":{"kind":{"group":"","kind":"Secret","version":"v1"},"object":{"apiVersion":"v1","data":{"pw":"[redacted]"},"kind":"Secret","metadata":{"name":"s"}}}}`),
				Response: json.RawMessage(`{"response":{"patch":"[redacted]"}}`),
			},
		},
		{
			row{"no JSON", "its data cannot be found"}, quote(review[:len(review)-1]), quote("I do not understand " + value),
			Exchange{Request: json.RawMessage(`"[redacted]"`), Response: json.RawMessage(`"[redacted]"`)},
		},
		{
			row{"token", "the token of a TokenReview is a credential"},
			`{"request":{"object":{"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview","spec":{"token":"` + value + `","audiences":["a"]}}}}`,
			`{"response":{"status":{"message":"who has ` + value + `?"}}}`,
			Exchange{
				Request:  json.RawMessage(`{"request":{"object":{"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview","spec":{"audiences":["a"],"token":"[redacted]"}}}}`),
				Response: json.RawMessage(`{"response":{"status":{"message":"who has [redacted]?"}}}`),
			},
		},
		{
			row{"no JSON of a token", "it cannot be found"}, quote(`kind: TokenRequest, token: ` + value), quote(value),
			Exchange{Request: json.RawMessage(`"[redacted]"`), Response: json.RawMessage(`"[redacted]"`)},
		},
		{
			row{"error page", "the page may quote the request"}, review, quote("<p>" + value),
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

// TestHideSecretsInTexts redacts texts and paths with values from exchanges.
func TestHideSecretsInTexts(t *testing.T) {
	t.Parallel()
	review := `{"request":{"object":{"apiVersion":"v1","kind":"Secret","data":{"pw":"` + coded(password) + `"}}}}`
	h := HideSecrets([]Exchange{{Request: json.RawMessage(review)}})
	for _, got := range []string{h.Text("it is " + password), h.Path(`metadata.labels["` + password + `"]`)} {
		if strings.Contains(got, password) || !strings.Contains(got, redacted) {
			t.Errorf("got %q", got)
		}
	}
}

// TestHideSecretsInTruncatedResponses wants them redacted as a whole: a
// truncated value cannot be recognized.
func TestHideSecretsInTruncatedResponses(t *testing.T) {
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

// TestHideSecretsInQuotes covers values that are escaped in quotes: a webhook
// quotes the value, and a check quotes the webhook.
func TestHideSecretsInQuotes(t *testing.T) {
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
		{row{"plain", "the plain form"}, value},
		{row{"Go", "the quotes of Go"}, goes(value)},
		{row{"JSON", "the quotes of JSON"}, jsons(value)},
		{row{"Go in Go", "a check quotes what a webhook quoted"}, goes("bad value " + goes(value))},
		{row{"JSON in Go", "a check quotes what a webhook encoded"}, goes("bad value " + jsons(value))},
		{row{"Go in JSON", "a JSON string that contains Go quotes"}, jsons("bad value " + goes(value))},
		{row{"JSON in JSON", "a JSON string that contains JSON"}, jsons("bad value " + jsons(value))},
		{row{"one line in Go in Go", "one line of the value alone"}, goes(goes(`"q"<swordfish>\`))},
	}, func(t *testing.T, tc test) {
		if got := h.Text(tc.text); strings.Contains(got, "swordfish") || strings.Contains(got, "first line") || !strings.Contains(got, redacted) {
			t.Errorf("%s: got %s", tc.Why(), got)
		}
	})
}

// TestHideSecretsKeepsOthers wants other exchanges unchanged, byte for byte.
func TestHideSecretsKeepsOthers(t *testing.T) {
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
