package merge

import (
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/internal/testutil/testtable"
)

type typeRow struct {
	row
	text string
	want types.PatchType
}

func TestParseType(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []typeRow{
		{row{"json", "a name of kubectl"}, "json", types.JSONPatchType},
		{row{"merge", "a name of kubectl"}, "merge", types.MergePatchType},
		{row{"strategic", "a name of kubectl"}, "strategic", types.StrategicMergePatchType},
		{row{"media type", "a name of the API"}, "application/json-patch+json", types.JSONPatchType},
		{row{"parameters", "a server leaves them out"}, "application/merge-patch+json; charset=utf-8", types.MergePatchType},
		{row{"apply", "it is no patch of an object"}, "application/apply-patch+yaml", ""},
		{row{"name with parameters", "names have none"}, "json;x", ""},
		{row{"nothing", "there is no default"}, "", ""},
	}, func(t *testing.T, tc typeRow) {
		got, err := ParseType(tc.text)
		if got != tc.want || (err == nil) != (tc.want != "") {
			t.Errorf("got %q and error %v, want %q", got, err, tc.want)
		}
	})
}

// TestUnknownType has a type that ParseType would not have returned.
func TestUnknownType(t *testing.T) {
	t.Parallel()
	_, err := merger(t, false).Patch(object(t, deployment), []byte(`{}`), "text/plain", Options{})
	const want = "415 the body of the request was in an unknown format - accepted media types include: " +
		"application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml"
	if coding(err) != want {
		t.Errorf("error\n%s\nwant\n%s", coding(err), want)
	}
}
