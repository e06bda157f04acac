package session

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/testutil/testtable"
)

// digestHook is a webhook without a caBundle.
const digestHook = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: c}
webhooks:
- name: w.example.com
  clientConfig: {service: {namespace: hooks, name: w}}
  rules: [{operations: [CREATE], apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`

// TestDigest: the digest depends on what decides how requests end, and on nothing else.
func TestDigest(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	for name, text := range map[string]string{
		"hook.yaml": digestHook, "same.yaml": digestHook, "namespace.yaml": "{apiVersion: v1, kind: Namespace, metadata: {name: a}}",
		"ca.crt": newBundle(t), "other.crt": newBundle(t),
		"kubeconfig":   "{apiVersion: v1, kind: Config}",
		"plugins.yaml": "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n",
	} {
		if err := os.WriteFile(in(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	change := func(change func(*Options)) *Options {
		o := NewOptions()
		o.Configs, o.Optional, o.Stderr = []string{in("hook.yaml")}, true, io.Discard
		o.CAFile, o.Resolve = in("ca.crt"), []string{"w.hooks.svc:443:127.0.0.1:1"}
		change(o)
		return o
	}
	was := digestOf(t, change(func(*Options) {}))
	type test struct {
		row
		change func(*Options)
		same   bool
	}
	testtable.Run(t, []test{
		{row{"anywhere", "more webhooks are called"}, func(o *Options) { o.Anywhere = true }, false},
		{row{"ca", "other webhooks are trusted"}, func(o *Options) { o.CAFile = in("other.crt") }, false},
		{row{"no ca", "webhooks without a caBundle fail"}, func(o *Options) { o.CAFile = "" }, false},
		{row{"credentials", "a webhook may refuse calls without them"}, func(o *Options) { o.kubeconfigAuth = in("kubeconfig") }, false},
		{row{"plugins", "they may have credentials"}, func(o *Options) { o.admissionConfig = in("plugins.yaml") }, false},
		{row{"route", "a webhook is called"}, func(o *Options) { o.Resolve = append(o.Resolve, "x:443:127.0.0.1:1") }, false},
		{row{"exact", "redirects are followed"}, func(o *Options) { o.exact = true }, false},
		{row{"authorizer", "conditions use it"}, func(o *Options) { o.authorizer = authorizerDeny }, false},
		{row{"fault", "a webhook is replaced"}, func(o *Options) { o.Inject = []string{"w.example.com=deny"} }, false},
		{row{"file", "it describes the cluster"}, func(o *Options) { o.Configs = append(o.Configs, in("namespace.yaml")) }, false},
		{row{"name of a file", "its content decides"}, func(o *Options) { o.Configs = []string{in("same.yaml")} }, true},
		{row{"address", "a webhook may listen on another port"}, func(o *Options) { o.Resolve = []string{"w.hooks.svc:443:127.0.0.1:2"} }, true},
		{row{"parallel", "the results are in the order of the corpus"}, func(o *Options) { o.Parallel = 7 }, true},
	}, func(t *testing.T, tc test) {
		if got := digestOf(t, change(tc.change)); (got == was) != tc.same {
			t.Errorf("%s: got %s, and without the change %s", tc.Why(), got, was)
		}
	})
}

func digestOf(t *testing.T, o *Options) string {
	t.Helper()
	s, err := Prepare(o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	digest, err := s.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

func newBundle(t *testing.T) string {
	t.Helper()
	authority, err := certs.NewAuthority("a")
	if err != nil {
		t.Fatal(err)
	}
	return string(authority.Bundle())
}
