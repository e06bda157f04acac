package probe_test

import (
	"testing"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/testutil/testtable"
)

type patchedCase struct {
	testtable.Row
	sent   string
	answer *probe.Answer
	want   string
	err    string
}

// says is an answer with a patch.
func says(patch string) *probe.Answer { return &probe.Answer{Patch: []byte(patch)} }

func TestPatched(t *testing.T) {
	t.Parallel()
	const sent = `{"request":{"object":{"b": 1}}}`
	testtable.Run(t, []patchedCase{
		{testtable.Row{"patched", "it is what becomes of the object"}, sent, says(`[{"op":"add","path":"/a","value":2}]`), `{"a":2,"b":1}`, ""},
		{testtable.Row{"no patch", "the object stays as it was sent"}, sent, says(""), `{"b": 1}`, ""},
		{testtable.Row{"no answer", "the result is unknown"}, sent, nil, "", "there is no answer"},
		{testtable.Row{"no object", "a deletion has none"}, `{"request":{"object":null}}`, says("[]"), "", "there is no object to patch"},
		{testtable.Row{"no review", "anything may be sent"}, `hello`, says("[]"), "", "there is no object to patch"},
		{testtable.Row{"no JSON patch", "that is one of the faults that are looked for"}, sent, says(`{}`), "",
			"decoding the patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch"},
		{testtable.Row{"does not apply", "that is another"}, sent, says(`[{"op":"test","path":"/b","value":2}]`), "", "applying the patch: testing value /b failed: test failed"},
		{testtable.Row{"panic", "the library has some, and checks go on"}, sent, says(`[{"op":"replace","path":""}]`), "",
			"applying the patch: patch cannot be applied: runtime error: invalid memory address or nil pointer dereference"},
	}, func(t *testing.T, tc patchedCase) {
		x := &probe.Exchange{Sent: []byte(tc.sent), Answer: tc.answer}
		got, err := x.Patched()
		if string(got) != tc.want || testtable.Text(err) != tc.err {
			t.Errorf("got %s and error %q, want %s and %q", got, testtable.Text(err), tc.want, tc.err)
		}
	})
}
