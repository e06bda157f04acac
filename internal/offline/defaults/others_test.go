package defaults

import (
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

func TestCore(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []defaulted{
		{testtable.Row{"namespace", "namespaceSelectors of webhooks find namespaces by their name with this label"}, of(namespace), `metadata: {name: shop, labels: {team: a}}`, `
			metadata.labels.kubernetes.io/metadata.name: shop
			status.phase: Active`},
		{testtable.Row{"namespace under a false name", "the label is the server's own, so that no selector can be deceived"}, of(namespace), `
{metadata: {name: shop, labels: {kubernetes.io/metadata.name: kube-system}}, status: {phase: Terminating}}`, `metadata.labels.kubernetes.io/metadata.name: shop`},
		{testtable.Row{"namespace without a name", "there is nothing to label it with before the name has been made"}, of(namespace), `metadata: {generateName: shop-}`, `status.phase: Active`},
		{testtable.Row{"secret", "no controller interprets it"}, of(secret), `data: {a: Yg==}`, `type: Opaque`},
		{testtable.Row{"secret of a type", "the type is kept, and so is stringData, which is still there after a patch: merging it is no defaulting"}, of(secret), `{type: kubernetes.io/tls, stringData: {a: b}}`, ``},
		{testtable.Row{"node", "all that there is may be used"}, of(node), `status: {capacity: {cpu: 1500u}}`, `
			status.allocatable.cpu: 2m
			status.capacity.cpu: 2m`},
		{testtable.Row{"node that keeps something back", "nothing is added to what may be used"}, of(node), `status: {capacity: {cpu: "2", memory: 1Gi}, allocatable: {cpu: "1"}}`, ``},
		{testtable.Row{"limits of containers", "a maximum is the limit, the limit is the request, and the minimum is the request of last resort"}, of(limitRange), `
spec: {limits: [{type: Container, max: {cpu: "2"}, default: {memory: 1Gi}, min: {cpu: "1", ephemeral-storage: 1Gi}}]}`, `
			spec.limits[0].default.cpu: 2
			spec.limits[0].defaultRequest.cpu: 2
			spec.limits[0].defaultRequest.ephemeral-storage: 1Gi
			spec.limits[0].defaultRequest.memory: 1Gi`},
		{testtable.Row{"limits of pods", "only containers are given anything"}, of(limitRange), `spec: {limits: [{type: Pod, max: {cpu: 1500u}}]}`, `spec.limits[0].max.cpu: 2m`},
		{testtable.Row{"quota", "its quantities are rounded"}, of(resourceQuota), `{spec: {hard: {cpu: 1u}}, status: {hard: {cpu: 1u}, used: {cpu: 1u}}}`, `
			spec.hard.cpu: 1m
			status.hard.cpu: 1m
			status.used.cpu: 1m`},
		{testtable.Row{"runtime class", "its quantities are rounded"}, of(runtimeClass), `{handler: h, overhead: {podFixed: {cpu: 1u}}}`, `overhead.podFixed.cpu: 1m`},
	}, func(t *testing.T, r defaulted) { r.check(t) })
}

func TestRoles(t *testing.T) {
	t.Parallel()
	const subjects = `subjects: [{kind: User, name: u}, {kind: Group, name: g}, {kind: ServiceAccount, name: s}, {kind: Other, name: o}]`
	const lines = `
			roleRef.apiGroup: rbac.authorization.k8s.io
			subjects[0].apiGroup: rbac.authorization.k8s.io
			subjects[1].apiGroup: rbac.authorization.k8s.io`
	testtable.Run(t, []defaulted{
		{testtable.Row{"RoleBinding", "users and groups are of the group of RBAC; service accounts are of the core; others are not known"}, of(roleBinding), `{roleRef: {kind: Role, name: r}, ` + subjects + `}`, lines},
		{testtable.Row{"ClusterRoleBinding", "as above"}, of(clusterRoleBinding), `{roleRef: {kind: ClusterRole, name: r}, ` + subjects + `}`, lines},
	}, func(t *testing.T, r defaulted) { r.check(t) })
}

