package defaults

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

// defaulted is a row of the tables of this package: a part of an object, and
// what defaulting changes in it.
type defaulted struct {
	testtable.Row
	part   part
	before string
	want   string
}

func (d defaulted) check(t *testing.T) {
	t.Helper()
	if diff := cmp.Diff(sorted(d.want), d.part(t, d.before)); diff != "" {
		t.Errorf("what is set (-want +got):\n%s", diff)
	}
}

func TestPods(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []defaulted{
		{testtable.Row{"empty template", "every pod template of every workload gets these, whatever else it says"}, of(podTemplate), `{}`, `
			spec.dnsPolicy: ClusterFirst
			spec.restartPolicy: Always
			spec.schedulerName: default-scheduler
			spec.securityContext: {}
			spec.terminationGracePeriodSeconds: 30`},
		{testtable.Row{"empty pod", "service links are for pods alone: templates that were stored before the field existed must not change"}, of(pod), `{}`, `
			spec.dnsPolicy: ClusterFirst
			spec.enableServiceLinks: true
			spec.restartPolicy: Always
			spec.schedulerName: default-scheduler
			spec.securityContext: {}
			spec.terminationGracePeriodSeconds: 30`},
		{testtable.Row{"nothing left to say", "what is written stays, false and zero included"}, of(pod), `
spec: {dnsPolicy: None, enableServiceLinks: false, restartPolicy: Never, schedulerName: mine,
  securityContext: {runAsUser: 0}, terminationGracePeriodSeconds: 0}`, ``},
		{testtable.Row{"service account", "webhooks written for the old name of the field find it, in templates as well"}, of(podTemplate), template + `serviceAccountName: robot}`, `
			spec.serviceAccount: robot`},
		{testtable.Row{"service account by its old name", "webhooks written for the new name find it"}, of(podTemplate), template + `serviceAccount: robot}`, `
			spec.serviceAccountName: robot`},
		{testtable.Row{"two service accounts", "what is written under the new name counts, and the old one does not stay: a policy may look at either"}, of(podTemplate), template + `serviceAccountName: robot, serviceAccount: root}`, `
			spec.serviceAccount: robot`},
		{testtable.Row{"service account of a pod", "pods get it like templates"}, of(pod), complete + `
  serviceAccountName: robot`, `
			spec.serviceAccount: robot`},
		{testtable.Row{"less than no time", "a pod gets the least there is; its validation would reject what was written"}, of(pod), `
spec: {dnsPolicy: None, enableServiceLinks: false, restartPolicy: Never, schedulerName: mine,
  securityContext: {}, terminationGracePeriodSeconds: -30}`, `
			spec.terminationGracePeriodSeconds: 1`},
		{testtable.Row{"less than no time in a template", "templates were never changed so, and their pods will be"}, of(podTemplate), `
spec: {dnsPolicy: None, restartPolicy: Never, schedulerName: mine, securityContext: {}, terminationGracePeriodSeconds: -30}`, ``},
		{testtable.Row{"address of an old kubelet", "those that look at all addresses find the one"}, of(podStatus), `podIP: 10.0.0.1`, `
			podIPs[0].ip: 10.0.0.1`},
		{testtable.Row{"all addresses", "those that look at one address find the first"}, of(podStatus), `podIPs: [{ip: 10.0.0.1}, {ip: "fd00::1"}]`, `
			podIP: 10.0.0.1`},
		{testtable.Row{"addresses that disagree", "an old kubelet that changed the one knew nothing of the others"}, of(podStatus), `{podIP: 10.0.0.2, podIPs: [{ip: 10.0.0.1}, {ip: "fd00::1"}]}`, `
			-podIPs[1].ip
			podIPs[0].ip: 10.0.0.2`},
		{testtable.Row{"addresses that agree", "the others are kept"}, of(podStatus), `{podIP: 10.0.0.1, podIPs: [{ip: 10.0.0.1}, {ip: "fd00::1"}]}`, ``},
		{testtable.Row{"requests from limits", "a container is given what it may use, unless it asks for less; a zero is an answer"}, of(pod), complete + `
  containers:
  - {image: "i:1", terminationMessagePath: /t, terminationMessagePolicy: File, imagePullPolicy: Never,
     resources: {limits: {cpu: "2", memory: 1Gi}, requests: {cpu: "0"}}}
  initContainers:
  - {image: "i:1", terminationMessagePath: /t, terminationMessagePolicy: File, imagePullPolicy: Never,
     resources: {limits: {cpu: "2"}}}`, `
			spec.containers[0].resources.requests.memory: 1Gi
			spec.initContainers[0].resources.requests.cpu: 2`},
		{testtable.Row{"no requests in templates", "a template says what was written; the pods made of it get the requests"}, of(podSpec), `
{dnsPolicy: None, restartPolicy: Never, schedulerName: mine, securityContext: {}, terminationGracePeriodSeconds: 0, hostNetwork: true,
  containers: [{image: "i:1", terminationMessagePath: /t, terminationMessagePolicy: File, imagePullPolicy: Never,
    ports: [{containerPort: 80, protocol: TCP}], resources: {limits: {cpu: "2"}}}]}`, ``},
		{testtable.Row{"host ports", "in the node's network a container's port is the node's"}, of(pod), complete + `
  hostNetwork: true
  containers:
  - {image: "i:1", terminationMessagePath: /t, terminationMessagePolicy: File, imagePullPolicy: Never,
     ports: [{containerPort: 80}, {containerPort: 81, hostPort: 8081, protocol: UDP}]}
  initContainers:
  - {image: "i:1", terminationMessagePath: /t, terminationMessagePolicy: File, imagePullPolicy: Never,
     ports: [{containerPort: 82, protocol: TCP}]}`, `
			spec.containers[0].ports[0].hostPort: 80
			spec.containers[0].ports[0].protocol: TCP
			spec.initContainers[0].ports[0].hostPort: 82`},
		{testtable.Row{"overhead is rounded", "the smallest part of a resource is a thousandth"}, of(pod), complete + `
  overhead: {cpu: 100u}`, `spec.overhead.cpu: 1m`},
		{testtable.Row{"status is rounded", "the status of a pod has lists of resources, too"}, of(pod), complete + `
status:
  allocatedResources: {cpu: 1u}
  containerStatuses: [{name: c, ready: true, restartCount: 1, image: i, imageID: i, allocatedResources: {cpu: 100u}, resources: {limits: {cpu: 1100u}}}]`, `
			status.allocatedResources.cpu: 1m
			status.containerStatuses[0].allocatedResources.cpu: 1m
			status.containerStatuses[0].resources.limits.cpu: 2m`},
	}, func(t *testing.T, r defaulted) { r.check(t) })
}

