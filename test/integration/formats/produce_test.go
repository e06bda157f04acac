package formats

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/conformance"
	"example.com/gatehouse/internal/cli/explain"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// useCase is an output of the command.
type useCase struct {
	row
	// hooks are the paths of the mutating webhooks, only the checks, by default
	// all.
	hooks []string
	only  string
	// more is what else is in the configurations.
	more string
}

func useCases() []useCase {
	return []useCase{
		{row: row{"nothing wrong", "there are no results then"}, hooks: []string{"good"}, only: "C-UID,C-STATUS"},
		{row: row{"a must and a should", "they are different things"}, hooks: []string{"good", "sloppy"}, only: "C-UID,C-DENIAL,C-ORDER"},
		{row: row{"hostile", "texts of webhooks must stay texts"}, hooks: []string{"hostile"}, only: "C-UID,C-DENIAL,C-STATUS"},
		{row: row{"page", "an answer may be no JSON"}, hooks: []string{"page"}, only: "C-ANSWER"},
		{row: row{"unvisited", "a webhook that was not looked at has not passed"}, hooks: []string{"good"}, only: "C-UID", more: unvisited},
		{row: row{"everything", "that is what people run"}, hooks: []string{"good", "sloppy"}},
	}
}

// unvisited is a webhook for what no sample is.
const unvisited = `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: unvisited}
webhooks:
- name: unvisited.example.com
  clientConfig: {url: "https://127.0.0.1:1/"}
  rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [secrets]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`

// handle answers as the path says.
func handle(w http.ResponseWriter, r *http.Request) {
	var review struct{ Request struct{ UID string } }
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	response := map[string]any{"uid": review.Request.UID, "allowed": true}
	switch r.URL.Path {
	case "/sloppy":
		response = map[string]any{"uid": "sloppy"}
	case "/hostile":
		response = map[string]any{"uid": "]]></system-out><x a='b'>\x1b[31m\x00\ufffe \" & \u2028", "status": map[string]any{"message": "\r\n\t"}}
	case "/page":
		fmt.Fprint(w, "<html>\x00\xff]]></html>")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response})
}

// produce returns what the command prints about a case. All webhooks are in a
// folder whose name is none for a URI.
func (c *useCase) produce(t *testing.T, form string) []byte {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(handle))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // checks do what is worth a line
	server.StartTLS()
	defer server.Close()
	folder := filepath.Join(t.TempDir(), "a b?#")
	configs := c.more
	for _, hook := range c.hooks {
		configs += fmt.Sprintf(`---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: %[1]s}
webhooks:
- name: %[1]s.example.com
  clientConfig: {url: %[2]q}
  rules: [{operations: ["*"], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`, hook, server.URL+"/"+hook)
	}
	config := write(t, folder, "hooks.yaml", configs)
	sample := write(t, folder, "map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
	block := &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}
	ca := write(t, folder, "ca.crt", string(pem.EncodeToMemory(block)))
	args := []string{"-f", config, "--ca-file", ca, "-o", form, "--calls", "5", sample}
	if c.only != "" {
		args = append(args, "--only", c.only)
	}
	return run(t, conformance.New(), args...)
}

// explanation returns what explain prints about a webhook that cannot be
// reached.
func explanation(t *testing.T) []byte {
	t.Helper()
	folder := t.TempDir()
	config := write(t, folder, "hooks.yaml", strings.TrimPrefix(unvisited, "---\n"))
	sample := write(t, folder, "secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: b}\n")
	return run(t, explain.New(), "-f", config, "-o", "json", "--bodies", sample)
}

func write(t *testing.T, folder, name, text string) string {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a command, which may say no.
func run(t *testing.T, cmd *cobra.Command, args ...string) []byte {
	t.Helper()
	var stdout bytes.Buffer
	cmd.SetArgs(args)
	cmd.SetOut(&stdout)
	cmd.SetErr(t.Output())
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.ExecuteContext(t.Context())
	var input *message.InputError
	if err != nil && !errors.Is(err, message.ErrDenied) && (!errors.As(err, &input) || stdout.Len() == 0) {
		t.Fatal(err)
	}
	return stdout.Bytes()
}
