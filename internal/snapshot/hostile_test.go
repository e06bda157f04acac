package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/internal/testutil/testtable"
)

const namespacesPath = "/api/v1/namespaces"

// namespaces returns a list with further fields of its metadata.
func namespaces(metadata string, names ...string) string {
	var items []string
	for _, n := range names {
		items = append(items, fmt.Sprintf("{metadata: {name: %s}}", n))
	}
	return fmt.Sprintf("{kind: NamespaceList, metadata: {%s}, items: [%s]}", metadata, strings.Join(items, ", "))
}

// TestHostile: whatever a server answers, there is an error in one line that says what it
// is about.
func TestHostile(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		handler http.HandlerFunc
		want    string
	}
	text := func(kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, body)
		}
	}
	list := func(object string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { answer(w, object) }
	}
	const asks = ": is this an API server?"
	testtable.Run(t, []test{
		{row{"page of HTML", "a proxy that wants a login"}, text("text/html", "<p>"),
			`the answer is "text/html" and not application/json` + asks},
		{row{"binary", "it would not be decoded"}, text("application/vnd.kubernetes.protobuf", "k8s\x00"),
			`the answer is "application/vnd.kubernetes.protobuf" and not application/json` + asks},
		{row{"no type", "the text of Go's guess"}, text("?", "{}"), "Internal error occurred: mime: no media type"},
		{row{"no JSON", "cut off"}, text("application/json", `{"kind": "NamespaceList", "items": [`),
			"the answer is not the JSON of an API server"},
		{row{"wrong JSON", "items is no list"}, text("application/json", `{"items": {}}`),
			"the answer is not the JSON of an API server"},
		{row{"deep", "it would exhaust the stack"}, text("application/json", strings.Repeat("[", 1<<20)),
			"the answer is not the JSON of an API server"},
		{row{"other kind", "a mistake in a proxy"}, list("{kind: PodList}"), `the answer is a "PodList" and not a NamespaceList` + asks},
		{row{"no name", "it could not be told from others"}, list("{kind: NamespaceList, items: [{}]}"),
			"an object of the answer has no name" + asks},
		{row{"null", "an item that is none"}, list("{kind: NamespaceList, items: [null]}"),
			"an object of the answer has no name" + asks},
		{row{"wrong type", "gatehouse could not read the snapshot"},
			list("{kind: NamespaceList, items: [{metadata: {name: a}, spec: [topsecret]}]}"),
			"a: it is not a Namespace of this version" + asks},
		{row{"same page", "it would not end"}, list(namespaces("continue: a", "a")), "the answer is the same page again"},
		{row{"huge", "it would exhaust the memory"}, text("application/json", strings.Repeat(" ", 2<<20)),
			"the answer is larger than 1 MiB"},
		{row{"huge error", "as above"}, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, strings.Repeat(" ", 2<<20))
		}, "the answer is larger than 1 MiB"},
		{row{"redirect", "the credentials would go there"}, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
		}, "it redirects to another URL" + asks},
		{row{"unauthorized", "a user looks at the credentials then"}, func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, apierrors.NewUnauthorized("no"))
		}, "the API server does not accept the credentials of the user"},
		{row{"lines", "each would be a problem of its own"}, func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, apierrors.NewBadRequest("a\n\n b"))
		}, "a b"},
		{row{"long", "it would fill the terminal"}, func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, apierrors.NewBadRequest(strings.Repeat("é", 5000)))
		}, strings.Repeat("é", 1000) + "…"},
	}, func(t *testing.T, tc test) {
		s := &server{handlers: map[string]http.HandlerFunc{namespacesPath: tc.handler}}
		_, err := Read(t.Context(), Config{Client: s.start(t), maxAnswer: 1 << 20})
		got := strings.ReplaceAll(testtable.Text(err), `Get "`+namespacesPath, "")
		if _, after, found := strings.Cut(got, `": `); strings.HasPrefix(got, `reading namespaces: Get "`) && found {
			got = "reading namespaces: " + after // without the URL
		}
		if want := "reading namespaces: " + tc.want; got != want {
			t.Errorf("%s: got %q, want %q", tc.Why(), got, want)
		}
	})
}

