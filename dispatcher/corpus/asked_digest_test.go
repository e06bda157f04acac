package corpus_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"

	"example.com/gatehouse/dispatcher/corpus"
)

// TestAskedDigest requires the digests that are in corpora: those of the request with
// its fields sorted, as encoding/json writes it.
func TestAskedDigest(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"b": [1, {"x": "}]\\\""}], "a": "<\u003c&\u2028é", "uid": "1", "A": null, "a<b": {"uid": 1}}`,
		`{"operation":"UPDATE","object":{"metadata":{"uid":"1"},"kind":"Pod"}}`,
		`{"operation":"CREATE","object":{"spec":{"b":1,"a":{}},"kind":"Pod"}}`,
		`{"operation":"CREATE","object":{"spec":true,"metadata":{},"kind":"Pod"},"name":"a"}`,
		`{"operation":"CREATE","object":null}`, `{"operation":"CREATE"}`, `{}`,
		`{"name":"a-x","operation":"CREATE","object":{"spec":-1.5e3,"metadata":{"name":"a-x",` +
			`"uid":"1","labels":{"b":"c","a":"\"\\"},"generateName":"a-","managedFields":[{"a":[[]]}]}}}`,
		`{"a":1,"uid":2,"a":{"b":"c"},"\u0075id":3,"b\\":[],"operation":"DELETE","a0":[ ]}`,
	} {
		want := digest(t, text)
		got, err := corpus.Asked([]byte(`{"kind":"AdmissionReview","request":` + text + `,"x":1}`))
		if err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", text, got, err, want)
		}
	}
}

// digest is Asked of a request by way of maps.
func digest(t *testing.T, text string) string {
	t.Helper()
	request := fields(t, []byte(text))
	delete(request, "uid")
	object := fields(t, request["object"])
	if string(request["operation"]) == `"CREATE"` && object["metadata"] != nil {
		metadata := fields(t, object["metadata"])
		for _, key := range []string{"uid", "creationTimestamp", "generation", "managedFields"} {
			delete(metadata, key)
		}
		if metadata["generateName"] != nil {
			delete(metadata, "name")
			delete(request, "name")
		}
		object["metadata"] = encode(t, metadata)
		request["object"] = encode(t, object)
	}
	sum := sha256.Sum256(encode(t, request))
	return hex.EncodeToString(sum[:16])
}

func fields(t *testing.T, text []byte) (all map[string]json.RawMessage) {
	t.Helper()
	if len(text) > 0 {
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func encode(t *testing.T, all map[string]json.RawMessage) []byte {
	t.Helper()
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
