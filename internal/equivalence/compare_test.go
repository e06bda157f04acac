package equivalence_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/equivalence"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
)

// policyOf returns a policy with one validation for a resource, and its binding.
func policyOf(group, version, resource, validation string) string {
	return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: ["` + group + `"]
      apiVersions: [` + version + `]
      operations: [CREATE, UPDATE]
      resources: [` + resource + `]
  validations:
  - expression: >-
      ` + validation + `
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: p}
spec: {policyName: p, validationActions: [Deny]}
`
}

// file writes a file and returns its path.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// compare compares two sides with a few requests.
func compare(
	t *testing.T, before, after equivalence.Side, o equivalence.Options,
) *equivalence.Verdict {
	t.Helper()
	o.Deadline = -1
	if o.Requests == 0 {
		o.Requests = 300
	}
	v, err := equivalence.Compare(t.Context(), before, after, o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestReplay: the file of a counterexample has the same answers in a session of its own.
func TestReplay(t *testing.T) {
	t.Parallel()
	for _, folder := range folders(t, "different") {
		d := comparePair(t, folder, equivalence.Options{Requests: mostTried, Seed: 3}).Different
		if d == nil {
			t.Errorf("%s: no difference", folder)
			continue
		}
		text, err := d.Manifest()
		if err != nil {
			t.Fatal(err)
		}
		request := file(t, string(text))
		for name, want := range map[string]*equivalence.Answer{"before": d.Before, "after": d.After} {
			s, err := session.Prepare(side(t, name, filepath.Join(folder, name+".yaml"), request).Options)
			if err != nil {
				t.Fatalf("%s\n%s", err, text)
			}
			err = s.Admit(t.Context(), func(r *session.Result) error {
				if r.Response.Allowed != want.Response.Allowed {
					t.Errorf("%s: %s is %t\n%s", folder, name, r.Response.Allowed, text)
				}
				return nil
			})
			if err != nil || s.Count() != 1 {
				t.Errorf("%s: %d requests: %v", folder, s.Count(), err)
			}
			s.Close()
		}
	}
}

// TestSeed: the same seed finds the same.
func TestSeed(t *testing.T) {
	t.Parallel()
	var first string
	for range 2 {
		v := comparePair(t, "testdata/different/registry-letters", equivalence.Options{Seed: 5})
		text, err := v.Different.Manifest()
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(text)
		}
		if first != string(text) {
			t.Errorf("first\n%s\nthen\n%s", first, text)
		}
	}
}

const moodyHook = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: hooks}
webhooks:
- name: moody.example.com
  clientConfig: {service: {namespace: hooks, name: moody}}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`

// TestNotDeterministic: a webhook that answers the same request differently is reported.
func TestNotDeterministic(t *testing.T) {
	t.Parallel()
	path := file(t, moodyHook)
	v := compare(t, side(t, "before", path), side(t, "after", path), equivalence.Options{Requests: 40})
	if v.Unstable == nil || v.SetAside == 0 {
		t.Fatalf("not found: %+v", v)
	}
	if v.Unstable.Side != "before" && v.Unstable.Side != "after" {
		t.Errorf("the side is %q", v.Unstable.Side)
	}
}

// TestGiven compares the requests of the inputs first, and names the object.
func TestGiven(t *testing.T) {
	t.Parallel()
	const odd = `object.metadata.name != "prices-of-today" || has(object.data)`
	before := side(t, "before", file(t, policyOf("", "v1", "configmaps", "true")))
	before.Options.Objects = []string{file(t, `apiVersion: v1
kind: ConfigMap
metadata: {name: prices-of-today, namespace: shop, labels: {a: b}}
`)}
	v := compare(t, before, side(t, "after", file(t, policyOf("", "v1", "configmaps", odd))), equivalence.Options{})
	d := v.Different
	if d == nil || v.Given != 1 || v.Drawn != 0 {
		t.Fatalf("%+v", v)
	}
	if d.Given != "configmaps/prices-of-today in shop" || d.Extra() > 1 {
		text, err := d.Manifest()
		t.Errorf("%q, %d fields, %v\n%s", d.Given, d.Extra(), err, text)
	}
}