func TestDevices(t *testing.T) {
	t.Parallel()
	const requests = `devices: {requests: [{name: a, exactly: {deviceClassName: c, tolerations: [{key: k}]}}, {name: b, exactly: {deviceClassName: c, allocationMode: All}},
  {name: d, firstAvailable: [{name: e, deviceClassName: c, count: 2, tolerations: [{key: k, operator: Exists}]}, {name: f, deviceClassName: c, tolerations: [{key: k}]}]}]}`
	lines := func(prefix string) string {
		return prefix + `requests[0].exactly.allocationMode: ExactCount
			` + prefix + `requests[0].exactly.count: 1
			` + prefix + `requests[0].exactly.tolerations[0].operator: Equal
			` + prefix + `requests[2].firstAvailable[0].allocationMode: ExactCount
			` + prefix + `requests[2].firstAvailable[1].allocationMode: ExactCount
			` + prefix + `requests[2].firstAvailable[1].count: 1
			` + prefix + `requests[2].firstAvailable[1].tolerations[0].operator: Equal`
	}
	const flat = `devices: {requests: [{name: a, deviceClassName: c, tolerations: [{key: k}]}, {name: d, firstAvailable: [{name: e, deviceClassName: c}]}]}`
	flatLines := func(prefix string) string {
		return prefix + `requests[0].allocationMode: ExactCount
			` + prefix + `requests[0].count: 1
			` + prefix + `requests[0].tolerations[0].operator: Equal
			` + prefix + `requests[1].firstAvailable[0].allocationMode: ExactCount
			` + prefix + `requests[1].firstAvailable[0].count: 1`
	}
	const allocated = `status: {allocation: {devices: {results: [{request: r, driver: d, pool: p, device: d, tolerations: [{key: k}]}]}}}`
	const allocatedLine = `status.allocation.devices.results[0].tolerations[0].operator: Equal`
	testtable.Run(t, []defaulted{
		{testtable.Row{"claim", "one device, unless all are wanted or a number is written"}, of(resourceClaim), `spec: {` + requests + `}`, lines("spec.devices.")},
		{testtable.Row{"claim v1beta2", "the same in the version before"}, of(resourceClaimBeta2), `spec: {` + requests + `}`, lines("spec.devices.")},
		{testtable.Row{"claim v1beta1", "a request is one device itself, or has alternatives and says nothing"}, of(resourceClaimBeta1), `spec: {` + flat + `}`, flatLines("spec.devices.")},
		{testtable.Row{"template", "a claim within an object"}, of(resourceClaimTemplate), `spec: {spec: {` + requests + `}}`, lines("spec.spec.devices.")},
		{testtable.Row{"template v1beta2", "the same in the version before"}, of(resourceClaimTemplateBeta2), `spec: {spec: {` + requests + `}}`, lines("spec.spec.devices.")},
		{testtable.Row{"template v1beta1", "the same in the version before"}, of(resourceClaimTemplateBeta1), `spec: {spec: {` + flat + `}}`, flatLines("spec.spec.devices.")},
		{testtable.Row{"allocated", "tolerations are copied to the result, which is completed as well"}, of(resourceClaim), allocated, allocatedLine},
		{testtable.Row{"allocated v1beta2", "the same in the version before"}, of(resourceClaimBeta2), allocated, allocatedLine},
		{testtable.Row{"allocated v1beta1", "the same in the version before"}, of(resourceClaimBeta1), allocated, allocatedLine},
	}, func(t *testing.T, r defaulted) { r.check(t) })
}

func TestCluster(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []defaulted{
		{testtable.Row{"priority class", "who is more important may take the place"}, of(priorityClass), `value: 1`, `preemptionPolicy: PreemptLowerPriority`},
		{testtable.Row{"pod group", "its pods may be disrupted one by one"}, of(podGroup), `{}`, `spec.disruptionMode.single: {}`},
		{testtable.Row{"pod group of all or none", "a union has one member"}, of(podGroup), `spec: {disruptionMode: {all: {}}}`, ``},
		{testtable.Row{"pod group v1alpha3", "the same in the version before"}, of(podGroupAlpha), `{}`, `spec.disruptionMode.single: {}`},
		{testtable.Row{"composite pod group", "its groups may be disrupted one by one"}, of(compositePodGroup), `{}`, `spec.disruptionMode.single: {}`},
		{testtable.Row{"flow schema", "in the middle of the range"}, of(flowSchema), `{}`, `spec.matchingPrecedence: 1000`},
		{testtable.Row{"limited priority level", "queues are completed only where there are some"}, of(priorityLevel), `spec: {type: Limited, limited: {limitResponse: {type: Queue, queuing: {}}}}`, `
			spec.limited.lendablePercent: 0
			spec.limited.limitResponse.queuing.handSize: 8
			spec.limited.limitResponse.queuing.queueLengthLimit: 50
			spec.limited.limitResponse.queuing.queues: 64
			spec.limited.nominalConcurrencyShares: 30`},
		{testtable.Row{"priority level with zero shares", "since v1 zero is an answer"}, of(priorityLevel), `spec: {type: Limited, limited: {nominalConcurrencyShares: 0, lendablePercent: 1, limitResponse: {type: Reject}}}`, ``},
		{testtable.Row{"exempt priority level", "it lends and borrows nothing"}, of(priorityLevel), `spec: {type: Exempt, exempt: {}}`, `
			spec.exempt.lendablePercent: 0
			spec.exempt.nominalConcurrencyShares: 0`},
		{testtable.Row{"token", "an hour"}, of(tokenRequest), `spec: {audiences: [a]}`, `spec.expirationSeconds: 3600`},
		{testtable.Row{"pod certificate", "a day"}, of(podCertificateRequest), `{}`, `spec.maxExpirationSeconds: 86400`},
		{testtable.Row{"pod certificate v1beta1", "the same in the version before"}, of(podCertificateRequestBeta), `spec: {maxExpirationSeconds: 3600}`, ``},
		{testtable.Row{"status of pools", "a hundred of them"}, of(poolStatusRequest), `{}`, `spec.limit: 100`},
	}, func(t *testing.T, r defaulted) { r.check(t) })
}
