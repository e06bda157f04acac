package generate

// realConditions ask what conditions and validations of public projects ask,
// each in a form of our own: the project above a group is where its subjects
// come from, not its texts.
var realConditions = []string{
	// kubernetes/website, Dynamic Admission Control: matchConditions.
	`!(request.resource.group == 'coordination.k8s.io' && request.resource.resource == 'leases')`,
	`!('system:nodes' in request.userInfo.groups)`,
	`request.resource.group != 'rbac.authorization.k8s.io'`,
	`!authorizer.group('admissionregistration.k8s.io').resource('validatingwebhookconfigurations').name('hook.example.com').check('breakglass').allowed()`,
	// kubernetes/enhancements, KEP-3716.
	`!(request.userInfo.username.startsWith('system:serviceaccount:kube-system:'))`,
	`object.metadata.?labels['app'].orValue('') != 'kubernetes-bootcamp'`,
	// kubernetes/website, Validating Admission Policy.
	`object.spec.replicas <= 5`,
	`has(object.metadata.labels) && 'environment' in object.metadata.labels && object.metadata.labels.environment in ['test', 'dev']`,
	`object.spec.template.spec.containers.all(c, c.image.startsWith('registry.example.com/'))`,
	`[object.metadata, oldObject.metadata].exists(m, has(m.labels) && 'breakglass' in m.labels)`,
	`!has(oldObject.spec) || object.spec == oldObject.spec`,
	// kubernetes/website, Common Expression Language in Kubernetes.
	`object.data.all(k, object.data[k].matches('^[0-9]*$'))`,
	`type(object.spec.maxSurge) == string ? object.spec.maxSurge == '99%' : object.spec.maxSurge == 42`,
	`['x', 'y'].exists_one(n, n == object.metadata.name)`,
	`isURL('https://example.com:8443/') && url('https://example.com:8443/').getPort() == '8443'`,
	`quantity('1.5Gi').compareTo(quantity('1500Mi')) > 0`,
	`object.spec.containers.map(c, c.name).sum() == 'main' || true`,
	`request.name.find('[0-9]+') == ''`,
	// kubernetes-sigs/gateway-api: validations of routes and gateways.
	`!has(object.spec.list) || object.spec.list.all(l, !(dyn(l) == '*'))`,
	`object.spec.list.all(a, object.spec.list.exists_one(b, dyn(a) == dyn(b)))`,
	`has(object.spec.size) ? object.spec.size >= 1 && object.spec.size <= 65535 : true`,
	// kubernetes-sigs/cluster-api: validations of topologies.
	`oldObject == null || !has(oldObject.spec.size) || object.spec.size >= oldObject.spec.size`,
	`size(object.metadata.name) <= 63 && !format.dns1123Label().validate(object.metadata.name).hasValue()`,
	// open-policy-agent/gatekeeper-library: templates with a CEL source.
	`['a', 'b'].all(k, has(object.metadata.labels) && k in object.metadata.labels)`,
	`(has(object.spec.containers) ? object.spec.containers : []).filter(c, !(has(c.securityContext) && c.securityContext.?privileged.orValue(false))).size() > 0`,
	`object.spec.?hostNetwork.orValue(false) == false && object.spec.?hostPID.orValue(false) == false`,
	`object.spec.containers.all(c, ['docker.io/', 'quay.io/'].exists(r, c.image.startsWith(r)))`,
	// kyverno/policies: the variants in CEL.
	`object.spec.containers.all(c, c.image.contains(':') && !c.image.endsWith(':latest'))`,
	`object.spec.containers.all(c, !has(c.ports) || c.ports.all(p, p.?hostPort.orValue(0) == 0))`,
	`object.metadata.?annotations.orValue({}).all(k, v, !k.startsWith('kyverno.io/') && v != '')`,
	`request.operation == 'DELETE' ? oldObject.metadata.?labels['protected'].orValue('') != 'true' : true`,
	// kubescape/cel-admission-library: controls of pods and workloads.
	`object.kind != 'Pod' || object.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && 'cpu' in c.resources.limits)`,
	`object.kind != 'Pod' || !has(object.spec.volumes) || object.spec.volumes.all(v, !has(v.hostPath))`,
	`object.kind != 'Deployment' || object.spec.template.spec.containers.all(c, c.?securityContext.?allowPrivilegeEscalation.orValue(true) == false)`,
	// kubernetes/kubernetes, test/e2e: conditions of test webhooks.
	`object.metadata.name != 'skip-me' && !(has(object.metadata.labels) && object.metadata.labels.?skip.hasValue())`,
}
