package rules_test

import (
	"encoding/base64"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/rules"
)

// now is when the tests examine certificates.
var now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func TestMain(m *testing.M) {
	// Clusters are garbage as soon as they have been examined.
	debug.SetGCPercent(400)
	m.Run()
}

// examine runs rules on a cluster.
func examine(t testing.TB, text string, all ...*lint.Rule) *lint.Report {
	t.Helper()
	report, err := lint.Run(cluster(t, text), all)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func cluster(t testing.TB, text string) *lint.Cluster {
	t.Helper()
	in, err := inventory.Read(inventory.Files{Paths: []string{"-"}, Stdin: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	c, err := lint.NewCluster(t.Context(), in, now, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ruleOf returns the rule with an ID.
func ruleOf(t testing.TB, id string) *lint.Rule {
	t.Helper()
	for _, r := range rules.All() {
		if r.ID == id {
			return r
		}
	}
	t.Fatalf("there is no rule %s", id)
	return nil
}

// certified replaces PLACEHOLDER/ca and the like by certificates and keys. The words are
// base64, so that the files can be read as they are.
func certified(t testing.TB, text string) string {
	t.Helper()
	if !strings.Contains(text, "PLACEHOLDER/") {
		return text
	}
	replacer, err := certificates()
	if err != nil {
		t.Fatal(err)
	}
	return replacer.Replace(text)
}

// certificates are those of the twins. All but the misnamed one are for the Service
// hooks/check.
var certificates = sync.OnceValues(func() (*strings.Replacer, error) {
	ca, err := certs.NewAuthority("webhooks")
	if err != nil {
		return nil, err
	}
	other, err := certs.NewAuthority("others")
	if err != nil {
		return nil, err
	}
	const name = "check.hooks.svc"
	pairs := []string{placeholder("ca"), encode(ca.Bundle())}
	for _, l := range []struct {
		key  string
		by   *certs.Authority
		leaf certs.Leaf
	}{
		{"server", ca, certs.Leaf{Names: []string{name}}},
		{"misnamed", ca, certs.Leaf{Names: []string{"check.hook.svc"}}},
		{"untrusted", other, certs.Leaf{Names: []string{name}}},
		{"expired", ca, certs.Leaf{Names: []string{name}, NotAfter: now.AddDate(0, 0, -1)}},
		{"expiring", ca, certs.Leaf{Names: []string{name}, NotAfter: now.AddDate(0, 0, 29)}},
		{"client", ca, certs.Leaf{Names: []string{name}, Client: true}},
	} {
		issued, err := l.by.Issue(l.leaf)
		if err != nil {
			return nil, err
		}
		chain, key, err := certs.PEM(issued)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, placeholder(l.key), encode(chain))
		switch l.key {
		case "server":
			pairs = append(pairs, placeholder("key"), encode(key))
		case "misnamed":
			pairs = append(pairs, placeholder("otherkey"), encode(key))
		}
	}
	return strings.NewReplacer(pairs...), nil
})

func encode(pem []byte) string { return base64.StdEncoding.EncodeToString(pem) }

// placeholder returns the word of a twin for a certificate or key, a multiple of 4 long.
func placeholder(name string) string {
	return "PLACEHOLDER/" + name + strings.Repeat("+", (4-len(name)%4)%4)
}
