package source

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

func namespace(name string, labels map[string]string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
}

type labels = map[string]string

type fixedNamespacesCase struct {
	row
	given []*corev1.Namespace
	ask   string
	want  labels
	// invalid is the error of FixedNamespaces, err that of the lookup.
	invalid, err string
}

func TestFixedNamespaces(t *testing.T) {
	t.Parallel()
	testtable.Run(t, fixedNamespacesCases(), func(t *testing.T, tc fixedNamespacesCase) {
		fixed, err := FixedNamespaces(tc.given...)
		if diff := cmp.Diff(tc.invalid, testtable.Text(err)); diff != "" {
			t.Fatalf("FixedNamespaces (-want +got):\n%s", diff)
		}
		if err != nil {
			return
		}
		got, err := fixed.Labels(t.Context(), tc.ask)
		if diff := cmp.Diff(tc.err, testtable.Text(err)); diff != "" {
			t.Errorf("error (-want +got):\n%s", diff)
		}
		if err != nil && !apierrors.IsNotFound(err) {
			t.Errorf("%T is not a NotFound status, so clients would see a 500", err)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("labels (-want +got):\n%s", diff)
		}
	})
}

func fixedNamespacesCases() []fixedNamespacesCase {
	return []fixedNamespacesCase{{
		row: row{"unknown", "the 404 of the namespace becomes the answer to the client (S-094)"},
		ask: "nope",
		err: `namespaces "nope" not found`,
	}, {
		row:   row{"without labels", "an API server labels every namespace with its name"},
		given: []*corev1.Namespace{namespace("a", nil)},
		ask:   "a",
		want:  labels{"kubernetes.io/metadata.name": "a"},
	}, {
		row:   row{"with labels", "the name is added to what is there"},
		given: []*corev1.Namespace{namespace("b", labels{"x": "y"}), namespace("a", labels{"team": "blue"})},
		ask:   "a",
		want:  labels{"kubernetes.io/metadata.name": "a", "team": "blue"},
	}, {
		row:   row{"false name label", "an API server does not accept another name label"},
		given: []*corev1.Namespace{namespace("a", labels{"kubernetes.io/metadata.name": "b"})},
		ask:   "a",
		want:  labels{"kubernetes.io/metadata.name": "a"},
	}, {
		row:     row{"nil, nameless, twice", "each of them is a mistake that would otherwise hide"},
		given:   []*corev1.Namespace{nil, namespace("a", nil), namespace("", nil), namespace("a", nil)},
		invalid: "namespace 1: is nil\nnamespace 3: has no name\nnamespace 4: \"a\" is given twice",
	}}
}

func TestFixedNamespacesCopiesLabels(t *testing.T) {
	t.Parallel()
	given := namespace("a", labels{"team": "blue"})
	fixed, err := FixedNamespaces(given)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(labels{"team": "blue"}, given.Labels); diff != "" {
		t.Errorf("the caller's namespace was labelled (-want +got):\n%s", diff)
	}
	given.Labels["team"] = "red"
	got, err := fixed.Labels(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(labels{"kubernetes.io/metadata.name": "a", "team": "blue"}, got); diff != "" {
		t.Errorf("the caller's later change reached the list (-want +got):\n%s", diff)
	}
}

// lookup is a matching.Namespaces made of one function.
type lookup func(ctx context.Context, name string) (labels, error)

func (l lookup) Labels(ctx context.Context, name string) (labels, error) { return l(ctx, name) }

func answer(l labels, err error) lookup {
	return func(context.Context, string) (labels, error) { return l, err }
}

func notFound(name string) error { return apierrors.NewNotFound(corev1.Resource("namespaces"), name) }

type liveNamespacesCase struct {
	row
	cached, live lookup
	want         labels
	err          string
	askedLive    bool
}

func TestLiveNamespaces(t *testing.T) {
	t.Parallel()
	testtable.Run(t, liveNamespacesCases(), func(t *testing.T, tc liveNamespacesCase) {
		type key struct{}
		ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "the request's own"))
		cancel()
		askedLive := false
		live := lookup(func(ctx context.Context, name string) (labels, error) {
			askedLive = true
			if ctx.Value(key{}) == nil || ctx.Err() == nil || name != "a" {
				t.Errorf("live received a lookup of %q without the context of the request", name)
			}
			return tc.live(ctx, name)
		})

		got, err := LiveNamespaces(tc.cached, live).Labels(ctx, "a")
		if diff := cmp.Diff(tc.err, testtable.Text(err)); diff != "" {
			t.Errorf("error (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("labels (-want +got):\n%s", diff)
		}
		if askedLive != tc.askedLive {
			t.Errorf("lookup in live: %t, want %t", askedLive, tc.askedLive)
		}
	})
}

func liveNamespacesCases() []liveNamespacesCase {
	return []liveNamespacesCase{{
		row:    row{"cached", "what the cache knows costs no request, even if it is old (S-095)"},
		cached: answer(labels{"from": "cache"}, nil),
		live:   answer(labels{"from": "live"}, nil),
		want:   labels{"from": "cache"},
	}, {
		row:       row{"too young for the cache", "a namespace may have been created a moment ago (S-094)"},
		cached:    answer(nil, notFound("a")),
		live:      answer(labels{"from": "live"}, nil),
		want:      labels{"from": "live"},
		askedLive: true,
	}, {
		row:       row{"nowhere", "only the live answer can say that there is no such namespace (S-094)"},
		cached:    answer(nil, notFound("a")),
		live:      answer(nil, notFound("a")),
		err:       `namespaces "a" not found`,
		askedLive: true,
	}, {
		row:       row{"live fails", "the error of the live request is the answer (S-094)"},
		cached:    answer(nil, notFound("a")),
		live:      answer(nil, errors.New("connection refused")),
		err:       "connection refused",
		askedLive: true,
	}, {
		row:    row{"cache fails", "a broken cache is not a missing namespace (S-094)"},
		cached: answer(nil, errors.New("the index is gone")),
		live:   answer(labels{"from": "live"}, nil),
		err:    "the index is gone",
	}}
}
