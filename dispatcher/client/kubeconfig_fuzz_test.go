package client

import (
	"encoding/json"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"example.com/gatehouse/internal/testutil/testtable"
)

// FuzzCredentials looks up the credentials of any host and port among users of
// any names, one on each line. The result is that of a naive implementation of
// KubeconfigAuth's comment.
func FuzzCredentials(f *testing.F) {
	for _, row := range hostRows {
		f.Add(strings.Join(row.users, "\n"), row.host)
	}
	f.Add("*\n*.\n.\n*.*\n**\n:443\n\n*:443", "a.b:443")
	f.Add("*.b.c\n*.c:443\n.b.c\nb.c", ".b.c:443")
	f.Add("::1\n[::1]\n[::1]:443\n::1:443\n[[::1]]\n0:0::1", "[[::1]]:443")
	f.Add("fe80::1%eth0\n[fe80::1%ETH0]", "[fe80::1%eth0]:443")
	f.Add("::ffff:127.0.0.1\n127.0.0.1", "[::ffff:127.0.0.1]:443")
	f.Add("hi.c\nh\u0130.c", "h\u0130.c:443")
	f.Fuzz(func(t *testing.T, names, hostPort string) {
		users := map[string]*clientcmdapi.AuthInfo{}
		for _, name := range strings.Split(names, "\n") {
			users[name] = &clientcmdapi.AuthInfo{Token: "token of " + name}
		}
		safe := &kubeconfigAuth{byAddress: usersByAddress(users), fallback: noCredentials{}}
		c, err := safe.ClientConfigFor(hostPort)
		if err != nil {
			t.Fatal(err)
		}
		if host, port, ok := splitAuthKey(hostPort); ok {
			want, named := naiveUser(slices.Sorted(maps.Keys(users)), host, port)
			if want := "token of " + want; named && c.BearerToken != want || !named && c.BearerToken != "" {
				t.Errorf("%q of the users %q: got %q, want %q", hostPort, slices.Sorted(maps.Keys(users)), c.BearerToken, want)
			}
		}
	})
}

// noCredentials returns no credentials for any host.
type noCredentials struct{}

func (noCredentials) ClientConfigFor(string) (*rest.Config, error) { return &rest.Config{}, nil }

func (noCredentials) ClientConfigForService(string, string, int) (*rest.Config, error) {
	return &rest.Config{}, nil
}

// splitAuthKey splits a key into host and port; ok is false if authKey does not
// make such keys.
func splitAuthKey(hostPort string) (host, port string, ok bool) {
	at := strings.LastIndex(hostPort, ":")
	if at < 1 {
		return "", "", false
	}
	host, port = hostPort[:at], hostPort[at+1:]
	if strings.Trim(port, "0123456789") != "" || port == "" || strings.Contains(host, "*") {
		return "", "", false
	}
	// A host with colons is in brackets.
	bracketed := strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]")
	return host, port, bracketed == strings.ContainsAny(host, "[]:")
}

// naiveUser follows the comment of KubeconfigAuth from top to bottom. names are
// sorted.
func naiveUser(names []string, host, port string) (string, bool) {
	host = plainHost(host)
	var domains []string // of the host, the longest first
	for rest := host; strings.Contains(rest, "."); {
		rest = rest[strings.Index(rest, ".")+1:]
		domains = append(domains, "*."+rest)
	}
	hosts := slices.Concat([]string{host}, domains)
	for _, withPort := range []bool{true, false} {
		if !withPort && port != "443" {
			continue
		}
		for _, pattern := range hosts {
			if name, ok := matchingName(names, pattern, port, withPort); ok {
				return name, true
			}
		}
	}
	return "*", slices.Contains(names, "*")
}

// matchingName returns the name that is a spelling of pattern: the plain one,
// or else the first.
func matchingName(names []string, pattern, port string, withPort bool) (string, bool) {
	var found []string
	for _, name := range names {
		host := name
		if withPort {
			var ok bool
			if host, ok = strings.CutSuffix(name, ":"+port); !ok || strings.Contains(host, ":") && !strings.HasSuffix(host, "]") {
				continue // an IPv6 address has a port only after brackets
			}
		}
		if name == "*" || !withPort && hasPort(name) || plainHost(host) != pattern {
			continue
		}
		plain := pattern
		if withPort && strings.Contains(pattern, ":") {
			plain = "[" + pattern + "]"
		}
		if host == plain {
			return name, true
		}
		found = append(found, name)
	}
	if len(found) == 0 {
		return "", false
	}
	return found[0], true
}

