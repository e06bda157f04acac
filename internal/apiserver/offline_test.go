package apiserver_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/apiserver"
)

// shapes is a kind with a bit of everything that schemas can say, and webhooks
// for it.
const shapes = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shapes.shapes.example.com}
spec:
  group: shapes.example.com
  scope: Namespaced
  names: {kind: Shape, plural: shapes}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [replicas, mode]
            x-kubernetes-validations:
            - {rule: "self.replicas < 10", message: there are too many}
            properties:
              replicas: {type: integer, default: 3, minimum: 0}
              mode: {type: string, enum: [Fast, Slow], default: Fast}
              code: {type: string, pattern: '^[a-z]+$', maxLength: 5}
              when: {type: string, format: date-time}
              port: {x-kubernetes-int-or-string: true, default: 80}
              plain: {type: string}
              note: {type: string, nullable: true, default: none}
              maybe: {type: string, nullable: true}
              settled:
                type: string
                x-kubernetes-validations: [{rule: self == oldSelf, message: it is settled}]
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties: {name: {type: string}, count: {type: integer, default: 1}}
              tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              limits:
                type: object
                additionalProperties: {type: object, properties: {cpu: {type: string, default: "1"}}}
              anything: {type: object, x-kubernetes-preserve-unknown-fields: true}
              nested: {type: object, default: {}, properties: {depth: {type: object, default: {}, properties: {level: {type: integer, default: 2}}}}}
              template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
          status:
            type: object
            properties:
              phase: {type: string, enum: [Ready, Waiting]}
              replicas: {type: integer}
              selector: {type: string}
  - name: v2
    served: true
    storage: false
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {replicas: {type: integer, default: 4}, extra: {type: string, default: more}, mode: {type: string, default: Slow}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: shapes}
webhooks:
- name: mutate.shapes.example.com
  clientConfig: {service: {namespace: system, name: hooks, path: /mutate}}
  rules: &rules [{operations: ["*"], apiGroups: [shapes.example.com], apiVersions: ["*"], resources: ["*/*"]}]
  sideEffects: None
  admissionReviewVersions: [v1]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: shapes}