// TestEnds: servers that never come to an end are left when the time is over.
func TestEnds(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		// handler calls over when the time is over.
		handler func(over func()) http.HandlerFunc
	}
	testtable.Run(t, []test{
		{row{"hangs", "no answer"}, func(over func()) http.HandlerFunc {
			return func(_ http.ResponseWriter, r *http.Request) {
				over()
				<-r.Context().Done()
			}
		}},
		{row{"hangs in the answer", "a part of the answer"}, func(over func()) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"kind":`)
				_ = http.NewResponseController(w).Flush()
				over()
				<-r.Context().Done()
			}
		}},
		{row{"asks to wait", "Retry-After is obeyed, but not longer"}, func(over func()) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", "100000")
				w.WriteHeader(http.StatusTooManyRequests)
				over()
			}
		}},
		{row{"endless list", "every page has another one"}, func(over func()) http.HandlerFunc {
			pages := 0
			return func(w http.ResponseWriter, _ *http.Request) {
				if pages++; pages == 100 {
					over()
				}
				answer(w, namespaces(fmt.Sprintf("continue: t%d", pages)))
			}
		}},
	}, func(t *testing.T, tc test) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		over := errors.New("the time is over")
		s := &server{handlers: map[string]http.HandlerFunc{
			namespacesPath: tc.handler(func() { cancel(over) }),
		}}
		_, err := Read(ctx, Config{Client: s.start(t)})
		if got, want := testtable.Text(err), "reading namespaces: the time is over"; got != want {
			t.Errorf("%s: got %q, want %q", tc.Why(), got, want)
		}
	})
}

// TestEndlessObjects: a list that has ever more objects exhausts a limit.
func TestEndlessObjects(t *testing.T) {
	t.Parallel()
	pages := 0
	s := &server{handlers: map[string]http.HandlerFunc{namespacesPath: func(w http.ResponseWriter, _ *http.Request) {
		pages++
		var names []string
		for i := range 200 {
			names = append(names, fmt.Sprintf("%s-%d-%d", strings.Repeat("n", 200), pages, i))
		}
		answer(w, namespaces(fmt.Sprintf("continue: t%d", pages), names...))
	}}}
	_, err := Read(t.Context(), Config{Client: s.start(t), maxSize: 1 << 20})
	if got, want := testtable.Text(err), "reading namespaces: the snapshot is larger than 1 MiB"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestNoAPIServer: a web server is not taken for a cluster without objects.
func TestNoAPIServer(t *testing.T) {
	t.Parallel()
	s := &server{}
	for path := range s.served() {
		s.missing = append(s.missing, path)
	}
	_, err := read(t, s)
	if got, want := testtable.Text(err), "the server serves none of the kinds: is this an API server?"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSecretIsNotQuoted: no error has what a server sends as a Secret.
func TestSecretIsNotQuoted(t *testing.T) {
	t.Parallel()
	for _, object := range []string{
		`{data: {tls.key: dG9wc2VjcmV0}}`, `{kind: Secret, data: topsecret}`, `{kind: Secret, data: {tls.crt: topsecret!}}`,
		`{kind: Secret, metadata: {namespace: b, name: a}, stringData: {a: topsecret}}`, `[topsecret]`,
	} {
		s := &server{objects: map[string]string{"/api/v1/namespaces/a/secrets/b": object}}
		_, err := Read(t.Context(), Config{Client: s.start(t), Secrets: []types.NamespacedName{{Namespace: "a", Name: "b"}}})
		if got := testtable.Text(err); !strings.HasPrefix(got, "reading Secret a/b: the answer is ") ||
			strings.Contains(got, "topsecret") || strings.Contains(got, "dG9w") {
			t.Errorf("%s: got %q", object, got)
		}
	}
}

// TestHostileNames: names of a server do not lead out of the folder.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	const group = "/apis/x.example.com/v1"
	s := &server{objects: map[string]string{
		root(schema.GroupVersion{Group: kinds[0].Group, Version: "v1"}) + "/validatingadmissionpolicies": `
kind: ValidatingAdmissionPolicyList
items:
- {metadata: {name: a}, spec: {paramKind: {apiVersion: x.example.com/v1, kind: X}}}
- {metadata: {name: b}, spec: {paramKind: {apiVersion: ../../v1, kind: X}}}
- {metadata: {name: c}, spec: {paramKind: {apiVersion: a/b/c, kind: "X\n\e[2J"}}}
- {metadata: {name: d}, spec: {paramKind: {apiVersion: x.example.com/v1, kind: "Y\n\e[2J"}}}
`,
		root(schema.GroupVersion{Group: kinds[0].Group, Version: "v1"}) + "/validatingadmissionpolicybindings": `
kind: ValidatingAdmissionPolicyBindingList
items:
- {metadata: {name: a}, spec: {policyName: a, paramRef: {name: x}}}
- {metadata: {name: b}, spec: {policyName: b, paramRef: {name: x}}}
- {metadata: {name: c}, spec: {policyName: c, paramRef: {name: x}}}
- {metadata: {name: d}, spec: {policyName: d, paramRef: {name: x}}}
`,
		group: `{kind: APIResourceList, resources: [{name: ../../x, kind: X}, {name: x/status, kind: X}]}`,
	}}
	got, err := read(t, s)
	if err != nil {
		t.Fatal(err)
	}
	want := `params of X in x.example.com/v1: left out, because the server does not serve it
params of "X" in "../../v1": left out, because the version is not valid
params of "X\n\x1b[2J" in "a/b/c": left out, because the version is not valid
params of Y\n\x1b[2J in x.example.com/v1: left out, because the server does not serve it`
	if notices := strings.Join(got.Notices, "\n"); notices != want {
		t.Errorf("got\n%s\nwant\n%s", notices, want)
	}
}
