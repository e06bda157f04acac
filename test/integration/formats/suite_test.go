package formats

import (
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	suites "example.com/gatehouse/internal/cli/test"
)

// suiteCase is an output of gatehouse test.
type suiteCase struct {
	row
	// hook is the path of the webhook, exec a command instead of it, and cases
	// are those of the suite.
	hook, exec, cases string
	args              []string
	want              counts
}

func suiteCases() []suiteCase {
	const (
		request = "request: {object: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}"
		passes  = "- {name: passes, " + request + ", expect: {allowed: true}}\n"
		fails   = "- {name: fails, " + request + ", expect: {message: wrong}}\n"
	)
	return []suiteCase{
		{row: row{"all pass", "there is nothing to explain then"}, hook: "good", cases: passes, want: counts{passed: 1}},
		{row: row{"one fails", "it is explained"}, hook: "good", cases: passes + fails, want: counts{passed: 1, failed: 1}},
		{row: row{"not run", "a case that was not run is skipped"}, hook: "good", cases: fails + passes, args: []string{"--fail-fast"}, want: counts{failed: 1, skipped: 1}},
		{row: row{"hostile", "texts of webhooks must stay texts"}, hook: "hostile", cases: passes, want: counts{failed: 1}},
		{row: row{"names", "those of cases are texts, too"}, hook: "good", cases: `- {name: "]]></testcase> <&\"'\u202e", ` + request + ", expect: {message: wrong}}\n", want: counts{failed: 1}},
		{row: row{"not started", "a suite without webhooks has not passed"}, exec: `printf '\033]]>\377\0<'; exit 1`, cases: passes, want: counts{broken: 1, skipped: 1}},
		{row: row{"golden", "one that is no object is an error"}, hook: "good", cases: "- {name: broken, " + request + ", expect: {golden: broken.yaml}}\n- {name: missing, " + request + ", expect: {golden: a.yaml}}\n", want: counts{failed: 1, broken: 1}},
	}
}

// produce returns what the command prints about a case.
func (c *suiteCase) produce(t *testing.T, form string) []byte {
	t.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(handle))
	defer server.Close()
	folder := t.TempDir()
	write(t, folder, "ca.crt", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})))
	write(t, folder, "hooks.yaml", fmt.Sprintf(`apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: hook}
webhooks:
- name: hook.example.com
  clientConfig: {url: %q}
  rules: [{operations: ["*"], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`, server.URL+"/"+c.hook))
	write(t, folder, "broken.yaml", "[]\n")
	where := fmt.Sprintf("{address: %q, caFile: ca.crt}", server.Listener.Addr())
	if c.exec != "" {
		where = fmt.Sprintf("{exec: {command: [sh, -c, %q]}}", c.exec)
	}
	file := write(t, folder, "suite.yaml", fmt.Sprintf(`apiVersion: gatehouse/v1alpha1
kind: AdmissionTest
configurations: [hooks.yaml]
webhooks: [%s]
cases:
%s`, where, c.cases))
	return run(t, suites.New(), append([]string{"-o", form, file}, c.args...)...)
}