// template is the beginning of a template that says all that templates are
// given.
const template = `spec: {dnsPolicy: None, restartPolicy: Never, schedulerName: mine, securityContext: {}, terminationGracePeriodSeconds: 0, `

// complete is a pod that says all that pods are given.
const complete = `
spec:
  dnsPolicy: None
  enableServiceLinks: false
  restartPolicy: Never
  schedulerName: mine
  securityContext: {}
  terminationGracePeriodSeconds: 0`

// bare is a container that says all that containers are given.
const bare = `image: "i:1", terminationMessagePath: /t, terminationMessagePolicy: File, imagePullPolicy: Never, `

func TestPodResources(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []defaulted{
		{testtable.Row{"pod says nothing", "only pods that speak of resources as a whole get any"}, of(podResources), `
spec: {containers: [{name: c, resources: {limits: {cpu: "1"}, requests: {cpu: "1"}}}]}`, ``},
		{testtable.Row{"empty resources", "an empty object says nothing either"}, of(podResources), `
spec: {resources: {}, containers: [{name: c, resources: {limits: {cpu: "1", hugepages-2Mi: 2Mi}}}]}`, ``},
		{testtable.Row{"containers ask", "a limited pod asks for what its containers ask for together"}, of(podResources), `
spec: {resources: {limits: {cpu: "4"}}, containers: [{name: a, resources: {requests: {cpu: "1"}}}, {name: b, resources: {requests: {cpu: "2"}}}]}`, `
			spec.resources.requests.cpu: 3`},
		{testtable.Row{"no container asks", "a limit without a request is the request"}, of(podResources), `
spec: {resources: {limits: {cpu: "4", memory: 1Gi}}, containers: [{name: a, resources: {requests: {cpu: "1"}}}]}`, `
			spec.resources.requests.cpu: 1
			spec.resources.requests.memory: 1Gi`},
		{testtable.Row{"containers ask for what has no limit", "requests are complete even where limits are not"}, of(podResources), `
spec: {resources: {limits: {cpu: "4"}}, containers: [{name: a, resources: {requests: {memory: 1Gi}}}]}`, `
			spec.resources.requests.cpu: 4
			spec.resources.requests.memory: 1Gi`},
		{testtable.Row{"pod asks itself", "what the pod asks for is not overwritten"}, of(podResources), `
spec: {resources: {limits: {cpu: "4"}, requests: {cpu: "3"}}, containers: [{name: a, resources: {requests: {cpu: "1"}}}]}`, ``},
		{testtable.Row{"only requests", "limits of CPU are never made: v1.37 leaves a pod without them"}, of(podResources), `
spec: {resources: {requests: {cpu: "3"}}, containers: [{name: a, resources: {limits: {cpu: "1"}, requests: {cpu: "1"}}}]}`, ``},
		{testtable.Row{"huge pages", "a pod needs limits of them and asks for exactly as much"}, of(podResources), `
spec: {resources: {requests: {memory: 1Gi}}, containers: [{name: a, resources: {limits: {hugepages-2Mi: 4Mi}, requests: {hugepages-2Mi: 4Mi}}}]}`, `
			spec.resources.limits.hugepages-2Mi: 4Mi
			spec.resources.requests.hugepages-2Mi: 4Mi`},
		{testtable.Row{"huge pages asked for by the pod", "its own word counts"}, of(podResources), `
spec: {resources: {requests: {hugepages-2Mi: 2Mi}}, containers: [{name: a, resources: {limits: {hugepages-2Mi: 4Mi}}}]}`, ``},
		{testtable.Row{"other resources", "devices are for containers"}, of(podResources), `
spec: {resources: {limits: {cpu: "1"}, requests: {cpu: "1"}}, containers: [{name: a, resources: {limits: {example.com/gpu: "1"}, requests: {example.com/gpu: "1"}}}]}`, ``},
	}, func(t *testing.T, r defaulted) { r.check(t) })
}
