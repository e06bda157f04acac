package audit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/record"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/replay"
)

// password is the data of Secrets. Nothing else contains it.
const password = "Zq7hunter2Wx"

// sort is a sort of objects.
type sort struct {
	path, apiVersion, kind, rest string
}

var sorts = []sort{
	{"/api/v1/namespaces/%s/configmaps", "v1", "ConfigMap", `"data":{"a":"b"}`},
	{"/apis/apps/v1/namespaces/%s/deployments", "apps/v1", "Deployment", `"spec":{"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"a","image":"b"}]}}}`},
	{"/apis/example.com/v1/namespaces/%s/widgets", "example.com/v1", "Widget", `"spec":{"parts":["a"]}`},
	{"/api/v1/namespaces/%s/secrets", "v1", "Secret", `"stringData":{"password":"` + password + `"}`},
}

// labels are those that webhooks and policies decide by.
var labels = []string{
	"", "", `"app":"web"`, `"tier":"back"`, `"keep":"yes"`, `"deny":"mutating"`, `"deny":"validating"`, `"deny":"policy"`,
	`"deny":"both"`, `"deny":"side"`, `"fail":"open"`, `"fail":"closed"`, `"fail":"open-later"`, `"fail":"closed-later"`,
	`"app":"web","tier":"back"`, `"bad":"not valid!"`,
}

// drawRequest sends a drawn request about an object in a namespace.
func (s *shopServer) drawRequest(t *rapid.T, namespace string) {
	of := rapid.SampledFrom(sorts).Draw(t, "sort")
	all := fmt.Sprintf(of.path, namespace)
	name := rapid.SampledFrom([]string{"x", "y"}).Draw(t, "name")
	label := rapid.SampledFrom(labels).Draw(t, "labels")
	query := rapid.SampledFrom([]string{"", "", "?fieldManager=m", "?dryRun=All"}).Draw(t, "query")
	body := func(metadata string) string {
		return fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{%s,"labels":{%s}},%s}`, of.apiVersion, of.kind, metadata, label, of.rest)
	}
	at := all + "/" + name
	verb := rapid.SampledFrom([]string{"create", "create", "generate", "put", "put", "merge", "strategic", "json", "apply", "delete", "collection", "status", "scale"}).Draw(t, "verb")
	if verb != "create" && rapid.IntRange(0, 3).Draw(t, "exists") > 0 {
		s.do(http.MethodPost, all, asJSON, fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{"name":%q},%s}`, of.apiVersion, of.kind, name, of.rest))
	}
	switch verb {
	case "create":
		s.do(http.MethodPost, all+query, asJSON, body(fmt.Sprintf(`"name":%q`, name)))
	case "generate":
		s.do(http.MethodPost, all+query, asJSON, body(`"generateName":"g-"`))
	case "put", "status":
		sub := ""
		if verb == "status" {
			sub = "/status"
		}
		s.do(http.MethodPut, at+sub+query, asJSON, s.drawUpdate(t, at, label, body(fmt.Sprintf(`"name":%q`, name))))
	case "merge":
		s.do(http.MethodPatch, at+query, string(types.MergePatchType), `{"metadata":{"labels":{`+label+`}}}`)
	case "strategic":
		s.do(http.MethodPatch, at+query, string(types.StrategicMergePatchType), `{"metadata":{"labels":{`+label+`}},"spec":{"template":{"spec":{"containers":[{"name":"a","image":"c"}]}}}}`)
	case "json":
		s.do(http.MethodPatch, at+query, string(types.JSONPatchType), `[{"op":"add","path":"/metadata/labels","value":{`+label+`}}]`)
	case "apply":
		s.do(http.MethodPatch, at+"?fieldManager=applier&force=true", string(types.ApplyYAMLPatchType), body(fmt.Sprintf(`"name":%q`, name)))
	case "delete":
		options := rapid.SampledFrom([]string{"", `{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Orphan"}`, `{"kind":"DeleteOptions","apiVersion":"meta.k8s.io/v1","gracePeriodSeconds":0,"preconditions":{"resourceVersion":"1"}}`}).Draw(t, "options")
		s.do(http.MethodDelete, at+rapid.SampledFrom([]string{"", "?dryRun=All", "?propagationPolicy=Background"}).Draw(t, "query"), asJSON, options)
	case "collection":
		s.do(http.MethodDelete, all+query, asJSON, "")
	case "scale":
		s.do(http.MethodPatch, at+"/scale", string(types.MergePatchType), `{"spec":{"replicas":3}}`)
	}
}