// hasPort reports whether a name ends with a port, even an invalid one.
func hasPort(name string) bool {
	at := strings.LastIndex(name, ":")
	return at >= 0 && (!strings.Contains(name[:at], ":") || strings.HasSuffix(name[:at], "]"))
}

// plainHost returns host without brackets: an IP address in its shortest form,
// a name in lower case and without the final dot.
func plainHost(host string) string {
	if ip, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return ip.String()
	}
	if host == "*." {
		return host
	}
	return asciiLower(strings.TrimSuffix(host, "."))
}

// asciiLower does not use the code under test.
func asciiLower(host string) string {
	out := []byte(host)
	for i, c := range out {
		if c >= 'A' && c <= 'Z' {
			out[i] = c - 'A' + 'a'
		}
	}
	return string(out)
}

// FuzzExactCredentials writes a kubeconfig for any users, the last of which is
// that of current-context. With exact, the chosen user is that of
// kube-apiserver's resolver; without, it is the same for plain names, but none
// where kube-apiserver chooses that of current-context.
func FuzzExactCredentials(f *testing.F) {
	for _, row := range hostRows {
		f.Add(strings.Join(append(slices.Clone(row.users), "admin"), "\n"), row.host)
	}
	file := filepath.Join(f.TempDir(), "kubeconfig")
	f.Fuzz(func(t *testing.T, names, hostPort string) {
		users := slices.Compact(slices.Sorted(strings.SplitSeq(strings.ToValidUTF8(names, "?"), "\n")))
		current := users[len(users)-1]
		if err := os.WriteFile(file, kubeconfigOf(t, users, current), 0o600); err != nil {
			t.Fatal(err)
		}
		upstream, upstreamErr := webhookutil.NewDefaultAuthenticationInfoResolver(file)
		exact, exactErr := KubeconfigAuth(file, true)
		safe, safeErr := KubeconfigAuth(file, false)
		if testtable.Text(upstreamErr) != testtable.Text(exactErr) || testtable.Text(upstreamErr) != testtable.Text(safeErr) {
			t.Fatalf("%q: errors %v, %v and %v", users, upstreamErr, exactErr, safeErr)
		}
		if upstreamErr != nil {
			return // YAML does not permit all characters
		}
		want, got := tokenFor(t, upstream, hostPort), tokenFor(t, exact, hostPort)
		if got != want {
			t.Errorf("%q of %q: got %q, from kube-apiserver %q", hostPort, users, got, want)
		}
		if isPlain(hostPort) && !slices.ContainsFunc(users, func(name string) bool { return !isPlain(name) }) {
			checkSafe(t, hostPort, current, want, tokenFor(t, safe, hostPort))
		}
	})
}

// checkSafe compares the user that is chosen by default with kube-apiserver's.
func checkSafe(t *testing.T, hostPort, current, exact, safe string) {
	t.Helper()
	host, port, ok := splitAuthKey(hostPort)
	switch {
	case safe == exact || !ok:
	case safe != "" || exact != current:
		t.Errorf("%q: got %q, with exact %q", hostPort, safe, exact)
	default:
		if name, named := naiveUser([]string{current}, host, port); named {
			t.Errorf("%q: %q is its name, and not only that of current-context", hostPort, name)
		}
	}
}

// isPlain reports whether name is in lower case and without the characters that
// only IPv6 addresses and unusual names have, so that its spelling does not
// matter.
func isPlain(name string) bool {
	host, _, _ := strings.Cut(name, ":")
	_, err := netip.ParseAddr(host)
	return err != nil && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789.-*:") == "" && strings.Count(name, ":") < 2 && !strings.HasSuffix(host, ".") && host != ""
}

func tokenFor(t *testing.T, resolver webhookutil.AuthenticationInfoResolver, hostPort string) string {
	t.Helper()
	c, err := resolver.ClientConfigFor(hostPort)
	if err != nil {
		t.Fatal(err)
	}
	return c.BearerToken
}

// kubeconfigOf returns a kubeconfig with users whose token is their name.
func kubeconfigOf(t *testing.T, names []string, current string) []byte {
	t.Helper()
	type user struct {
		Name string            `json:"name"`
		User map[string]string `json:"user"`
	}
	var users []user
	for _, name := range names {
		users = append(users, user{name, map[string]string{"token": name}})
	}
	text, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Config", "users": users, "current-context": "c",
		"contexts": []any{map[string]any{"name": "c", "context": map[string]string{"cluster": "c", "user": current}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
