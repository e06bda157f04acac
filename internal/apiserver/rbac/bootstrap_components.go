package rbac

import "slices"

// controllerRoles are the roles of the controllers that the server has.
func controllerRoles() []bootstrapRole {
	return []bootstrapRole{
		{name: controllerRole("generic-garbage-collector"), grants: []grant{
			{verbs: read + " patch update delete", groups: "*", resources: "*"},
			eventsGrant(),
		}},
		{name: controllerRole("namespace-controller"), grants: []grant{
			{verbs: read + " delete", groups: core, resources: "namespaces"},
			{verbs: "update", groups: core, resources: "namespaces/finalize namespaces/status"},
			{verbs: "get list delete deletecollection", groups: "*", resources: "*"},
		}},
	}
}

func controllerRole(controller string) string { return "system:controller:" + controller }

// componentRoles are the roles of the components of a cluster. None of them
// runs here, but users bind some of the roles to their own components, such as
// a second scheduler.
func componentRoles() []bootstrapRole {
	return []bootstrapRole{
		{name: "system:kube-scheduler", grants: schedulerGrants()},
		{name: "system:volume-scheduler", grants: []grant{
			{verbs: read + " patch update", groups: core, resources: "persistentvolumes"},
			{verbs: read, groups: "storage.k8s.io", resources: "storageclasses"},
			{verbs: read + " patch update", groups: core, resources: "persistentvolumeclaims"},
		}},
		{name: "system:kube-controller-manager", grants: controllerManagerGrants()},
		{name: "system:persistent-volume-provisioner", grants: []grant{
			{verbs: read + " create delete", groups: core, resources: "persistentvolumes"},
			{verbs: read + " update", groups: core, resources: "persistentvolumeclaims"},
			{verbs: read, groups: "storage.k8s.io", resources: "storageclasses"},
			{verbs: "watch", groups: core, resources: "events"},
			eventsGrant(),
		}},
		{name: "system:kube-aggregator", grants: []grant{
			{verbs: read, groups: core, resources: "endpoints services"},
		}},
		{name: "system:kube-dns", grants: []grant{
			{verbs: "list watch", groups: core, resources: "endpoints services"},
		}},
		{name: "system:node", grants: nodeGrants()},
		{name: "system:node-bootstrapper", grants: []grant{
			signingRequestGrant(),
		}},
		{name: "system:node-problem-detector", grants: []grant{
			{verbs: "get", groups: core, resources: "nodes"},
			{verbs: "patch", groups: core, resources: "nodes/status"},
			eventsGrant(),
		}},
		{name: "system:node-proxier", grants: []grant{
			{verbs: "list watch", groups: core, resources: "endpoints services"},
			{verbs: read, groups: core, resources: "nodes"},
			eventsGrant(),
			{verbs: "list watch", groups: "discovery.k8s.io", resources: "endpointslices"},
		}},
		{name: "system:kubelet-api-admin", grants: []grant{
			{verbs: read, groups: core, resources: "nodes"},
			{verbs: "proxy", groups: core, resources: "nodes"},
			{verbs: "*", groups: core, resources: "nodes/log nodes/metrics nodes/proxy nodes/stats"},
		}},
	}
}

// eventsGrant lets a component report events.
func eventsGrant() grant {
	return grant{
		verbs: "create patch update", groups: core + " events.k8s.io", resources: "events",
	}
}

func signingRequestGrant() grant {
	return grant{
		verbs: read + " create", groups: "certificates.k8s.io", resources: "certificatesigningrequests",
	}
}

// leaseGrants let a component elect a leader by the lease with its name.
func leaseGrants(component string) []grant {
	return []grant{
		{verbs: "create", groups: "coordination.k8s.io", resources: "leases"},
		{verbs: "get update", groups: "coordination.k8s.io", resources: "leases", names: component},
	}
}

func schedulerGrants() []grant {
	return slices.Concat([]grant{eventsGrant()}, leaseGrants("kube-scheduler"), []grant{
		{verbs: read, groups: core, resources: "nodes"},
		{verbs: read + " delete", groups: core, resources: "pods"},
		{verbs: "create", groups: core, resources: "bindings pods/binding"},
		{verbs: "patch update", groups: core, resources: "pods/status"},
		{verbs: read, groups: core, resources: "replicationcontrollers services"},
		{verbs: read, groups: "apps extensions", resources: "replicasets"},
		{verbs: read, groups: "apps", resources: "statefulsets"},
		{verbs: read, groups: "policy", resources: "poddisruptionbudgets"},
		{verbs: read, groups: core, resources: "persistentvolumeclaims persistentvolumes"},
	}, reviewGrants(), []grant{
		{verbs: read, groups: "storage.k8s.io", resources: "csinodes"},
		{verbs: read, groups: core, resources: "namespaces"},
		{verbs: read, groups: "storage.k8s.io", resources: "csidrivers"},
		{verbs: read, groups: "storage.k8s.io", resources: "csistoragecapacities"},
	})
}

func controllerManagerGrants() []grant {
	return slices.Concat([]grant{eventsGrant()}, leaseGrants("kube-controller-manager"), []grant{
		{verbs: "create", groups: core, resources: "secrets serviceaccounts"},
		{verbs: "delete", groups: core, resources: "secrets"},
		{verbs: "get", groups: core, resources: "configmaps namespaces secrets serviceaccounts"},
		{verbs: "update", groups: core, resources: "secrets serviceaccounts"},
	}, reviewGrants(), []grant{
		{verbs: "list watch", groups: "*", resources: "*"},
		{verbs: "create", groups: core, resources: "serviceaccounts/token"},
	})
}

func nodeGrants() []grant {
	return []grant{
		{verbs: "create", groups: "authentication.k8s.io", resources: "tokenreviews"},
		{
			verbs: "create", groups: "authorization.k8s.io",
			resources: "localsubjectaccessreviews subjectaccessreviews",
		},
		{verbs: read, groups: core, resources: "services"},
		{verbs: read + " create", groups: core, resources: "nodes"},
		{verbs: "patch update", groups: core, resources: "nodes/status"},
		{verbs: "patch update", groups: core, resources: "nodes"},
		{verbs: "create patch update", groups: core, resources: "events"},
		{verbs: read, groups: core, resources: "pods"},
		{verbs: "create delete", groups: core, resources: "pods"},
		{verbs: "patch update", groups: core, resources: "pods/status"},
		{verbs: "create", groups: core, resources: "pods/eviction"},
		{verbs: read, groups: core, resources: "configmaps secrets"},
		{verbs: "get", groups: core, resources: "persistentvolumeclaims persistentvolumes"},
		{verbs: "get", groups: core, resources: "endpoints"},
		signingRequestGrant(),
		{
			verbs: "get create delete patch update", groups: "coordination.k8s.io", resources: "leases",
		},
		{verbs: "get", groups: "storage.k8s.io", resources: "volumeattachments"},
		{verbs: "create", groups: core, resources: "serviceaccounts/token"},
		{verbs: "get patch update", groups: core, resources: "persistentvolumeclaims/status"},
		{verbs: read, groups: "storage.k8s.io", resources: "csidrivers"},
		{
			verbs: "get create delete patch update", groups: "storage.k8s.io", resources: "csinodes",
		},
		{verbs: read, groups: "node.k8s.io", resources: "runtimeclasses"},
	}
}