// drawUpdate returns the stored object with other labels, or one that is made without it.
func (s *shopServer) drawUpdate(t *rapid.T, at, label, otherwise string) string {
	object := s.stored(at)
	if object == nil || rapid.IntRange(0, 4).Draw(t, "otherwise") == 0 {
		return otherwise
	}
	metadata := object["metadata"].(map[string]any)
	var changed map[string]any
	if err := json.Unmarshal([]byte("{"+label+"}"), &changed); err != nil {
		t.Fatal(err)
	}
	metadata["labels"] = changed
	object["status"] = map[string]any{"observedGeneration": 1}
	switch rapid.SampledFrom([]string{"", "", "stale", "none"}).Draw(t, "resourceVersion") {
	case "stale":
		metadata["resourceVersion"] = "1"
	case "none":
		delete(metadata, "resourceVersion")
	}
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRecord: what is recorded of an audit log is what the server's webhooks received, and
// ends as the log says when it is replayed.
func TestRecord(t *testing.T) {
	t.Parallel()
	s := startShop(t, "apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: RequestResponse}]\n")
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		const enough = 40 // each has some requests
		if n++; n > enough {
			return
		}
		namespace := fmt.Sprint("shop-", n)
		guarded := rapid.SampledFrom([]string{"yes", "no"}).Draw(rt, "guarded")
		s.do(http.MethodPost, "/api/v1/namespaces", asJSON, fmt.Sprintf(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q,"labels":{"guarded":%q}}}`, namespace, guarded))
		for range rapid.IntRange(1, 8).Draw(rt, "requests") {
			s.drawRequest(rt, namespace)
		}
	})
	s.stop()
	folder := t.TempDir()
	report := recordLog(t, s.log, folder)
	entries := map[string]*corpus.Entry{}
	for e, err := range corpus.Read(folder) {
		if err != nil {
			t.Fatal(err)
		}
		entries[e.ID] = e
	}
	checkShare(t, report, len(entries))
	checkReviews(t, s, entries)
	checkVerdicts(t, s, folder, entries, false)
	checkVerdicts(t, s, folder, entries, true)
	for _, path := range must(filepath.Glob(folder + "/*"))(t) {
		text := must(os.ReadFile(path))(t)
		info := must(os.Stat(path))(t)
		if strings.Contains(string(text), password) || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has the data of a Secret, or may be read by others: %s", path, info.Mode())
		}
	}
}

// recordLog records the requests of a log.
func recordLog(t *testing.T, log, folder string) *record.Report {
	t.Helper()
	writer := must(corpus.Create(folder))(t)
	r := must(record.New(record.Config{Write: writer.Write}))(t)
	stats := must(auditlog.Read(context.Background(), auditlog.Input{Paths: []string{log}}, r.Add))(t)
	if err := writer.Close(); err != nil || stats.Broken > 0 {
		t.Fatal(err, stats.Problems)
	}
	return r.Report()
}

// checkShare: each request is recorded or counts for a reason, and most of those that
// admission decided are recorded.
func checkShare(t *testing.T, r *record.Report, entries int) {
	t.Helper()
	left, decided := 0, r.Recorded
	for _, l := range r.Left {
		t.Logf("%4d %s: %s (%s)", l.Requests, l.Reason, l.Text, l.Example)
		left += l.Requests
		switch l.Reason {
		case record.NoOldObject, record.PatchType, record.PatchResult, record.OtherWrite, record.Subresource:
			decided += l.Requests
		case record.Invalid, record.NoBody, record.NoResponse, record.Repeated, record.Version, record.Metadata, record.OtherRefusal:
			t.Errorf("%s is not expected: %s", l.Reason, l.Example)
		}
	}
	t.Logf("%4d recorded of %d, %d denied, %d assumed", r.Recorded, r.Requests, r.Denied, r.Assumed)
	if r.Recorded != entries || r.Recorded+left != r.Requests {
		t.Errorf("%d entries, %+v", entries, r)
	}
	const least = 80
	if r.Recorded*100 < decided*least || r.Denied == 0 {
		t.Errorf("only %d of %d requests are recorded", r.Recorded, decided)
	}
}

// reviewOf returns the request of an entry without what servers set in each write.
func reviewOf(t *testing.T, e *corpus.Entry) (user string, request map[string]any) {
	t.Helper()
	var review struct{ Request map[string]any }
	if err := json.Unmarshal(e.Review, &review); err != nil {
		t.Fatal(err)
	}
	delete(review.Request, "uid")
	for _, key := range []string{"object", "oldObject"} {
		object, _ := review.Request[key].(map[string]any)
		metadata, _ := object["metadata"].(map[string]any)
		delete(metadata, "managedFields")
		if review.Request["operation"] == string(admissionv1.Create) {
			delete(metadata, "creationTimestamp")
		}
	}
	return review.Request["userInfo"].(map[string]any)["username"].(string), review.Request
}

// checkReviews compares the requests with those that the server's webhooks received.
func checkReviews(t *testing.T, s *shopServer, entries map[string]*corpus.Entry) {
	t.Helper()
	received := map[string]map[string]any{}
	for e, err := range corpus.Read(s.recorded) {
		if err != nil {
			t.Fatal(err)
		}
		user, request := reviewOf(t, e)
		received[user] = request
	}
	compared := 0
	for _, e := range entries {
		user, request := reviewOf(t, e)
		if !strings.HasPrefix(user, "user-") {
			continue
		}
		compared++
		if d := cmp.Diff(received[user], request); d != "" {
			t.Errorf("%s by %s is not what webhooks received, -received +recorded:\n%s", e.Origin, user, d)
		}
	}
	if compared == 0 {
		t.Error("no request was compared")
	}
}

// checkVerdicts replays a corpus, by the webhooks or by their recorded answers.
func checkVerdicts(t *testing.T, s *shopServer, folder string, entries map[string]*corpus.Entry, recorded bool) {
	t.Helper()
	o := session.NewOptions()
	o.Configs, o.Stderr, o.Parallel = s.files, t.Output(), 2
	if !recorded {
		handler := webhooks()
		o.Client = client.InProcess(func(*admission.Webhook) http.Handler { return handler })
	}
	engine := must(replay.New(&replay.Options{Session: o, RecordedNamespaces: true, RecordedAnswers: recorded}))(t)
	defer engine.Close()
	decided := 0
	err := engine.Replay(t.Context(), corpus.Read(folder), func(r *replay.Result) error {
		want := entries[r.ID].Verdict
		switch {
		case r.Error != "":
			t.Errorf("%s: %s", r.Request, r.Error)
		case r.Undecided && recorded:
			return nil
		case r.Undecided || r.Allowed != want.Allowed || !r.Allowed && r.Status.Code != want.Status.Code && !strings.Contains(r.Status.Message, "no answer"):
			t.Errorf("%s: %s (answers recorded: %t): undecided %t, allowed %t, %v, want %t, %v", entries[r.ID].Origin, r.Request, recorded, r.Undecided, r.Allowed, r.Status, want.Allowed, want.Status)
		}
		decided++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("answers recorded: %t: %d of %d are decided", recorded, decided, len(entries))
	const least = 40
	if decided*100 < len(entries)*least {
		t.Errorf("only %d of %d are decided", decided, len(entries))
	}
}
