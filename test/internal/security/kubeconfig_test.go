package security_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/certs"
)

// credential is a kind of credentials that users may have.
type credential struct {
	name string
	// user returns the YAML of the n-th user and the secrets in it.
	user func(t *testing.T, n int) (yaml string, secrets []string)
	// tlsOnly: the credential is sent only over TLS.
	tlsOnly bool
}

// secret is what the n-th user alone has.
func secret(what string, n int) string { return fmt.Sprintf("%s-of-user-%d-", what, n) }

var credentials = []credential{
	{name: "token", user: func(_ *testing.T, n int) (string, []string) {
		return "{token: " + secret("token", n) + "}", []string{secret("token", n)}
	}},
	{name: "token file", user: func(t *testing.T, n int) (string, []string) {
		file := filepath.Join(t.TempDir(), "token")
		write(t, file, secret("file", n))
		return "{tokenFile: '" + file + "'}", []string{secret("file", n)}
	}},
	{name: "basic", user: func(_ *testing.T, n int) (string, []string) {
		name, password := secret("name", n), secret("password", n)
		encoded := base64.StdEncoding.EncodeToString([]byte(name + ":" + password))
		return "{username: " + name + ", password: " + password + "}", []string{encoded, name, password}
	}},
	{name: "impersonation", user: func(_ *testing.T, n int) (string, []string) {
		as, uid, group, extra := secret("as", n), secret("uid", n), secret("group", n), secret("extra", n)
		return "{token: " + secret("token", n) + ", as: " + as + ", as-uid: " + uid + ", as-groups: [" + group + "], as-user-extra: {why: [" + extra + "]}}",
			[]string{secret("token", n), as, uid, group, extra}
	}},
	{name: "certificate", tlsOnly: true, user: func(t *testing.T, n int) (string, []string) {
		authority, err := certs.NewAuthority("clients")
		if err != nil {
			t.Fatal(err)
		}
		issued, err := authority.Issue(certs.Leaf{CommonName: secret("certificate", n), Client: true})
		if err != nil {
			t.Fatal(err)
		}
		chain, key, err := certs.PEM(issued)
		if err != nil {
			t.Fatal(err)
		}
		encode := base64.StdEncoding.EncodeToString
		return "{client-certificate-data: " + encode(chain) + ", client-key-data: " + encode(key) + "}",
			append(keyLines(key), secret("certificate", n))
	}},
}

// keyLines are the lines of a key that are its own.
func keyLines(key []byte) (lines []string) {
	for line := range strings.Lines(string(key)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "-----") {
			lines = append(lines, line)
		}
	}
	return lines
}

// writeKubeconfig writes a file with users, the last of which is the user of
// the current context, and returns the secrets of each.
func writeKubeconfig(t *testing.T, kind credential, names []string) (file string, secrets [][]string) {
	t.Helper()
	var users []string
	for i, name := range names {
		yaml, own := kind.user(t, i)
		users = append(users, "{name: '"+name+"', user: "+yaml+"}")
		secrets = append(secrets, own)
	}
	file = filepath.Join(t.TempDir(), "kubeconfig")
	write(t, file, "{apiVersion: v1, kind: Config, current-context: c, contexts: [{name: c, context: {cluster: c, user: '"+
		names[len(names)-1]+"'}}], users: ["+strings.Join(users, ", ")+"]}")
	return file, secrets
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
