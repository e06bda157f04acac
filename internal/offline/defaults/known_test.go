package defaults

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/testutil/testtable"
)

// known is an object that was created in a real cluster, and what was printed
// of it then.
type known struct {
	testtable.Row
	new     func() runtime.Object
	created string
	printed string
}

// TestKnownObjects compares with what tutorials and notes in public
// repositories show as the output of kubectl get -o yaml, beside what had been
// created. It is independent of anything that the code was written from. What
// other parts of a cluster add is left out of it: metadata and status, node
// names, service accounts with their tokens, priorities, tolerations and
// addresses. Names and labels have been changed.
func TestKnownObjects(t *testing.T) {
	t.Parallel()
	s := scheme()
	testtable.Run(t, []known{
		{testtable.Row{"pod", "printed by a kind cluster in 2024, beside its last-applied-configuration"},
			func() runtime.Object { return &corev1.Pod{} }, `
metadata: {name: web, labels: {app: web}}
spec:
  containers:
  - {name: nginx, image: "nginx:1.0", ports: [{containerPort: 8080}]}
`, `
metadata: {name: web, labels: {app: web}}
spec:
  containers:
  - image: nginx:1.0
    imagePullPolicy: IfNotPresent
    name: nginx
    ports:
    - containerPort: 8080
      protocol: TCP
    resources: {}
    terminationMessagePath: /dev/termination-log
    terminationMessagePolicy: File
  dnsPolicy: ClusterFirst
  enableServiceLinks: true
  restartPolicy: Always
  schedulerName: default-scheduler
  securityContext: {}
  terminationGracePeriodSeconds: 30
`},
		{testtable.Row{"deployment", "printed in 2022 after kubectl create deployment --image=nginx, the well-known example"},
			func() runtime.Object { return &appsv1.Deployment{} }, `
metadata: {name: nginx, labels: {app: nginx}}
spec:
  replicas: 1
  selector: {matchLabels: {app: nginx}}
  template:
    metadata: {labels: {app: nginx}}
    spec: {containers: [{name: nginx, image: nginx}]}
`, `
metadata: {name: nginx, labels: {app: nginx}}
spec:
  progressDeadlineSeconds: 600
  replicas: 1
  revisionHistoryLimit: 10
  selector:
    matchLabels:
      app: nginx
  strategy:
    rollingUpdate:
      maxSurge: 25%
      maxUnavailable: 25%
    type: RollingUpdate
  template:
    metadata:
      labels:
        app: nginx
    spec:
      containers:
      - image: nginx
        imagePullPolicy: Always
        name: nginx
        resources: {}
        terminationMessagePath: /dev/termination-log
        terminationMessagePolicy: File
      dnsPolicy: ClusterFirst
      restartPolicy: Always
      schedulerName: default-scheduler
      securityContext: {}
      terminationGracePeriodSeconds: 30
`},
		{testtable.Row{"service", "printed by a cluster in 2022, beside its last-applied-configuration"},
			func() runtime.Object { return &corev1.Service{} }, `
metadata: {name: web}
spec: {ports: [{port: 80, protocol: TCP, targetPort: 80}], selector: {tier: frontend}, type: LoadBalancer}
`, `
metadata: {name: web}
spec:
  allocateLoadBalancerNodePorts: true
  externalTrafficPolicy: Cluster
  internalTrafficPolicy: Cluster
  ports:
  - port: 80
    protocol: TCP
    targetPort: 80
  selector:
    tier: frontend
  sessionAffinity: None
  type: LoadBalancer
`},
		{testtable.Row{"job", "printed for a course on a cluster that was v1.29 or later, as manualSelector shows"},
			func() runtime.Object { return &batchv1.Job{} }, `
metadata: {name: dice, labels: {job: dice}}
spec: {backoffLimit: 20, completions: 2, template: {spec: {restartPolicy: Never, containers: [{name: dice, image: dice}]}}}
`, `
metadata: {name: dice, labels: {job: dice}}
spec:
  backoffLimit: 20
  completionMode: NonIndexed
  completions: 2
  manualSelector: false
  parallelism: 1
  podReplacementPolicy: TerminatingOrFailed
  suspend: false
  template:
    spec:
      containers:
      - image: dice
        imagePullPolicy: Always
        name: dice
        resources: {}
        terminationMessagePath: /dev/termination-log
        terminationMessagePolicy: File
      dnsPolicy: ClusterFirst
      restartPolicy: Never
      schedulerName: default-scheduler
      securityContext: {}
      terminationGracePeriodSeconds: 30
`},
	}, func(t *testing.T, r known) {
		got, want := r.new(), r.new()
		decode(t, r.created, got)
		decode(t, r.printed, want)
		s.Default(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the object (-printed +defaulted):\n%s", diff)
		}
	})
}
