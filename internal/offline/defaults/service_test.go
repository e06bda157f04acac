package defaults

import (
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

func TestServices(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []defaulted{
		{testtable.Row{"port only", "the least that a service has to say"}, of(service), `spec: {ports: [{port: 80}]}`, `
			spec.internalTrafficPolicy: Cluster
			spec.ports[0].protocol: TCP
			spec.ports[0].targetPort: 80
			spec.sessionAffinity: None
			spec.type: ClusterIP`},
		{testtable.Row{"target with a name", "the port of the pods is found by its name"}, of(service), `
spec: {type: ClusterIP, internalTrafficPolicy: Local, sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 1}}, ports: [{port: 80, targetPort: http, protocol: UDP}]}`, ``},
		{testtable.Row{"empty target", "an empty name is none"}, of(servicePort), `{port: 80, targetPort: "", protocol: TCP}`, `targetPort: 80`},
		{testtable.Row{"node port", "who comes from outside is sent to any node"}, of(service), `spec: {type: NodePort}`, `
			spec.externalTrafficPolicy: Cluster
			spec.internalTrafficPolicy: Cluster
			spec.sessionAffinity: None`},
		{testtable.Row{"load balancer", "it has node ports, and addresses are the balancer's own"}, of(service), `
{spec: {type: LoadBalancer}, status: {loadBalancer: {ingress: [{ip: 192.0.2.1}, {hostname: h}, {ip: 192.0.2.2, ipMode: Proxy}]}}}`, `
			spec.allocateLoadBalancerNodePorts: true
			spec.externalTrafficPolicy: Cluster
			spec.internalTrafficPolicy: Cluster
			spec.sessionAffinity: None
			status.loadBalancer.ingress[0].ipMode: VIP`},
		{testtable.Row{"external IPs", "they make a cluster IP reachable from outside"}, of(service), `spec: {externalIPs: [192.0.2.1]}`, `
			spec.externalTrafficPolicy: Cluster
			spec.internalTrafficPolicy: Cluster
			spec.sessionAffinity: None
			spec.type: ClusterIP`},
		{testtable.Row{"external name", "there is no traffic to have a policy for"}, of(service), `spec: {type: ExternalName, externalName: example.com}`,
			`spec.sessionAffinity: None`},
		{testtable.Row{"affinity", "three hours"}, of(affinity), `sessionAffinity: ClientIP`, `sessionAffinityConfig.clientIP.timeoutSeconds: 10800`},
		{testtable.Row{"no affinity", "what it says about it is dropped, which is kept from upstream"}, of(affinity), `{sessionAffinityConfig: {clientIP: {timeoutSeconds: 1}}}`, `
			-sessionAffinityConfig.clientIP.timeoutSeconds
			sessionAffinity: None`},
		{testtable.Row{"endpoints", "TCP unless it is something else"}, of(endpoints), `subsets: [{ports: [{port: 80}, {port: 53, protocol: UDP}]}]`, `subsets[0].ports[0].protocol: TCP`},
		{testtable.Row{"endpoint slice", "a port without a name has an empty one"}, of(endpointSlice), `{addressType: IPv4, endpoints: [], ports: [{port: 80}, {name: a, protocol: UDP}]}`, `
			ports[0].name:
			ports[0].protocol: TCP`},
	}, func(t *testing.T, r defaulted) { r.check(t) })
}

func TestNetworks(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []defaulted{
		{testtable.Row{"nothing in or out", "a policy without rules is about what comes in"}, of(networkPolicy), `spec: {podSelector: {}}`, `spec.policyTypes[0]: Ingress`},
		{testtable.Row{"rules for both", "rules for what goes out make it about that, too"}, of(networkPolicy), `
spec: {podSelector: {}, ingress: [{ports: [{port: 80}, {port: 53, protocol: UDP}]}], egress: [{ports: [{port: 443}]}]}`, `
			spec.egress[0].ports[0].protocol: TCP
			spec.ingress[0].ports[0].protocol: TCP
			spec.policyTypes[0]: Ingress
			spec.policyTypes[1]: Egress`},
		{testtable.Row{"types that are written", "rules do not add to them"}, of(networkPolicy), `spec: {podSelector: {}, policyTypes: [Ingress], egress: [{}]}`, ``},
		{testtable.Row{"ingress class", "its parameters are for the cluster"}, of(ingressClass), `spec: {parameters: {kind: K, name: k}}`, `spec.parameters.scope: Cluster`},
		{testtable.Row{"ingress class without parameters", "none are made"}, of(ingressClass), `spec: {controller: c}`, ``},
	}, func(t *testing.T, r defaulted) { r.check(t) })
}
