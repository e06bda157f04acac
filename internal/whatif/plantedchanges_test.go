package whatif_test

// The webhooks and policies of testdata/before.yaml.
const (
	team     = "webhook team.example.com of configuration a-team"
	seen     = "webhook seen.example.com of configuration b-seen"
	latest   = "webhook latest.example.com of configuration latest"
	replicas = "webhook replicas.example.com of configuration replicas"
	exec     = "webhook exec.example.com of configuration replicas"
	deletion = "webhook deletion.example.com of configuration replicas"
	down     = "webhook down.example.com of configuration unreliable"
	widgets  = "webhook widgets.example.com of configuration widgets"
)

// Parts of testdata/before.yaml.
const (
	secondWebhook = `- name: second.example.com
  clientConfig: {service: {namespace: shop, name: hooks, path: /second}}
  rules: [{operations: [CREATE], apiGroups: [""], apiVersions: ["v1"], resources: [secrets]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`
	tail = `  sideEffects: None
  admissionReviewVersions: [v1]
`
)

// plantedChanges are what people change, on purpose and by mistake.
func plantedChanges() []planted {
	all := append(plantedMatching(), plantedWebhooks()...)
	return append(all, plantedPolicies()...)
}

// plantedMatching are changes of when webhooks are called.
func plantedMatching() []planted {
	return []planted{
		{
			row{"key of a namespaceSelector", "a typo selects no namespace"},
			[]string{"{matchLabels: {environment: prod}}", "{matchLabels: {enviroment: prod}}"},
			[]string{latest + ": namespaceSelector: enviroment=prod instead of environment=prod"}, 6,
		},
		{
			row{"value of a namespaceSelector", "another value selects other namespaces"},
			[]string{"{matchLabels: {environment: prod}}", "{matchLabels: {environment: staging}}"},
			[]string{latest + ": namespaceSelector: environment=staging instead of environment=prod"}, 12,
		},
		{
			row{"namespaceSelector removed", "all namespaces are selected"},
			[]string{"  namespaceSelector: {matchLabels: {environment: prod}}\n", ""},
			[]string{latest + ": namespaceSelector: environment=prod removed"}, 8,
		},
		{
			row{"namespaceSelector inverted", "In for NotIn"},
			[]string{"operator: In,", "operator: NotIn,"},
			[]string{exec + ": namespaceSelector: environment notin (prod,staging) instead of environment in (prod,staging)"}, 12,
		},
		{
			row{"namespaceSelector narrowed", "one value less"},
			[]string{"values: [prod, staging]", "values: [prod]"},
			[]string{exec + ": namespaceSelector: environment in (prod) instead of environment in (prod,staging)"}, 4,
		},
		{
			row{"key of an objectSelector", "a typo selects no object"},
			[]string{`objectSelector: {matchLabels: {inject: "true"}}`, `objectSelector: {matchLabels: {injects: "true"}}`},
			[]string{seen + ": objectSelector: injects=true instead of inject=true"}, 18,
		},
		{
			row{"objectSelector removed", "all objects are selected"},
			[]string{"  objectSelector: {matchLabels: {inject: \"true\"}}\n", ""},
			[]string{seen + ": objectSelector: inject=true removed"}, 18,
		},
		{
			row{"objectSelector on CONNECT", "the options of exec have no labels"},
			[]string{"operator: In, values: [prod, staging]}]}\n", "operator: In, values: [prod, staging]}]}\n  objectSelector: {matchLabels: {app: web}}\n"},
			[]string{exec + ": objectSelector: app=web added"}, 8,
		},
		{
			row{"parent for subresource", "deployments for deployments/scale"},
			[]string{"resources: [deployments/scale]", "resources: [deployments]"},
			[]string{replicas + ": rules[0].resources: deployments instead of deployments/scale"}, 24,
		},
		{
			row{"star has no subresources", "* for deployments/scale"},
			[]string{"resources: [deployments/scale]", `resources: ["*"]`},
			[]string{replicas + ": rules[0].resources: * instead of deployments/scale"}, 24,
		},
		{
			row{"other subresource", "attach for exec"},
			[]string{"resources: [pods/exec]", "resources: [pods/attach]"},
			[]string{exec + ": rules[0].resources: pods/attach instead of pods/exec"}, 8,
		},
		{
			row{"resource less", "one of two resources is left"},
			[]string{"resources: [statefulsets, daemonsets]", "resources: [statefulsets]"},
			[]string{replicas + ": rules[1].resources: without daemonsets"}, 12,
		},
		{
			row{"operation less", "without UPDATE"},
			[]string{"operations: [CREATE, UPDATE], apiGroups: [\"\"], apiVersions: [v1], resources: [pods]", "operations: [CREATE], apiGroups: [\"\"], apiVersions: [v1], resources: [pods]"},
			[]string{latest + ": rules[0].operations: without UPDATE"}, 2,
		},
		{
			row{"operation more", "with CREATE"},
			[]string{"{operations: [UPDATE], apiGroups: [apps]", "{operations: [UPDATE, CREATE], apiGroups: [apps]"},
			[]string{replicas + ": rules[0].operations: with CREATE"}, 0,
		},
		{
			row{"all operations", "* for DELETE"},
			[]string{"{operations: [DELETE]", `{operations: ["*"]`},
			[]string{deletion + ": rules[0].operations: * instead of DELETE"}, 12,
		},
		{
			row{"old group", "extensions for apps, which is not served any more"},
			[]string{"apiGroups: [apps], apiVersions: [v1], resources: [deployments/scale]", "apiGroups: [extensions], apiVersions: [v1], resources: [deployments/scale]"},
			[]string{replicas + ": rules[0].apiGroups: extensions instead of apps"}, 24,
		},
		{
			row{"wrong group", "apps for the core group"},
			[]string{"apiGroups: [\"\"], apiVersions: [v1], resources: [pods]}]\n  reinv", "apiGroups: [apps], apiVersions: [v1], resources: [pods]}]\n  reinv"},
			[]string{team + ": rules[0].apiGroups: apps instead of \"\""}, 24,
		},
		{
			row{"scope", "Cluster for Namespaced"},
			[]string{"scope: Namespaced}]", "scope: Cluster}]"},
			[]string{latest + ": rules[0].scope: Cluster instead of Namespaced"}, 6,
		},
		{
			row{"rule removed", "one of two rules"},
			[]string{"  - {operations: [CREATE], apiGroups: [apps], apiVersions: [v1], resources: [statefulsets, daemonsets]}\n", ""},
			[]string{replicas + ": rules: without {\"apiGroups\":[\"apps\"],\"apiVersions\":[\"v1\"],\"operations\":[\"CREATE\"]," +
				"\"resources\":[\"statefulsets\",\"dae…"}, 24,
		},
		{
			row{"rule added", "a second rule"},
			[]string{"resources: [secrets]}]", "resources: [secrets]}, {operations: [DELETE], apiGroups: [\"\"], apiVersions: [v1], resources: [services]}]"},
			[]string{"webhook second.example.com of configuration b-seen: rules: with {\"apiGroups\":[\"\"],\"apiVersions\":[\"v1\"]," +
				"\"operations\":[\"DELETE\"],\"resources\":[\"services\"]}"}, 12,
		},
		{
			row{"Exact", "Exact for Equivalent does not see another version"},
			[]string{"matchPolicy: Equivalent", "matchPolicy: Exact"},
			[]string{widgets + ": matchPolicy: Exact instead of Equivalent"}, 12,
		},
		{
			row{"other version", "v1beta1 for v1, which Equivalent sees all the same, in another version"},
			[]string{"apiGroups: [shop.example.com], apiVersions: [v1]", "apiGroups: [shop.example.com], apiVersions: [v1beta1]"},
			[]string{widgets + ": rules[0].apiVersions: v1beta1 instead of v1"}, 0,
		},
		{
			row{"condition without has()", "it fails for objects without labels, and with it the request"},
			[]string{"!has(object.metadata.labels) || !('exempt' in object.metadata.labels)\"}\n  side", "!('exempt' in object.metadata.labels)\"}\n  side"},
			[]string{latest + ": matchConditions[not-exempt].expression: !('exempt' in object.metadata.labels) instead of " +
				"!has(object.metadata.labels) || !('exempt' in object.metadata.labels)"}, 1,
		},
		{
			row{"condition without has() and Ignore", "it fails for objects without labels, and the webhook is not called"},
			[]string{"has(object.metadata.labels) && object.metadata.labels.size() > 0", "object.metadata.labels.size() >= 0"},
			[]string{down + ": matchConditions[labelled].expression: object.metadata.labels.size() >= 0 instead of " +
				"has(object.metadata.labels) && object.metadata.labels.size() > 0"}, 0,
		},
		{
			row{"condition removed", "system users are seen"},
			[]string{"  - {name: not-system, expression: \"!request.userInfo.username.startsWith('system:')\"}\n  - {name: not-exempt", "  - {name: not-exempt"},
			[]string{latest + ": matchConditions[not-system] removed"}, 2,
		},
		{
			row{"condition added", "only alice is seen"},
			[]string{"  - {name: not-exempt", "  - {name: only-alice, expression: \"request.userInfo.username == 'bob'\"}\n  - {name: not-exempt"},
			[]string{latest + ": matchConditions[only-alice] added"}, 6,
		},
		{
			row{"condition inverted", "a lost exclamation mark"},
			[]string{"expression: \"!request.userInfo.username.startsWith('system:')\"}\n  - {name: not-exempt", "expression: \"request.userInfo.username.startsWith('system:')\"}\n  - {name: not-exempt"},
			[]string{latest + ": matchConditions[not-system].expression: request.userInfo.username.startsWith('system:') instead of " +
				"!request.userInfo.username.startsWith('system:')"}, 6,
		},
	}
}

