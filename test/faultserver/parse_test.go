package faultserver_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/test/faultserver"
)

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, why, script, want string }{
		{"not JSON", "the decoder's word is passed on", `{`, "unexpected EOF"},
		{"two scripts", "the second would be ignored", `{} {}`, "something follows its end"},
		{"unknown field", "a misspelt fault would be no fault", `{"conections":[]}`, `unknown field "conections"`},
		{"unknown step", "the same deeper down", `{"requests":[[{"snooze":"1s"}]]}`, `unknown field "snooze"`},
		{"unknown field of an answer", "the same deeper still", `{"requests":[[{"answer":{"code":500}}]]}`, `unknown field "code"`},
		{"unknown field of a piece", "texts read themselves", `{"requests":[[{"write":{"text":[{"repeat":"x","time":2}]}}]]}`, `unknown field "time"`},
		{"two things at once", "their order would be anyone's guess", `{"requests":[[{"sleep":"1s","hang":true}]]}`, `requests[0][0]: a step does one thing, not 2 ["sleep" "hang"]`},
		{"nothing at all", "an empty step is a mistake", `{"requests":[[],[{"close":true},{}]]}`, `requests[1][1]: a step does one thing, not 0`},
		{"bad duration", "Go's notation", `{"requests":[[{"sleep":"1"}]]}`, `missing unit in duration`},
		{"negative duration", "time goes one way", `{"requests":[[{"sleep":"-1s"}]]}`, `sleep: the duration is negative`},
		{"bad amount", "what is read", `{"requests":[[{"read":"some"}]]}`, `"some" is no amount`},
		{"negative amount", "what is read", `{"requests":[[{"read":"-1"}]]}`, `"-1" is no amount`},
		{"listen", "a closed set", `{"listen":"never"}`, `listen: there is no "never"`},
		{"certificate", "a closed set", `{"connections":[{},{"tls":{"certificate":"old"}}]}`, `connections[1].tls: certificate: there is no "old"`},
		{"version", "a closed set", `{"connections":[{"tls":{"minVersion":"3.0"}}]}`, `TLS has no version "3.0"`},
		{"negative stall", "a number of bytes", `{"connections":[{"tls":{"stall":-1}}]}`, `stall is negative`},
		{"answer too early", "there is no request yet", `{"connections":[{"after":[{"answer":{}}]}]}`, `connections[0].after[0]: answer: it is too early for that`},
		{"read too early", "there is no request yet", `{"connections":[{"after":[{"read":"all"}]}]}`, `before a request only "nothing" can be said`},
		{"GOAWAY too early", "nothing has been agreed on yet", `{"connections":[{"before":[{"goAway":{}}]}]}`, `connections[0].before[0]: goAway: it is too early for that`},
		{"GOAWAY without HTTP/2", "no client could see it", `{"requests":[[{"goAway":{}}]]}`, `set tls.alpn`},
		{"reset of a stream without HTTP/2", "no client could see it", `{"requests":[[{"resetStream":"CANCEL"}]]}`, `set tls.alpn`},
		{"error code", "a closed set", `{"connections":[{"tls":{"alpn":["h2"]}}],"requests":[[{"resetStream":"OOPS"}]]}`, `HTTP/2 has no error code "OOPS"`},
		{"interim code", "others end the exchange", `{"requests":[[{"interim":{"code":200}}]]}`, `code 200 is not one of an interim response`},
		{"framing", "a closed set", `{"requests":[[{"answer":{"framing":"guess"}}]]}`, `framing: there is no "guess"`},
		{"charset", "a closed set", `{"requests":[[{"answer":{"body":{"charset":"ebcdic"}}}]]}`, `body.charset: there is no "ebcdic"`},
		{"two bodies", "one would win silently", `{"requests":[[{"answer":{"body":{"text":"x","review":{}}}}]]}`, `the content is given twice`},
		{"endless with a length", "it cannot be announced", `{"requests":[[{"answer":{"body":{"endless":true}}}]]}`, `an endless body has no length`},
		{"negative stop", "a number of bytes", `{"requests":[[{"answer":{"stop":-1}}]]}`, `stop is negative`},
		{"negative keep", "a number of bytes", `{"requests":[[{"answer":{"body":{"keep":-1}}}]]}`, `body.keep is negative`},
		{"nameless header", "a line of a header has a name", `{"requests":[[{"answer":{"headers":[{"value":"x"}]}}]]}`, `headers[0]: no name`},
		{"negative rate", "time goes one way", `{"requests":[[{"answer":{"bodyPace":{"rate":-1}}}]]}`, `must not be negative`},
		{"unordered split", "offsets are passed once", `{"requests":[[{"answer":{"headPace":{"split":[2,1]}}}]]}`, `split must ascend`},
		{"no other origin", "a redirect to nowhere is not meant", `{"requests":[[{"answer":{"headers":[{"name":"Location","value":"{{other}}"}]}}]]}`, `the script has none: set other`},
		{"third origin", "two are enough", `{"other":{"other":{}}}`, `no more than two origins`},
		{"fault of the other origin", "its script is checked too", `{"other":{"requests":[[{}]]}}`, `other: requests[0][0]: a step does one thing`},
	}
	check := unique(t)
	for _, row := range rows {
		check(row.name, row.why)
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, err := faultserver.Parse([]byte(row.script))
			if err == nil {
				t.Fatalf("no error (%s)", row.why)
			}
			wants(t, err.Error(), row.want, row.why)
		})
	}
}

func TestTextForms(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, why, in, want string }{
		{"string", "the usual form", `"x"`, `"x"`},
		{"object", "one piece needs no list", `{"repeat":"x","times":2}`, `[{"repeat":"x","times":2}]`},
		{"list", "mixed", `["a",{"repeat":"b","times":2,"separator":","},"c"]`, `["a",{"repeat":"b","times":2,"separator":","},"c"]`},
		{"plain piece", "the shortest form is written", `[{"repeat":"x"}]`, `"x"`},
		{"null", "nothing is no text", `null`, `[]`},
	}
	check := unique(t)
	for _, row := range rows {
		check(row.name, row.why)
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var text faultserver.Text
			if err := json.Unmarshal([]byte(row.in), &text); err != nil {
				t.Fatal(err)
			}
			out, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.want, string(out)); diff != "" {
				t.Errorf("-want +got (%s):\n%s", row.why, diff)
			}
		})
	}
}

// TestNamed parses what every fault looks like in JSON and compares.
func TestNamed(t *testing.T) {
	t.Parallel()
	check := unique(t)
	for _, fault := range faultserver.Named() {
		check(fault.Name, fault.Summary)
		if !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(fault.Name) {
			t.Errorf("%q is no name", fault.Name)
		}
		encoded, err := json.Marshal(fault.Script)
		if err != nil {
			t.Fatalf("%s: %v", fault.Name, err)
		}
		parsed, err := faultserver.Parse(encoded)
		if err != nil {
			t.Fatalf("%s: %v", fault.Name, err)
		}
		if diff := cmp.Diff(fault.Script, parsed); diff != "" {
			t.Errorf("%s (-want +got):\n%s", fault.Name, diff)
		}
	}
	if _, ok := faultserver.Lookup("no such fault"); ok {
		t.Error("Lookup found what is not there")
	}
}
