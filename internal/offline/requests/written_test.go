package requests_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/testutil/testtable"
)

// writtenRow is a request and the result of Written.
type writtenRow struct {
	row
	settings     settings
	text, stored string
	want         string
}

func TestWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settling()...)
	testtable.Run(t, writtenRows(), func(t *testing.T, tc writtenRow) {
		maker := requests.New(w.kinds, w.merger, tc.settings)
		made, err := maker.Make(w.sources(t, "in.yaml", tc.text), w.sources(t, "old.yaml", tc.stored))
		if err != nil || len(made) != 1 {
			t.Fatalf("%d requests, error %v", len(made), err)
		}
		if got := shape(t, made[0].Written); got != tc.want {
			t.Errorf("got %s\nwant %s", got, tc.want)
		}
		if text := shape(t, made[0].Object); tc.want != "nothing" && !strings.Contains(text, "protocol") {
			t.Errorf("the request's own has lost its defaults: %s", text)
		}
	})
}

func writtenRows() []writtenRow {
	const (
		service = "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{port: 1}]}}\n"
		bare    = `{"kind":"Service","metadata":{"name":"a"},"spec":{"ports":[{"port":1,"targetPort":0}]}}`
		// merged has been defaulted, by merging.
		merged = `{"kind":"Service","metadata":{"name":"a"},"spec":{"internalTrafficPolicy":"Cluster","ports":[{"port":2,"protocol":"TCP","targetPort":2}],"sessionAffinity":"None","type":"ClusterIP"}}`
	)
	return []writtenRow{
		{row{"create", "defaults are the server's"}, ann(), service, "", bare},
		{row{"update", "of the new object"}, ann(), service, service, bare},
		{row{"file", "requests are written, too"}, ann(), head + "object: " + service, "", bare},
		{row{"patch", "a client wrote the patch"}, with(func(s *settings) {
			s.Patch = &requests.Patch{Type: types.MergePatchType, JSON: []byte(`{"spec":{"ports":[{"port":2}]}}`)}
		}), service, "", merged},
		{row{"delete", "nothing is written"}, with(func(s *settings) { s.Operation = "DELETE" }), service, "", "nothing"},
		{row{"scale", "what was written is of another kind"}, with(func(s *settings) { s.Subresource = "scale" }), grown, deployed, "nothing"},
	}
}

// TestWrittenNamespace: clients write the namespace of a request into the
// object.
func TestWrittenNamespace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	maker := requests.New(w.kinds, w.merger, ann())
	made, err := maker.Make(w.sources(t, "in.yaml", config), nil)
	if err != nil {
		t.Fatal(err)
	}
	namespaced, ok := made[0].Written.(interface{ GetNamespace() string })
	if !ok || namespaced.GetNamespace() != "shop" {
		t.Errorf("got %#v, want the namespace shop", made[0].Written)
	}
}