// TestSecrets: what a Secret of the inputs has is not printed.
func TestSecrets(t *testing.T) {
	t.Parallel()
	before := side(t, "before", file(t, policyOf("", "v1", "secrets", "true")))
	before.Options.Objects = []string{file(t, `apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {password: hunter2}
`)}
	v := compare(t, before, side(t, "after", file(t, policyOf("", "v1", "secrets",
		"!has(object.stringData) && !has(object.data)"))), equivalence.Options{})
	if v.Different == nil || v.Given != 1 {
		t.Fatalf("%+v", v)
	}
	if text, err := v.Different.Manifest(); !errors.Is(err, equivalence.ErrWithheld) {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestSecretParams: the values of a Secret that is a param are not tried as values.
func TestSecretParams(t *testing.T) {
	t.Parallel()
	const text = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  paramKind: {apiVersion: v1, kind: Secret}
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  validations:
  - expression: object.metadata.name != params.stringData.word
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: p}
spec:
  policyName: p
  validationActions: [Deny]
  paramRef: {name: s, namespace: default, parameterNotFoundAction: Deny}
---
apiVersion: v1
kind: Secret
metadata: {name: s, namespace: default}
stringData: {word: hunter2}
`
	v := compare(t, side(t, "before", file(t, text)),
		side(t, "after", file(t, policyOf("", "v1", "configmaps", "true"))), equivalence.Options{})
	if v.Different == nil {
		return
	}
	if manifest, err := v.Different.Manifest(); err != nil || strings.Contains(string(manifest), "hunter2") {
		t.Errorf("%v\n%s", err, manifest)
	}
}

// TestInterrupted: a comparison that is interrupted returns what was compared so far.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	path := file(t, policyOf("", "v1", "configmaps", "true"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	v, err := equivalence.Compare(ctx, side(t, "before", path), side(t, "after", path), equivalence.Options{})
	if err != nil || !v.Interrupted || v.Late {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestNotReached: a webhook at an address where the command may not connect has no answer.
func TestNotReached(t *testing.T) {
	t.Parallel()
	path := file(t, moodyHook)
	before, after := side(t, "before", path), side(t, "after", path)
	before.Options.Client, after.Options.Client = nil, nil
	_, err := equivalence.Compare(t.Context(), before, after, equivalence.Options{})
	var notReached *message.NotReachedError
	if !errors.As(err, &notReached) {
		t.Errorf("got %v", err)
	}
}

// TestManyRequests: the largest number of requests is no reason to end early.
func TestManyRequests(t *testing.T) {
	t.Parallel()
	v := compare(t, side(t, "before", file(t, policyOf("", "v1", "configmaps", "true"))),
		side(t, "after", file(t, policyOf("", "v1", "configmaps", "false"))),
		equivalence.Options{Requests: math.MaxInt})
	if v.Different == nil {
		t.Errorf("%+v", v)
	}
}

// TestNoRules: there is nothing to draw without rules.
func TestNoRules(t *testing.T) {
	t.Parallel()
	path := file(t, "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n")
	_, err := equivalence.Compare(t.Context(), side(t, "before", path), side(t, "after", path), equivalence.Options{})
	var wrong *message.InputError
	if !errors.As(err, &wrong) {
		t.Errorf("got %v", err)
	}
}

const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [size, color, code]
            x-kubernetes-validations:
            - rule: self.size != 3
            properties:
              size: {type: integer, minimum: 2, maximum: 9}
              color: {type: string, enum: [red, green]}
              code: {type: string, pattern: "^[A-Z]{2}-[0-9]+$"}
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties: {name: {type: string}, weight: {type: integer}}
`

// TestCustom draws custom objects that their schema allows.
func TestCustom(t *testing.T) {
	t.Parallel()
	definition := file(t, widgets)
	for _, row := range []struct{ why, before, after string }{
		{"a bound", "object.spec.size < 7", "object.spec.size <= 7"},
		{"a pattern", "true", `!object.spec.code.startsWith("AA")`},
		{"a member of an enumeration", "true", `object.spec.color != "green"`},
		{"a list by key", "true", "!has(object.spec.parts) || object.spec.parts.size() < 3"},
		{"an update", "true", "oldObject == null || object.spec.size >= oldObject.spec.size"},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			v := compare(t,
				side(t, "before", definition, file(t, policyOf("example.com", "v1", "widgets", row.before))),
				side(t, "after", definition, file(t, policyOf("example.com", "v1", "widgets", row.after))),
				equivalence.Options{Requests: 600})
			if v.Different == nil {
				t.Fatalf("no difference: %+v", v)
			}
			text, err := v.Different.Manifest()
			if err != nil || v.Different.Extra() > 5 {
				t.Errorf("%d fields, %v\n%s", v.Different.Extra(), err, text)
			}
			if strings.Contains(string(text), "size: 3\n") {
				t.Errorf("the schema rejects this\n%s", text)
			}
		})
	}
}

// TestAspects: what is not compared makes no difference.
func TestAspects(t *testing.T) {
	t.Parallel()
	before := side(t, "before", file(t, policyOf("", "v1", "configmaps", "has(object.data)")))
	after := side(t, "after", file(t, policyOf("", "v1", "configmaps", "has(object.data) && true")))
	if v := compare(t, before, after, equivalence.Options{}); v.Different != nil {
		t.Errorf("they differ in the %s", v.Different.Aspect)
	}
	o := equivalence.Options{Aspects: []equivalence.Aspect{equivalence.Message}}
	if v := compare(t, before, after, o); v.Different == nil || v.Different.Aspect != equivalence.Message {
		t.Errorf("the messages are equal: %+v", v)
	}
}

// TestDefinitions: both sides need the definition of a custom kind, and one that neither
// has is named.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	policy := file(t, policyOf("example.com", "v1", "widgets", "true"))
	definition := file(t, widgets)
	_, err := equivalence.Compare(t.Context(), side(t, "before", policy, definition), side(t, "after", policy),
		equivalence.Options{})
	var wrong *message.InputError
	if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "before only") {
		t.Errorf("got %v", err)
	}
	v := compare(t, side(t, "before", policy), side(t, "after", policy), equivalence.Options{Requests: 20})
	if len(v.Unknown) != 1 || v.Unknown[0] != "widgets.example.com" {
		t.Errorf("unknown are %q", v.Unknown)
	}
}
