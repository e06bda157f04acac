package whatif_test

// plantedPolicies are changes of policies, their bindings and their params.
func plantedPolicies() []planted {
	return []planted{
		{
			row{"validation loosened", "larger objects are allowed"},
			[]string{"variables.size <= variables.most", "variables.size <= variables.most + 1"},
			[]string{"policy sizes: validations[0].expression: variables.size <= variables.most + 1 instead of " +
				"variables.size <= variables.most"}, 6,
		},
		{
			row{"validation tightened", "smaller objects are denied"},
			[]string{"variables.size <= variables.most", "variables.size < 1"},
			[]string{"policy sizes: validations[0].expression: variables.size < 1 instead of variables.size <= variables.most"}, 6,
		},
		{
			row{"message", "only the text of the denial is another one"},
			[]string{"message: too many keys", "message: too many keys in data"},
			[]string{"policy sizes: validations[0].message: too many keys in data instead of too many keys"}, 6,
		},
		{
			row{"reason", "the status is another one"},
			[]string{"reason: Invalid", "reason: Forbidden"},
			[]string{"policy sizes: validations[0].reason: Forbidden instead of Invalid"}, 6,
		},
		{
			row{"messageExpression", "the text is computed"},
			[]string{"'no password in '", "'there is a password in '"},
			[]string{"policy sizes: validations[1].messageExpression: 'there is a password in ' + object.metadata.name instead of " +
				"'no password in ' + object.metadata.name"}, 6,
		},
		{
			row{"validation removed", "passwords are allowed"},
			[]string{"  - {expression: \"!has(object.data) || !('password' in object.data)\", messageExpression: \"'no password in ' + object.metadata.name\"}\n", ""},
			[]string{"policy sizes: validations: without {\"expression\":\"!has(object.data) || !('password' in object.data)\"," +
				"\"messageExpression\":\"'no password…"}, 6,
		},
		{
			row{"validation added", "a name is denied"},
			[]string{", message: no port 22}\n", ", message: no port 22}\n  - {expression: \"object.metadata.name != 'web'\"}\n"},
			[]string{"policy ports: validations: with {\"expression\":\"object.metadata.name != 'web'\"}"}, 12,
		},
		{
			row{"validation without has()", "it fails for objects without labels; the binding only warns, but an error denies"},
			[]string{"!has(object.metadata.labels) || !('port'", "!('port'"},
			[]string{"policy ports: validations[0].expression: !('port' in object.metada… instead of " +
				"!has(object.metadata.labels) || !('port' in object.metada…"}, 3,
		},
		{
			row{"variable", "objects without data fail"},
			[]string{"has(object.data) ? object.data.size() : 0", "object.data.size() * 2"},
			[]string{"policy sizes: variables[size].expression: object.data.size() * 2 instead of has(object.data) ? object.data.size() : 0"}, 6,
		},
		{
			row{"failurePolicy of a policy", "Ignore for Fail has an effect on errors only"},
			[]string{"  failurePolicy: Fail\n  paramKind", "  failurePolicy: Ignore\n  paramKind"},
			[]string{"policy sizes: failurePolicy: Ignore instead of Fail"}, 0,
		},
		{
			row{"resources of a policy", "secrets for configmaps"},
			[]string{"apiVersions: [v1], resources: [configmaps]}]\n  matchConditions", "apiVersions: [v1], resources: [secrets]}]\n  matchConditions"},
			[]string{"policy sizes: matchConstraints.resourceRules[0].resources: secrets instead of configmaps"}, 24,
		},
		{
			row{"excluded resources", "the services are excluded again"},
			[]string{"resources: [services]}]\n  validations", "resources: [services]}]\n    excludeResourceRules: [{operations: [CREATE], apiGroups: [\"\"], apiVersions: [v1], resources: [services]}]\n  validations"},
			[]string{"policy ports: matchConstraints.excludeResourceRules: {\"apiGroups\":[\"\"],\"apiVersions\":[\"v1\"]," +
				"\"operations\":[\"CREATE\"],\"resources\":[\"services\"]} added"}, 12,
		},
		{
			row{"condition of a policy removed", "system users are checked"},
			[]string{"  matchConditions:\n  - {name: by-people, expression: \"!request.userInfo.username.startsWith('system:')\"}\n", ""},
			[]string{"policy sizes: matchConditions: {\"expression\":\"!request.userInfo.username.startsWith('system:')\"," +
				"\"name\":\"by-people\"} removed"}, 4,
		},
		{
			row{"audit annotation of a policy", "only the audit log tells"},
			[]string{"'size ' + string(variables.size)", "string(variables.size)"},
			[]string{"policy sizes: auditAnnotations[size].valueExpression: string(variables.size) instead of 'size ' + string(variables.size)"}, 12,
		},
		{
			row{"Warn for Deny", "what was denied is allowed with a warning"},
			[]string{"validationActions: [Deny]", "validationActions: [Warn]"},
			[]string{"binding sizes-everywhere: validationActions: Warn instead of Deny"}, 10,
		},
		{
			row{"Audit less", "warnings stay, and the annotation goes"},
			[]string{"validationActions: [Warn, Audit]", "validationActions: [Warn]"},
			[]string{"binding ports-warn: validationActions: without Audit"}, 3,
		},
		{
			row{"Deny for Warn", "what had a warning is denied"},
			[]string{"validationActions: [Warn, Audit]", "validationActions: [Deny, Audit]"},
			[]string{"binding ports-warn: validationActions: with Deny, without Warn"}, 3,
		},
		{
			row{"binding removed", "the policy has no effect"},
			[]string{"---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: ports-warn}\nspec:\n  policyName: ports\n  validationActions: [Warn, Audit]\n", ""},
			[]string{"binding ports-warn removed"}, 12,
		},
		{
			row{"binding of another policy", "the policy has no binding"},
			[]string{"  policyName: ports\n", "  policyName: port\n"},
			[]string{"binding ports-warn: policyName: port instead of ports"}, 12,
		},
		{
			row{"other param", "it has another limit"},
			[]string{"paramRef: {name: sizes-most,", "paramRef: {name: sizes-more,"},
			[]string{"binding sizes-everywhere: paramRef.name: sizes-more instead of sizes-most"}, 6,
		},
		{
			row{"unknown param", "requests are denied without it"},
			[]string{"paramRef: {name: sizes-most,", "paramRef: {name: sizes-mots,"},
			[]string{"binding sizes-everywhere: paramRef.name: sizes-mots instead of sizes-most"}, 12,
		},
		{
			row{"param changed", "it is an object like any other"},
			[]string{`data: {most: "2"}`, `data: {most: "3"}`},
			[]string{"ConfigMap shop/sizes-most: data.most: 3 instead of 2"}, 6,
		},
		{
			row{"param without the key", "the variable fails"},
			[]string{`data: {most: "2"}`, `data: {limit: "2"}`},
			[]string{"ConfigMap shop/sizes-most: data.most: 2 removed"}, 12,
		},
		{
			row{"selector of a binding", "the namespaces that were left out are in"},
			[]string{`{key: sizes, operator: NotIn, values: ["off"]}`, `{key: sizes, operator: NotIn, values: ["on"]}`},
			[]string{"binding sizes-everywhere: matchResources.namespaceSelector: sizes notin (on) instead of sizes notin (off)"}, 24,
		},
		{
			row{"label that a binding selects", "the namespace is left out now"},
			[]string{`sizes: "on"`, `sizes: "off"`},
			[]string{"namespace green: metadata.labels.sizes: off instead of on"}, 8,
		},
		{
			row{"mutation", "the label has another value"},
			[]string{`{"owner": "shop"}`, `{"owner": "market"}`},
			[]string{"policy owner: mutations[0].applyConfiguration.expression: " +
				`Object{metadata: Object.metadata{labels: {"owner": "market"}}} instead of ` +
				`Object{metadata: Object.metadata{labels: {"owner": "shop"}}}`}, 12,
		},
		{
			row{"mutating policy renamed", "it comes after the one that reads its label"},
			[]string{"kind: MutatingAdmissionPolicy\nmetadata: {name: owner}", "kind: MutatingAdmissionPolicy\nmetadata: {name: z-owner}",
				"spec: {policyName: owner}", "spec: {policyName: z-owner}"},
			[]string{"policy owner renamed to z-owner + binding owner-all: policyName: z-owner instead of owner"}, 12,
		},
		{
			row{"mutating binding removed", "the label is missing, and what depends on it"},
			[]string{"---\napiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicyBinding\nmetadata: {name: owner-all}\nspec: {policyName: owner}\n", ""},
			[]string{"binding owner-all removed"}, 12,
		},
		{
			row{"a policy for a webhook", "the same rule as CEL, and other messages"},
			[]string{"kind: ValidatingWebhookConfiguration\nmetadata: {name: latest}\nwebhooks:\n- name: latest.example.com\n" +
				"  clientConfig: {service: {namespace: shop, name: hooks, path: /latest}}\n" +
				"  rules: [{operations: [CREATE, UPDATE], apiGroups: [\"\"], apiVersions: [v1], resources: [pods], scope: Namespaced}]\n" +
				"  namespaceSelector: {matchLabels: {environment: prod}}\n  matchConditions:\n" +
				"  - {name: not-system, expression: \"!request.userInfo.username.startsWith('system:')\"}\n" +
				"  - {name: not-exempt, expression: \"!has(object.metadata.labels) || !('exempt' in object.metadata.labels)\"}\n" + tail,
				"kind: ValidatingAdmissionPolicy\nmetadata: {name: latest}\nspec:\n  matchConstraints:\n" +
					"    resourceRules: [{operations: [CREATE, UPDATE], apiGroups: [\"\"], apiVersions: [v1], resources: [pods]}]\n" +
					"    namespaceSelector: {matchLabels: {environment: prod}}\n  validations:\n" +
					"  - {expression: \"object.spec.containers.all(c, !c.image.endsWith(':latest'))\"}\n" +
					"---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n" +
					"metadata: {name: latest}\nspec: {policyName: latest, validationActions: [Deny]}\n"},
			[]string{
				"configuration latest removed",
				"policy latest added",
				"policy latest added + configuration latest removed",
			}, 8,
		},
	}
}