webhooks:
- name: validate.shapes.example.com
  clientConfig: {service: {namespace: system, name: hooks, path: /validate}}
  rules: [{operations: ["*"], apiGroups: [shapes.example.com], apiVersions: ["*"], resources: ["*/*"]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`

type oracleCase struct {
	row
	sending
}

// TestOfflineIsTheServer sends custom resources to the API server and through
// the webhooks without one, as `gatehouse run` does: webhooks and clients must
// see the same.
func TestOfflineIsTheServer(t *testing.T) {
	t.Parallel()
	server, offline := &recorder{seen: map[string]map[string]any{}}, &recorder{seen: map[string]map[string]any{}}
	config := apiserver.Start(t, apiserver.Options{Handlers: map[string]http.Handler{"system/hooks": server}})
	files := write(t, shapes)
	apiserver.Install(t, config, files)
	for i, tc := range testtable.Checked(t, append(creates(), updates()...)) {
		t.Run(tc.Name(), func(t *testing.T) {
			t.Parallel()
			if tc.version == "" {
				tc.version = "v1"
			}
			name := fmt.Sprintf("shape-%d", i)
			want, stored := tc.atServer(t, config, server, name)
			got := tc.offline(t, files, offline, name, stored)
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s (-server +offline):\n%s", tc.Why(), diff)
			}
		})
	}
}

func creates() []oracleCase {
	patch := func(json string) map[string]string { return map[string]string{"patch": json} }
	return []oracleCase{
		{row{"empty spec", "defaults of all depths are set"}, sending{object: "spec: {}"}},
		{row{"no spec", "a default below what is missing is not set"}, sending{object: "{}"}},
		{row{"lists and maps", "their members get defaults, too"}, sending{object: "spec: {parts: [{name: a}, {name: b, count: 5}], limits: {x: {}, y: {cpu: '2'}}}"}},
		{row{"nulls", "a null is dropped, defaulted or kept"}, sending{object: "spec: {plain: null, note: null, maybe: null, port: null, nested: null}"}},
		{row{"int", "int-or-string"}, sending{object: "spec: {port: 8080}"}},
		{row{"string", "int-or-string"}, sending{object: "spec: {port: http}"}},
		{row{"neither", "int-or-string"}, sending{object: "spec: {port: 1.5}"}},
		{row{"embedded", "it needs a kind, and its metadata are coerced"}, sending{object: "spec: {template: {apiVersion: v1, kind: Pod, metadata: {name: a, nonsense: 1}, spec: {x: 1}}}"}},
		{row{"embedded without a kind", "it is required"}, sending{object: "spec: {template: {metadata: {labels: {a: b}}}}"}},
		{row{"embedded with a bad label", "its metadata are validated"}, sending{object: "spec: {template: {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {'a b': c}}}}"}},
		{row{"preserved", "unknown fields stay there"}, sending{object: "spec: {anything: {goes: [1, {a: b}]}}"}},
		{row{"status", "a new object has none"}, sending{object: "{spec: {}, status: {phase: Ready}}"}},
		{row{"status, null", "it is not looked at"}, sending{object: "{spec: {}, status: {phase: Nonsense}}"}},

		{row{"unknown fields", "they are pruned, with warnings"}, sending{object: "{spec: {x: 1, nested: {y: 2}, parts: [{name: a, z: 3}]}, top: {}}"}},
		{row{"unknown fields, Warn", "as without an option"}, sending{fieldValidation: "Warn", object: "spec: {x: 1}"}},
		{row{"unknown fields, Ignore", "they are pruned silently"}, sending{fieldValidation: "Ignore", object: "spec: {x: 1}"}},
		{row{"unknown fields, Strict", "they are rejected"}, sending{fieldValidation: "Strict", object: "spec: {x: 1, nested: {y: 2}}"}},
		{row{"known fields, Strict", "defaults are no unknown fields"}, sending{fieldValidation: "Strict", object: "spec: {replicas: 1}"}},

		{row{"enum", "a value that is not listed"}, sending{object: "spec: {mode: Medium}"}},
		{row{"pattern and length", "both are reported"}, sending{object: "spec: {code: ABCDEFG}"}},
		{row{"format", "no date"}, sending{object: "spec: {when: yesterday}"}},
		{row{"minimum", "a negative number"}, sending{object: "spec: {replicas: -1}"}},
		{row{"type", "a text is no number"}, sending{object: "spec: {replicas: many}"}},
		{row{"required", "a member without its key"}, sending{object: "spec: {parts: [{count: 1}]}"}},
		{row{"set", "a value twice"}, sending{object: "spec: {tags: [a, b, a]}"}},
		{row{"map", "a key twice"}, sending{object: "spec: {parts: [{name: a}, {name: a}]}"}},
		{row{"rule", "CEL"}, sending{object: "spec: {replicas: 12}"}},
		{row{"rule that is hidden", "an error of the schema comes first"}, sending{object: "spec: {replicas: 12, mode: Medium}"}},
		{row{"several", "all fields are reported"}, sending{object: "spec: {code: A1, tags: [a, a], template: {}}"}},
		{row{"name", "a name of a custom resource is a DNS name"}, sending{object: "{metadata: {name: A_B}, spec: {}}"}},

		{row{"patched", "defaults are set after a patch, and what is unknown is not stored"}, sending{object: "spec: {parts: []}",
			annotations: patch(`[{"op":"add","path":"/spec/parts/-","value":{"name":"new","odd":1}},{"op":"remove","path":"/spec/nested"}]`)}},
		{row{"patched, invalid", "the validating webhook is not asked"}, sending{object: "spec: {}", annotations: patch(`[{"op":"replace","path":"/spec/mode","value":"Medium"}]`)}},
		{row{"patched, valid again", "what the client sent is not validated"}, sending{object: "spec: {mode: Medium}", annotations: patch(`[{"op":"replace","path":"/spec/mode","value":"Slow"}]`)}},
		{row{"patched namespace", "it is in the path"}, sending{object: "spec: {}", annotations: patch(`[{"op":"replace","path":"/metadata/namespace","value":"other"}]`)}},
		{row{"patched label", "metadata are validated"}, sending{object: "spec: {}", annotations: patch(`[{"op":"add","path":"/metadata/labels","value":{"a b":"c"}}]`)}},

		{row{"second version", "it has its own defaults, and is stored in the first"}, sending{version: "v2", object: "spec: {}"}},
		{row{"second version, unknown", "a field of the first is unknown"}, sending{version: "v2", object: "spec: {code: ABC, extra: a}"}},
	}
}

func updates() []oracleCase {
	return []oracleCase{
		{row{"update", "webhooks see both objects with defaults"}, sending{old: "spec: {}", object: "spec: {replicas: 5, parts: [{name: a}]}"}},
		{row{"update, unknown", "it is pruned"}, sending{old: "spec: {}", object: "spec: {x: 1}"}},
		{row{"update, invalid", "only what is new is reported"}, sending{old: "spec: {code: a}", object: "spec: {code: A, replicas: many}"}},
		{row{"settled", "a rule of a transition allows what does not change"}, sending{old: "spec: {settled: a}", object: "spec: {settled: a, replicas: 5}"}},
		{row{"unsettled", "a rule of a transition"}, sending{old: "spec: {settled: a}", object: "spec: {settled: b}"}},
		{row{"first settled", "there is no transition"}, sending{old: "spec: {}", object: "spec: {settled: b}"}},
		{row{"status with the object", "it stays as it is stored"}, sending{old: "{spec: {}, status: {phase: Ready}}", object: "{spec: {replicas: 5}, status: {phase: Waiting}}"}},
		{row{"status endpoint", "the rest stays as it is stored"}, sending{old: "spec: {}", subresource: "status", object: "{metadata: {labels: {a: b}}, spec: {replicas: 5, mode: Nonsense}, status: {phase: Ready}}"}},
		{row{"invalid status", "its schema"}, sending{old: "spec: {}", subresource: "status", object: "{spec: {}, status: {phase: Nonsense, replicas: -1}}"}},
		{row{"unknown status", "it is pruned"}, sending{old: "spec: {}", subresource: "status", object: "{spec: {}, status: {x: 1}}"}},
		{row{"scale", "webhooks see a Scale"}, sending{old: "spec: {}", subresource: "scale", object: "{apiVersion: autoscaling/v1, kind: Scale, spec: {replicas: 5}}"}},
		{row{"finalizers", "they may be added"}, sending{old: "spec: {}", object: "{metadata: {finalizers: [example.com/a]}, spec: {}}"}},
		{row{"bad finalizer", "metadata are validated, and both validations report"}, sending{old: "spec: {}", object: "{metadata: {finalizers: ['a b/c']}, spec: {}}"}},
		{row{"list that was valid", "a duplicate is new"}, sending{old: "spec: {tags: [a]}", object: "spec: {tags: [a, a]}"}},
		{row{"update of the second version", "both objects are converted"}, sending{version: "v2", old: "spec: {extra: a}", object: "spec: {extra: b}"}},
	}
}
