package faultserver_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/test/faultserver"
)

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, why, script, want string }{
		{"not JSON", "the decoder's word is passed on", `{`, "unexpected end of JSON input"},
		{"two scripts", "the second would be ignored", `{} {}`, "after top-level value"},
		{"empty", "a file that was never written", "", "it is empty"},
		{"blank", "equal to no script", " \n\t", "it is empty"},
		{"null", "the zero script allows everything, which was not requested", ` null`, "want an object of JSON"},
		{"list", "the decoder would name types of Go", `[]`, "want an object of JSON"},
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
		{"negative rate", "time goes one way", `{"requests":[[{"answer":{"bodyPace":{"rate":-1}}}]]}`, `nothing must be negative`},
		{"negative pause", "time goes one way", `{"requests":[[{"answer":{"headPace":{"pause":"-1s"}}}]]}`, `nothing must be negative`},
		{"negative split", "nothing has such an offset", `{"requests":[[{"write":{"text":"x","pace":{"split":[-1,1]}}}]]}`, `nothing must be negative`},
		{"negative pad", "a number of bytes", `{"requests":[[{"answer":{"body":{"pad":-1}}}]]}`, `body.pad is negative`},
		{"negative interim", "once would be a guess", `{"requests":[[{"interim":{"code":103,"times":-2}}]]}`, `interim: times is negative`},
		{"negative header", "once would be a guess", `{"requests":[[{"answer":{"headers":[{"name":"X","value":"y","times":-2}]}}]]}`, `headers[0]: times is negative`},
		{"negative header of interim", "they are checked too", `{"requests":[[{"interim":{"code":103,"headers":[{"name":"X","value":"y","times":-2}]}}]]}`, `headers[0]: times is negative`},
		{"negative piece", "once would be a guess", `{"requests":[[{"write":{"text":["a",{"repeat":"x","times":-2}]}}]]}`, `write: text: times of piece 1 is negative`},
		{"negative piece of a header", "every text is checked", `{"requests":[[{"answer":{"headers":[{"name":"X","value":{"repeat":"x","times":-2}}]}}]]}`, `headers[0].value: times of piece 0 is negative`},
		{"negative piece of a body", "every text is checked", `{"requests":[[{"answer":{"body":{"text":{"repeat":"x","times":-2}}}}]]}`, `body.text: times of piece 0 is negative`},
		{"negative piece of a patch", "every text is checked", `{"requests":[[{"answer":{"body":{"review":{"patch":{"repeat":"x","times":-2}}}}}]]}`, `body.review.patch: times of piece 0 is negative`},
		{"negative piece of a message", "every text is checked", `{"requests":[[{"answer":{"body":{"review":{"status":{"message":{"repeat":"x","times":-2}}}}}}]]}`, `body.review.status.message: times of piece 0 is negative`},
		{"negative piece of a field", "every text is checked", `{"requests":[[{"answer":{"body":{"review":{"fields":{"x":{"repeat":"x","times":-2}}}}}}]]}`, `body.review.fields.x: times of piece 0 is negative`},
		{"unordered split", "offsets are passed once", `{"requests":[[{"answer":{"headPace":{"split":[2,1]}}}]]}`, `split must ascend`},
		{"no other origin", "a redirect to nowhere is not meant", `{"requests":[[{"answer":{"headers":[{"name":"Location","value":"{{other}}"}]}}]]}`, `the script has none: set other`},
		{"no other origin in a patch", "every text is checked", `{"requests":[[{"answer":{"body":{"review":{"patch":"{{other}}"}}}}]]}`, `the script has none: set other`},
		{"third origin", "two are enough", `{"other":{"other":{}}}`, `no more than two origins`},
		{"fault of the other origin", "its script is checked too", `{"other":{"requests":[[{}]]}}`, `other: requests[0][0]: a step does one thing`},
	}
	check := unique(t)
	for _, row := range rows {
		check(row.name, row.why)
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			refuses(t, row.script, row.want, row.why)
		})
	}
}

// TestParsePlaces: errors in a script of many lines have a position.
func TestParsePlaces(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, why, script, want string }{
		{"cut off", "the last thing that there is", "{\n \"requests\": [\n", "line 2, column 14: unexpected end of JSON input"},
		{"comma", "the decoder knows", "{\"listen\": \"full\",\n}", "line 2, column 1: invalid character '}'"},
		{"second script", "the decoder knows", "{}\n{}", "line 2, column 1: invalid character '{' after top-level value"},
		{"field", "the decoder does not", "{\n  \"conections\": []}", `line 2, column 3: json: unknown field "conections"`},
		{
			"field that others have", "the name alone is no place",
			`{"other":{"listen":"full"},"requests":[[{"answer":{"body":{"text":"listen","review":{"fields":{"listen":"1"}}}},` + "\n\"listen\":1}]]}",
			`line 2, column 1: json: unknown field "listen"`,
		},
		{"first field", "the decoder names the first as well", "{\"other\":\n{\"a\":{\"b\":[1]}},\n\"b\":1}", `line 2, column 2: json: unknown field "a"`},
		{
			"field of a piece", "texts read themselves",
			"{\"requests\":[[{\"write\":{\"text\":[\"x\",\n{\"repeat\":\"x\" , \"time\" : 2}]}}]]}",
			`line 2, column 17: reading a text: json: unknown field "time"`,
		},
		{
			"duration", "durations read themselves",
			"{\"requests\":[[{\"sleep\":\"1s\"},\n{\"sleep\":\"x\"}]]}",
			`line 2, column 10: reading a duration: time: invalid duration "x"`,
		},
		{
			"type", "columns are counted as people do",
			`{"requests":[[{"answer":{"body":{"text":"é"},"status":"x"}}]]}`,
			`line 1, column 55: json: cannot unmarshal string`,
		},
		{"type of a list", "where it opens", `{"requests":{"a":[]}}`, `line 1, column 13: json: cannot unmarshal object`},
		{"too large", "numbers are not rounded on the way", `{"requests":[[{"answer":{"status":1e999}}]]}`, `line 1, column 35: json: cannot unmarshal number 1e999`},
	}
	check := unique(t)
	for _, row := range rows {
		check(row.name, row.why)
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			refuses(t, row.script, "reading a fault script: "+row.want, row.why)
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
		{"markup", "the outermost encoder decides", `"<"`, `"\u003c"`},
		{"markup in pieces", "the same", `["<",{"repeat":"<","times":2}]`, `["\u003c",{"repeat":"\u003c","times":2}]`},
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
			if plain, err := text.MarshalJSON(); err != nil || strings.Contains(row.in, "<") != strings.Contains(string(plain), "<") {
				t.Errorf("%s is escaped without need: %s (%v)", row.in, plain, err)
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

// refuses checks that a script is refused, and how.
func refuses(t *testing.T, script, want, why string) {
	t.Helper()
	_, err := faultserver.Parse([]byte(script))
	if err == nil {
		t.Fatalf("no error (%s)", why)
	}
	wants(t, err.Error(), want, why)
}
