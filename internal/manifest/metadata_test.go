package manifest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type metadataRow struct {
	testtable.Row
	metadata any
	want     []string
	fails    bool
}

func TestUnknownMetadata(t *testing.T) {
	t.Parallel()
	label := map[string]any{"a": "b"}
	testtable.Run(t, []metadataRow{
		{testtable.Row{"known", "the plain case"}, map[string]any{"labels": label}, nil, false},
		{testtable.Row{"unknown", "both are named"}, map[string]any{"lables": label, "nmae": "a"}, []string{"lables", "nmae"}, false},
		{testtable.Row{"unknown in a list", "the path says in which element"}, map[string]any{"ownerReferences": []any{map[string]any{"id": "a"}}}, []string{"ownerReferences[0].id"}, false},
		{testtable.Row{"wrong type", "nothing can be said of the fields"}, map[string]any{"labels": "a"}, nil, true},
		{testtable.Row{"no object", "nothing could be read from it"}, "a", nil, true},
		{testtable.Row{"null", "nothing could be read from it"}, nil, nil, true},
	}, func(t *testing.T, tc metadataRow) {
		got, err := manifest.UnknownMetadata(tc.metadata)
		if diff := cmp.Diff(tc.want, got); diff != "" || (err != nil) != tc.fails {
			t.Errorf("%s: got %q and error %v, want %q", tc.Why(), got, err, tc.want)
		}
	})
}