// plantedWebhooks are changes of the order of webhooks, and of what follows a call.
func plantedWebhooks() []planted {
	return []planted{
		{
			row{"rename that changes the order", "the second configuration comes first now"},
			[]string{"metadata: {name: a-team}", "metadata: {name: z-team}"},
			[]string{"configuration a-team renamed to z-team"}, 6,
		},
		{
			row{"rename that does not", "nothing but the name is another one"},
			[]string{"metadata: {name: a-team}", "metadata: {name: aa-team}"},
			[]string{"configuration a-team renamed to aa-team"}, 0,
		},
		{
			row{"rename of a validating configuration", "calls of the validating phase have no order"},
			[]string{"metadata: {name: latest}", "metadata: {name: z-latest}"},
			[]string{"configuration latest renamed to z-latest"}, 0,
		},
		{
			row{"rename of a webhook", "the message of a denial names it"},
			[]string{"name: latest.example.com", "name: images.example.com"},
			[]string{latest + " renamed to images.example.com"}, 4,
		},
		{
			row{"failurePolicy", "Fail for Ignore, and the webhook is down"},
			[]string{"  failurePolicy: Ignore\n", "  failurePolicy: Fail\n"},
			[]string{down + ": failurePolicy: Fail instead of Ignore"}, 9,
		},
		{
			row{"failurePolicy removed", "the default is Fail"},
			[]string{"  failurePolicy: Ignore\n", ""},
			[]string{down + ": failurePolicy: Ignore removed"}, 9,
		},
		{
			row{"default written out", "it has no effect"},
			[]string{"  matchPolicy: Exact\n", "  matchPolicy: Exact\n  timeoutSeconds: 10\n"},
			[]string{deletion + ": timeoutSeconds: 10 added"}, 0,
		},
		{
			row{"reinvocationPolicy", "Never for IfNeeded: there is no second round"},
			[]string{"reinvocationPolicy: IfNeeded", "reinvocationPolicy: Never"},
			[]string{team + ": reinvocationPolicy: Never instead of IfNeeded"}, 6,
		},
		{
			row{"path", "another path answers differently"},
			[]string{"path: /latest", "path: /latest2"},
			[]string{latest + ": clientConfig.service.path: /latest2 instead of /latest"}, 4,
		},
		{
			row{"service", "it is another server, which answers the same here"},
			[]string{"name: hooks, path: /exec", "name: hook, path: /exec"},
			[]string{exec + ": clientConfig.service.name: hook instead of hooks"}, 0,
		},
		{
			row{"webhook removed", "one of a configuration"},
			[]string{secondWebhook, ""},
			[]string{"webhook second.example.com of configuration b-seen removed"}, 12,
		},
		{
			row{"webhook added", "one of a configuration"},
			[]string{secondWebhook, secondWebhook + "- name: third.example.com\n  clientConfig: {service: {namespace: shop, name: hooks, path: /warn}}\n" +
				"  rules: [{operations: [CREATE], apiGroups: [\"\"], apiVersions: [v1], resources: [services]}]\n" + tail},
			[]string{"webhook third.example.com of configuration b-seen added"}, 12,
		},
		{
			row{"webhook moved", "the order within a configuration is that of the file; only their audit annotations tell"},
			[]string{secondWebhook, "", "metadata: {name: b-seen}\nwebhooks:\n", "metadata: {name: b-seen}\nwebhooks:\n" + secondWebhook},
			[]string{"configuration b-seen: webhooks in another order: second.example.com, seen.example.com instead of " +
				"seen.example.com, second.example.com"}, 0,
		},
		{
			row{"configuration removed", "its only webhook is not called"},
			[]string{"kind: MutatingWebhookConfiguration\nmetadata: {name: a-team}\nwebhooks:\n- name: team.example.com\n" +
				"  clientConfig: {service: {namespace: shop, name: hooks, path: /team}}\n" +
				"  rules: [{operations: [CREATE], apiGroups: [\"\"], apiVersions: [v1], resources: [pods]}]\n" +
				"  reinvocationPolicy: IfNeeded\n" + tail + "---\napiVersion: admissionregistration.k8s.io/v1\n", ""},
			[]string{"configuration a-team removed"}, 24,
		},
		{
			row{"configuration added", "a webhook that is down, and Fail"},
			[]string{"metadata: {name: unreliable}\n", "metadata: {name: secrets}\nwebhooks:\n- name: secrets.example.com\n" +
				"  clientConfig: {service: {namespace: shop, name: hooks, path: /down}}\n" +
				"  rules: [{operations: [CREATE], apiGroups: [\"\"], apiVersions: [v1], resources: [secrets]}]\n" + tail +
				"---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: unreliable}\n"},
			[]string{"configuration secrets added"}, 12,
		},
		{
			row{"label of a namespace removed", "the namespace is not selected"},
			[]string{"{name: blue, labels: {environment: prod}}", "{name: blue, labels: {}}"},
			[]string{"namespace blue: metadata.labels.environment: prod removed"}, 10,
		},
		{
			row{"label of a namespace", "another value is not selected"},
			[]string{"environment: staging, sizes", "environment: dev, sizes"},
			[]string{"namespace green: metadata.labels.environment: dev instead of staging"}, 4,
		},
		{
			row{"namespace removed", "it exists without its labels"},
			[]string{"---\napiVersion: v1\nkind: Namespace\nmetadata: {name: blue, labels: {environment: prod}}\n", ""},
			[]string{"namespace blue removed"}, 10,
		},
		{
			row{"version not served", "its requests cannot be admitted"},
			[]string{"  - name: v1beta1\n    served: true", "  - name: v1beta1\n    served: false"},
			[]string{"CustomResourceDefinition widgets.shop.example.com: versions[v1beta1].served: false instead of true"}, 0,
		},
		{
			row{"schema", "fields that it does not know are pruned"},
			[]string{"{size: {type: integer}}", "{length: {type: integer}}"},
			[]string{"CustomResourceDefinition widgets.shop.example.com: versions[v1].schema.openAPIV3Schema: " +
				`{"properties":{"spec":{"properties":{"length":{"type":"integer"}},"type":"object"}},"type":"object"} instead of ` +
				`{"properties":{"spec":{"properties":{"size":{"type":"integer"}},"type":"object"}},"type":"object"}`}, 12,
		},
	}
}
