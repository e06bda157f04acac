package rbac

// userRoles are the roles that administrators bind to users and to service
// accounts.
func userRoles() []bootstrapRole {
	const (
		toAdmin = "rbac.authorization.k8s.io/aggregate-to-admin"
		toEdit  = "rbac.authorization.k8s.io/aggregate-to-edit"
		toView  = "rbac.authorization.k8s.io/aggregate-to-view"
		probes  = "/healthz /livez /readyz /version /version/"
	)
	return []bootstrapRole{
		{name: "cluster-admin", grants: []grant{
			{verbs: "*", groups: "*", resources: "*"}, {verbs: "*", urls: "*"},
		}},
		{name: "admin", selects: toAdmin},
		{name: "edit", label: toAdmin, selects: toEdit},
		{name: "view", label: toEdit, selects: toView},
		{name: "system:aggregate-to-admin", label: toAdmin, grants: []grant{
			{verbs: "create", groups: "authorization.k8s.io", resources: "localsubjectaccessreviews"},
			{verbs: readWrite, groups: "rbac.authorization.k8s.io", resources: "roles rolebindings"},
		}},
		{name: "system:aggregate-to-edit", label: toEdit, grants: editGrants()},
		{name: "system:aggregate-to-view", label: toView, grants: viewGrants()},
		{name: "system:discovery", grants: []grant{
			{verbs: "get", urls: probes + " /openapi /openapi/* /api /api/* /apis /apis/*"},
		}},
		{name: "system:public-info-viewer", grants: []grant{{verbs: "get", urls: probes}}},
		{name: "system:basic-user", grants: []grant{
			{
				verbs: "create", groups: "authorization.k8s.io",
				resources: "selfsubjectaccessreviews selfsubjectrulesreviews",
			},
			{verbs: "create", groups: "authentication.k8s.io", resources: "selfsubjectreviews"},
		}},
		{name: "system:auth-delegator", grants: reviewGrants()},
		{name: "system:service-account-issuer-discovery", grants: []grant{
			{verbs: "get", urls: "/.well-known/openid-configuration /openid/v1/jwks"},
		}},
		{name: "system:monitoring", grants: []grant{{
			verbs: "get",
			urls:  "/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*",
		}}},
	}
}

// reviewGrants let a component create TokenReviews and access reviews.
func reviewGrants() []grant {
	return []grant{
		{verbs: "create", groups: "authentication.k8s.io", resources: "tokenreviews"},
		{verbs: "create", groups: "authorization.k8s.io", resources: "subjectaccessreviews"},
	}
}

func editGrants() []grant {
	const (
		connect = "pods/attach pods/exec pods/portforward pods/proxy"
		scaled  = "deployments deployments/scale replicasets replicasets/scale"
	)
	return []grant{
		{verbs: read, groups: core, resources: connect + " secrets services/proxy"},
		{verbs: "impersonate", groups: core, resources: "serviceaccounts"},
		{verbs: write, groups: core, resources: "pods " + connect},
		{verbs: "create", groups: core, resources: "pods/eviction"},
		{verbs: write, groups: core, resources: "configmaps events persistentvolumeclaims secrets" +
			" replicationcontrollers replicationcontrollers/scale serviceaccounts services services/proxy"},
		{verbs: "create", groups: core, resources: "serviceaccounts/token"},
		{verbs: write, groups: "apps", resources: scaled +
			" daemonsets deployments/rollback statefulsets statefulsets/scale"},
		{verbs: write, groups: "autoscaling", resources: "horizontalpodautoscalers"},
		{verbs: write, groups: "batch", resources: "cronjobs jobs"},
		{verbs: write, groups: "extensions", resources: scaled + " daemonsets deployments/rollback" +
			" ingresses networkpolicies replicationcontrollers/scale"},
		{verbs: write, groups: "policy", resources: "poddisruptionbudgets"},
		{verbs: write, groups: "networking.k8s.io", resources: "ingresses networkpolicies"},
		{verbs: readWrite, groups: "coordination.k8s.io", resources: "leases"},
	}
}

func viewGrants() []grant {
	const scaled = "deployments deployments/scale deployments/status daemonsets daemonsets/status" +
		" replicasets replicasets/scale replicasets/status"
	return []grant{
		{verbs: read, groups: core, resources: "configmaps endpoints persistentvolumeclaims" +
			" persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale" +
			" serviceaccounts services services/status"},
		{verbs: read, groups: core, resources: "bindings events limitranges namespaces/status pods/log" +
			" pods/status replicationcontrollers/status resourcequotas resourcequotas/status"},
		{verbs: read, groups: core, resources: "namespaces"},
		{verbs: read, groups: "discovery.k8s.io", resources: "endpointslices"},
		{verbs: read, groups: "apps", resources: scaled +
			" controllerrevisions statefulsets statefulsets/scale statefulsets/status"},
		{
			verbs: read, groups: "autoscaling",
			resources: "horizontalpodautoscalers horizontalpodautoscalers/status",
		},
		{verbs: read, groups: "batch", resources: "cronjobs cronjobs/status jobs jobs/status"},
		{verbs: read, groups: "extensions", resources: scaled +
			" ingresses ingresses/status networkpolicies replicationcontrollers/scale"},
		{
			verbs: read, groups: "policy",
			resources: "poddisruptionbudgets poddisruptionbudgets/status",
		},
		{
			verbs: read, groups: "networking.k8s.io",
			resources: "ingresses ingresses/status networkpolicies",
		},
	}
}
