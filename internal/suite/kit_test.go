package suite_test

import (
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/webhooktest"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// played says, in the process of a command, what kind of webhook it is.
const played = "GATEHOUSE_SUITE_WEBHOOK"

func TestMain(m *testing.M) {
	if kind := os.Getenv(played); kind != "" {
		fmt.Fprintln(os.Stderr, "ended:", playWebhook(kind))
		os.Exit(7)
	}
	leaktest.Main(m)
}

// playWebhook serves a webhook as authors of suites are told to; one that is
// "broken" does not, and one that is "brief" says which process it is and ends
// after its first answer.
func playWebhook(kind string) error {
	if kind == "broken" {
		return fmt.Errorf("it is broken")
	}
	h := http.Handler(answer(deny))
	if kind == "brief" {
		fmt.Println(os.Getpid())
		h = answer(func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
			time.AfterFunc(50*time.Millisecond, func() { os.Exit(7) })
			return reviewtest.Allow(r)
		})
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		return err
	}
	fmt.Println("serving")
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: time.Minute,
		// A client that probes the port may skip the handshake.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	return server.ServeTLS(listener, os.Getenv("TLS_CERT_FILE"), os.Getenv("TLS_KEY_FILE"))
}

// answer is what a webhook says to a review.
type answer = reviewtest.Answer

// deny says who asked for what.
func deny(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Result: &metav1.Status{
		Code: http.StatusForbidden, Message: fmt.Sprintf("%s %v %s %s/%s %t", r.UserInfo.Username, r.UserInfo.Groups, r.Operation, r.Namespace, r.Name, *r.DryRun),
	}}
}

// label labels objects with the user who asks.
func label(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	patch := fmt.Sprintf(`[{"op":"add","path":"/metadata/labels","value":{"by":%q}}]`, r.UserInfo.Username)
	return &admissionv1.AdmissionResponse{Allowed: true, Patch: []byte(patch), PatchType: new(admissionv1.PatchTypeJSONPatch)}
}

// picky denies objects whose names begin with "bad".
func picky(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	if strings.HasPrefix(r.Name, "bad") {
		return deny(r)
	}
	return reviewtest.Allow(r)
}

// hook is a webhook configuration. what is its kind, and more is said of the
// webhook.
func hook(what, configuration, name, client, more string) string {
	return fmt.Sprintf(`
apiVersion: admissionregistration.k8s.io/v1
kind: %sWebhookConfiguration
metadata: {name: %s}
webhooks:
- name: %s
  clientConfig: %s
  rules: [{apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"]}]
  sideEffects: None
  admissionReviewVersions: [v1]
%s
---
`, what, configuration, name, client, more)
}

// The files that suites of these tests name: label.yaml is called by its
// service, and policy.yaml by a URL.
func world() map[string]string {
	return map[string]string{
		"label.yaml":  hook("Mutating", "labels", "label.example.com", "{service: {name: label, namespace: webhooks, path: /label}}", ""),
		"policy.yaml": hook("Validating", "policies", "policy.example.com", `{url: "https://policy.example.com/policy"}`, ""),
	}
}

// folder writes files, and those of the world, and returns where.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	all := world()
	maps.Copy(all, files)
	for name, text := range all {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// head is how suites begin, and test what a suite says about a cluster and its
// cases.
const head = "apiVersion: gatehouse/v1alpha1\nkind: AdmissionTest\n"

// caseOf is a case of a suite that creates an object of a name.
func caseOf(name, expect string) string {
	return fmt.Sprintf("- name: %s\n  request: {object: {apiVersion: v1, kind: ConfigMap, metadata: {name: %s}}}\n  expect: %s\n", name, name, expect)
}

// load loads the only suite of a folder of files.
func load(t *testing.T, files map[string]string) *suite.Suite {
	t.Helper()
	suites, err := suite.Load([]string{folder(t, files)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(suites) != 1 {
		t.Fatalf("got %d suites", len(suites))
	}
	return suites[0]
}

// served is a webhooks entry of a suite for a server, whose CA is in ca.crt.
func served(name string, s *webhooktest.Server) (entry, ca string) {
	return fmt.Sprintf("- {name: %q, address: %q, caFile: ca.crt}\n", name, s.Address), string(s.CABundle)
}

// said returns the text of an error without the folder of the test.
func said(err error, root string) string {
	if err == nil {
		return ""
	}
	return strings.ReplaceAll(err.Error(), root+string(filepath.Separator), "")
}
