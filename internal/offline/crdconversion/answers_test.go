package crdconversion_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/testutil/testtable"
)

// set returns a function that sets what is at a path of a review. The path is
// separated by slashes; "0" is the first of the converted objects.
func set(path string, value any) func(map[string]any) {
	return func(review map[string]any) {
		fields := strings.Split(path, "/")
		if fields[0] == "0" {
			objects, _, _ := unstructured.NestedFieldNoCopy(review, "response", "convertedObjects")
			review, fields = objects.([]any)[0].(map[string]any), fields[1:]
		}
		for _, f := range fields[:len(fields)-1] {
			review = review[f].(map[string]any)
		}
		review[fields[len(fields)-1]] = value
	}
}

const failed = "conversion webhook for example.com/v1, Kind=Widget "

// TestAnswers changes one thing of a right answer.
func TestAnswers(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		spoil func(review map[string]any)
		// v1 and v1beta1 are the errors for the two versions of reviews, or the
		// beginnings of those that have a random uid; "" for none.
		v1, v1beta1 string
	}
	both := func(r row, spoil func(map[string]any), err string) test {
		return test{r, spoil, failed + err, failed + err}
	}
	rows := []test{
		both(row{"failure", "the message of the webhook is what matters"},
			set("response/result", map[string]any{"status": "Failure", "message": "too large"}), "failed: too large"),
		both(row{"silent failure", "without a message the status is all there is"},
			set("response/result", map[string]any{"status": "Failure"}), "failed: response.result.status was 'Failure', not 'Success'"),
		both(row{"no result", "nothing is not a success"},
			set("response/result", nil), "failed: response.result.status was '', not 'Success'"),
		both(row{"no response", "a review that was sent back as it came"}, set("response", nil), "failed: no response provided"),
		{row{"other uid", "the answer to another question; v1beta1 was never checked"},
			set("response/uid", "99"), failed + `failed: expected response.uid=`, ""},
		both(row{"none", "no object comes back"}, set("response/convertedObjects", []any{}), "returned 0 objects, expected 1"),
		both(row{"objects null", "as if there were none"}, set("response/convertedObjects", nil), "returned 0 objects, expected 1"),
		both(row{"too many", "two come back for one"},
			set("response/convertedObjects", []any{widget("v3", 1).Object, widget("v3", 2).Object}), "returned 2 objects, expected 1"),
		{row{"null object", "there is nothing to read"},
			set("response/convertedObjects", []any{nil}), "unexpected end of JSON input", "unexpected end of JSON input"},
		{row{"text for an object", "it is JSON and yet no object"},
			set("response/convertedObjects", []any{"x"}), "json: cannot unmarshal string into Go value", "json: cannot unmarshal string into Go value"},
		both(row{"other version", "not what was asked for"}, set("0/apiVersion", "example.com/v2"),
			"returned invalid object at index 0: invalid groupVersion (expected example.com/v3, received example.com/v2)"),
		both(row{"other kind", "not what was sent"}, set("0/kind", "Gadget"), "returned invalid object at index 0: invalid kind (expected Widget, received Gadget)"),
		both(row{"other name", "another object"}, set("0/metadata/name", "two"), "returned invalid object: must have the same name: one != two"),
		both(row{"other namespace", "another object in another place"},
			set("0/metadata/namespace", "yard"), "returned invalid object: must have the same namespace: shop != yard"),
		both(row{"other object uid", "another object of the same name"}, set("0/metadata/uid", "33"), "returned invalid object: must have the same UID: 11-22 != 33"),
		both(row{"no metadata", "then it has no name either"}, set("0/metadata", nil), "returned invalid object: must have the same name: one != "),
		both(row{"metadata is text", "nor here"}, set("0/metadata", "x"), "returned invalid object: must have the same name: one != "),
		both(row{"labels are text", "labels are the webhook's, but they have a form"},
			set("0/metadata/labels", "x"), "returned invalid metadata: invalid metadata.labels of type string in converted object"),
		both(row{"label is a number", "a label is text"}, set("0/metadata/labels", map[string]any{"a": 1}),
			"returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object"),
		both(row{"label with a space", "a label is valid"}, set("0/metadata/labels", map[string]any{"a": "b c"}),
			`returned invalid metadata: metadata.labels: Invalid value: "b c": `),
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		for version, want := range map[string]string{"v1": tc.v1, "v1beta1": tc.v1beta1} {
			got, err := newWebhook(t, tc.spoil).convertor(t, version).ConvertToVersion(widget("v1", 5), gv("v3"))
			if text := testtable.Text(err); !strings.HasPrefix(text, want) || (text == "") != (want == "") {
				t.Errorf("%s: error %q, want %q", version, text, want)
			}
			if (got == nil) != (err != nil) {
				t.Errorf("%s: got %v beside %v", version, got, err)
			}
		}
	})
}

// TestMetadata has webhooks that change what is theirs, and what is not.
func TestMetadata(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		spoil func(review map[string]any)
		want  func(metadata map[string]any)
	}
	rows := []test{
		{row{"labels", "labels are the webhook's"}, set("0/metadata/labels", map[string]any{"x": "y"}),
			func(m map[string]any) { m["labels"] = map[string]any{"x": "y"} }},
		{row{"no labels", "it may take them away"}, set("0/metadata/labels", nil), func(m map[string]any) { delete(m, "labels") }},
		{row{"annotations", "so are annotations"}, set("0/metadata/annotations", map[string]any{"x": "y"}),
			func(m map[string]any) { m["annotations"] = map[string]any{"x": "y"} }},
		{row{"resource version", "this is not, and comes back"}, set("0/metadata/resourceVersion", "8"), func(map[string]any) {}},
		{row{"finalizers", "nor is what was not there, which goes"}, set("0/metadata/finalizers", []any{"example.com/stay"}), func(map[string]any) {}},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		want := converted("v1", "v3", 5)
		tc.want(want.Object["metadata"].(map[string]any))
		got, err := newWebhook(t, tc.spoil).convertor(t, "v1").ConvertToVersion(widget("v1", 5), gv("v3"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(runtime.Object(want), got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
