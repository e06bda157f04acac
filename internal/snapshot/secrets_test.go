package snapshot

import (
	"bytes"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"
)

// TestSecrets: certificates are written, and nothing else of a Secret.
func TestSecrets(t *testing.T) {
	t.Parallel()
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("certificate")})
	key := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("topsecret")})
	encoded := func(parts ...[]byte) string {
		return base64.StdEncoding.EncodeToString(bytes.Join(parts, nil))
	}
	s := &server{objects: map[string]string{"/api/v1/namespaces/a/secrets/b": fmt.Sprintf(`
kind: Secret
type: kubernetes.io/tls
metadata:
  namespace: a
  name: b
  labels: {team: x}
  annotations: {backup: topsecret}
data: {tls.crt: %s, tls.key: %s, ca.crt: %s, password: %s}
`, encoded(certificate, key, []byte("topsecret\n"), certificate), encoded(key), encoded([]byte("topsecret")), encoded([]byte("topsecret")))}}
	files := mustRead(t, Config{
		Client: s.start(t), Secrets: []types.NamespacedName{{Namespace: "a", Name: "b"}},
	})
	if got, want := files["secrets.yaml"], `---
apiVersion: v1
data:
  tls.crt: `+encoded(certificate, certificate)+`
kind: Secret
metadata:
  labels:
    team: x
  name: b
  namespace: a
type: Opaque
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(files[aboutFile], "Secret a/b: tls.crt has more than certificates: the rest is left out") {
		t.Errorf("got\n%s", files[aboutFile])
	}
	for name, text := range files {
		if strings.Contains(text, "topsecret") || strings.Contains(text, strings.TrimRight(encoded([]byte("topsecret")), "=")) {
			t.Errorf("%s has a secret:\n%s", name, text)
		}
	}
	for _, request := range s.sent() {
		if strings.Contains(request, "secrets") && request != "GET /api/v1/namespaces/a/secrets/b" {
			t.Errorf("got %s", request)
		}
	}
}
