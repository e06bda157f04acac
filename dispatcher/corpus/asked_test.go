package corpus_test

import (
	"fmt"
	"testing"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/testutil/testtable"
)

type askedCase struct {
	row
	operation    string
	before, with string
	same         bool
}

// TestAsked compares two reviews.
func TestAsked(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []askedCase{
		{row{"system fields", "a server sets them between the phases"}, "CREATE", `"name":"a"`, `"name":"a","uid":"7","creationTimestamp":"2026-01-01T00:00:00Z","generation":1,"managedFields":[{}]`, true},
		{row{"generated name", "it is another one each time"}, "CREATE", `"generateName":"a-"`, `"generateName":"a-","name":"a-xyz"`, true},
		{row{"escapes", "the same text may be written in two ways"}, "CREATE", `"name":"<"`, `"name": "\u003c"`, true},
		{row{"name", "another object"}, "CREATE", `"name":"a"`, `"name":"b"`, false},
		{row{"label", "webhooks look at it"}, "CREATE", `"name":"a"`, `"name":"a","labels":{"x":"y"}`, false},
		{row{"update", "the uid is that of the stored object"}, "UPDATE", `"uid":"1"`, `"uid":"2"`, false},
	}, func(t *testing.T, tc askedCase) {
		var asked [2]string
		for i, metadata := range []string{tc.before, tc.with} {
			review := fmt.Sprintf(`{"request":{"uid":"%d","operation":%q,"object":{"kind":"Pod","metadata":{%s}}}}`, i, tc.operation, metadata)
			var err error
			if asked[i], err = corpus.Asked([]byte(review)); err != nil {
				t.Fatal(err)
			}
		}
		if (asked[0] == asked[1]) != tc.same {
			t.Errorf("the digests are %q", asked)
		}
	})
	for _, review := range []string{"{", `{"request":{"operation":"CREATE","object":[]}}`, `{"request":{"operation":"CREATE","object":{"metadata":1}}}`} {
		if _, err := corpus.Asked([]byte(review)); err == nil {
			t.Errorf("%s has a digest", review)
		}
	}
}
