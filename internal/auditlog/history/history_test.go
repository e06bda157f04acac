package history_test

import (
	"context"
	"strings"
	"testing"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/history"
	"example.com/gatehouse/internal/testutil/audittest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// entriesOf returns the requests in a log for an object.
func entriesOf(t *testing.T, log, object string, options ...explain.Option) []history.Entry {
	t.Helper()
	query, err := history.ParseQuery(object)
	if err != nil {
		t.Fatal(err)
	}
	h := history.New(query)
	stats, err := auditlog.Read(context.Background(), auditlog.Input{Paths: []string{"-"}, Stdin: strings.NewReader(log)},
		func(e *auditlog.Event) error {
			h.Add(e)
			return nil
		})
	if err != nil || stats.Broken > 0 {
		t.Fatal(err, stats.Problems)
	}
	entries, err := h.Entries(options...)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

type queryRow struct {
	row
	text, want string
}

func TestParseQuery(t *testing.T) {
	t.Parallel()
	var log audittest.Log
	log.Add("update", "ann", `{}`)
	log.Add("update", "ann", `{}`, audittest.Of("", "nodes", "", "web"))
	log.Add("update", "ann", `{}`, audittest.Of("networking.k8s.io", "networkpolicies", "shop", "web"))
	log.Add("create", "ann", `{}`, audittest.Of("", "pods", "shop", ""), audittest.Answer(`{"metadata":{"name":"web-x"}}`))
	testtable.Run(t, []queryRow{
		{row{"kind", "as in a manifest"}, "Deployment/shop/web", "id-1"},
		{row{"resource", "as in a URL"}, "deployments/shop/web", "id-1"},
		{row{"group", "kinds of several groups may have the name"}, "deployments.apps/shop/web", "id-1"},
		{row{"another group", "it is another kind"}, "deployments.example.com/shop/web", ""},
		{row{"blank", "as for kubectl"}, "deployment shop/web", "id-1"},
		{row{"cluster", "no namespace"}, "node/web", "id-2"},
		{row{"plural in -ies", "the kind is NetworkPolicy"}, "networkpolicy/shop/web", "id-3"},
		{row{"generated name", "the answer has it"}, "pod/shop/web-x", "id-4"},
		{row{"another namespace", "it is another object"}, "deployment/web/web", ""},
		{row{"no name", "it is required"}, "deployment", "error"},
		{row{"empty namespace", "a mistake"}, "deployment//web", "error"},
		{row{"too many parts", "a name has no slash"}, "deployment/shop/web/status", "error"},
		{row{"empty", "a mistake"}, "", "error"},
	}, func(t *testing.T, tc queryRow) {
		if _, err := history.ParseQuery(tc.text); err != nil {
			if tc.want != "error" {
				t.Error(err)
			}
			return
		}
		got := ""
		for _, entry := range entriesOf(t, log.Text(), tc.text) {
			got += entry.AuditID
		}
		if got != tc.want {
			t.Errorf("got %q", got)
		}
	})
}

// widgetWith is a custom object with a value, and labels.
func widgetWith(value, labels string) string {
	return `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w","labels":{` + labels + `}},"spec":{"v":"` + value + `"}}`
}

type entryRow struct {
	row
	events func(*audittest.Log)
	// want is the writer of spec.v in the last request with its problems.
	want string
}

func TestEntries(t *testing.T) {
	t.Parallel()
	of := audittest.Of("example.com", "widgets", "shop", "w")
	const set = `[{"op":"replace","path":"/spec/v","value":"h"}]`
	hook := audittest.Called(0, "hook", set)
	testtable.Run(t, []entryRow{
		{row{"creation", "the body is the object"}, func(l *audittest.Log) {
			l.Add("create", "ann", widgetWith("u", ``), of, hook, audittest.Answer(widgetWith("h", ``)))
		}, "webhook hook after user"},
		{row{"update without an earlier event", "no event has the old object"}, func(l *audittest.Log) {
			l.Add("update", "ann", widgetWith("u", ``), of)
		}, "user; the log does not have the old object: all fields of the request are shown as the user's"},
		{row{"update", "the answer before is what was stored"}, func(l *audittest.Log) {
			l.Add("create", "ann", widgetWith("u", ``), of)
			l.Add("update", "ann", widgetWith("u", `"a":"b"`), of)
		}, "stored"},
		{row{"merge patch", "it is merged into what was stored"}, func(l *audittest.Log) {
			l.Add("create", "ann", widgetWith("u", ``), of)
			l.Add("patch", "ann", `{"spec":{"v":"p"}}`, of, audittest.Answer(widgetWith("p", ``)))
		}, "user after stored"},
		{row{"JSON patch", "a list"}, func(l *audittest.Log) {
			l.Add("create", "ann", widgetWith("u", ``), of)
			l.Add("patch", "ann", `[{"op":"replace","path":"/spec/v","value":"p"}]`, of, audittest.Answer(widgetWith("p", ``)))
		}, "user after stored"},
		{row{"patch alone", "what it was applied to is not known"}, func(l *audittest.Log) {
			l.Add("patch", "ann", `{"spec":{"v":"p"}}`, of, audittest.Answer(widgetWith("p", ``)))
		}, "; the log has the patch of this request, but not the old object: the writers of fields are unknown"},
		{row{"patch that does not apply", "another server's, or an event is missing"}, func(l *audittest.Log) {
			l.Add("create", "ann", widgetWith("u", ``), of)
			l.Add("patch", "ann", `[{"op":"replace","path":"/spec/x/y","value":"p"}]`, of)
		}, "; the patch of the request does not apply to the old object: the writers of fields are unknown"},
		{row{"dry run", "nothing was stored"}, func(l *audittest.Log) {
			l.Add("create", "ann", widgetWith("u", ``), of)
			l.Add("update", "ann", widgetWith("x", ``), of, audittest.Query("dryRun=All"))
			l.Add("update", "ann", widgetWith("u", ``), of)
		}, "stored"},
		{row{"deleted", "the new object has no history"}, func(l *audittest.Log) {
			l.Add("create", "ann", widgetWith("u", ``), of)
			l.Add("delete", "ann", ``, of)
			l.Add("create", "ann", widgetWith("u", ``), of)
		}, "user"},
		{row{"Metadata", "there is nothing to show"}, func(l *audittest.Log) {
			l.Add("create", "ann", widgetWith("u", ``), of, hook, audittest.AtMetadata())
		}, "; the event is at the level Metadata: without patches and bodies"},
		{row{"Request", "there is no answer"}, func(l *audittest.Log) {
			l.Add("create", "ann", widgetWith("u", ``), of, hook, func(e *auditv1.Event) { e.Level, e.ResponseObject = auditv1.LevelRequest, nil })
		}, "webhook hook after user; the event is at the level Request: what was stored is not in the log"},
		{row{"truncated", "the backend dropped the bodies"}, func(l *audittest.Log) {
			l.Add("create", "ann", ``, of, hook, audittest.Annotated("audit.k8s.io/truncated", "true"))
		}, "; the log's backend dropped the bodies of this event, because it was too large"},
		{row{"another value was stored", "the webhook saw an object in another version, or the server changed the value"}, func(l *audittest.Log) {
			l.Add("create", "ann", widgetWith("u", ``), of, hook, audittest.Answer(widgetWith("s", ``)))
		}, "server after webhook hook after user; the stored value of spec.v is not the one that hook wrote"},
		{row{"defaulted before", "the patch is for an object with defaults"}, func(l *audittest.Log) {
			l.Add("create", "ann", `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"}}`, of, hook, audittest.Answer(widgetWith("h", ``)))
		}, "webhook hook; the patch of hook in round 0 does not apply to the object in the log, which the server may have defaulted or converted: only some operations are applied"},
		{row{"refused", "the object is the last known state"}, func(l *audittest.Log) {
			l.Add("create", "ann", widgetWith("u", ``), of, hook, audittest.Refused(403, "no"))
		}, "webhook hook after user"},
		{row{"no object", "a body may be anything"}, func(l *audittest.Log) {
			l.Add("update", "ann", `"x"`, of)
		}, "; the log does not have the old object: all fields of the request are shown as the user's; the body of the request is not an object"},
	}, func(t *testing.T, tc entryRow) {
		var log audittest.Log
		tc.events(&log)
		entries := entriesOf(t, log.Text(), "widget/shop/w")
		e := entries[len(entries)-1].Explanation
		if got := strings.Join(append([]string{writersOf(e, "spec.v")}, e.Problems...), "; "); got != tc.want {
			t.Errorf("got  %s\nwant %s", got, tc.want)
		}
	})
}

// writersOf returns the writers of a field, the last one first.
func writersOf(e *explain.Explanation, path string) string {
	var names []string
	for _, f := range e.Fields {
		if f.Path != path {
			continue
		}
		writers := []explain.Writer{f.Writer}
		for i := len(f.Earlier) - 1; i >= 0; i-- {
			writers = append(writers, f.Earlier[i].Writer)
		}
		for _, w := range writers {
			names = append(names, strings.TrimSpace(w.By+" "+w.Webhook))
		}
	}
	return strings.Join(names, " after ")
}
