package pluginconfig_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/engine/pluginconfig"
	"example.com/gatehouse/internal/testutil/testtable"
)

// FuzzAdmission decodes any file as an AdmissionConfiguration. Nothing panics;
// there is one result for each plugin or an error; and one plugin's result does
// not depend on the order of calls.
func FuzzAdmission(f *testing.F) {
	for _, row := range admissionRows() {
		if file, ok := row.files["admission.yaml"]; ok {
			f.Add([]byte(file))
		}
	}
	f.Add([]byte(admission + "plugins:\n- &a {name: MutatingAdmissionWebhook, path: w.yaml}\n- {<<: *a, name: ValidatingAdmissionWebhook}\n- null\n"))
	f.Add([]byte(`{"apiVersion":"apiserver.config.k8s.io/v1","kind":"AdmissionConfiguration","plugins":[{"name":"MutatingAdmissionWebhook","configuration":null},{"name":"","path":"."}]}`))
	f.Add([]byte("\xef\xbb\xbf" + admission + "---\n" + admission))
	f.Add([]byte("k8s\x00\n\x00"))
	folder := f.TempDir()
	file := filepath.Join(folder, "admission.yaml")
	if err := os.WriteFile(filepath.Join(folder, "w.yaml"), []byte(webhooks+"kubeConfigFile: /w\n"), 0o600); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if bytes.Contains(input, []byte("/dev")) || bytes.Contains(input, []byte("/proc")) {
			t.Skip("devices may never end")
		}
		if err := os.WriteFile(file, input, 0o600); err != nil {
			t.Fatal(err)
		}
		const m, v = "MutatingAdmissionWebhook", "ValidatingAdmissionWebhook"
		both, err := pluginconfig.Admission(file, m, v)
		if (len(both) == 2) == (err != nil) {
			t.Fatalf("%d results and error %v", len(both), err)
		}
		reversed, reversedErr := pluginconfig.Admission(file, v, m)
		if (err == nil) != (reversedErr == nil) {
			t.Fatalf("error %v, and %v in the other order", err, reversedErr)
		}
		if err != nil {
			return
		}
		slices.Reverse(reversed)
		if diff := cmp.Diff(both, reversed); diff != "" {
			t.Errorf("the results depend on the order (-one +other):\n%s", diff)
		}
	})
}

// FuzzWebhooks decodes any bytes as a WebhookAdmissionConfiguration. Nothing
// panics, and an encoded result decodes to the same result.
func FuzzWebhooks(f *testing.F) {
	for _, text := range []string{
		webhooks, webhooks + "kubeConfigFile: /k\n", webhooks + "kubeConfigFile: k\n", webhooks + "staticManifestsDir: /tmp\n", webhooks + "kubeconfigfile: /k\n", webhooks + "kubeConfigFile: 7\n",
		fmt.Sprintf(inline, "/a\t/b"), fmt.Sprintf(inline, "[]"), admission, "", "null", "{}", "- a", webhooks + webhooks, "---\n" + webhooks + "---\nkind: x\n", "\xff\xfe", "k8s\x00",
		`{"kind":"WebhookAdmissionConfiguration","apiVersion":"apiserver.config.k8s.io/v1","kubeConfigFile":"/\u0000\ud800"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		c, err := pluginconfig.Webhooks(bytes.NewReader(input))
		if (c == nil) == (err == nil) {
			t.Fatalf("got %v and error %v", c, err)
		}
		if err != nil {
			if testtable.Text(err) == "" {
				t.Error("an error without a text")
			}
			return
		}
		written, err := json.Marshal(map[string]string{
			"apiVersion": "apiserver.config.k8s.io/v1", "kind": "WebhookAdmissionConfiguration",
			"kubeConfigFile": c.KubeConfigFile, "staticManifestsDir": c.StaticManifestsDir,
		})
		if err != nil {
			t.Fatal(err)
		}
		again, err := pluginconfig.Webhooks(strings.NewReader(string(written)))
		if err != nil {
			t.Fatalf("%v in %s", err, written)
		}
		if diff := cmp.Diff(c, again); diff != "" {
			t.Errorf("it has changed (-before +after):\n%s\n%s", diff, written)
		}
	})
}
