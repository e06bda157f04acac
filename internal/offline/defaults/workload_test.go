package defaults

import (
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// podLines are what an empty pod template gets.
const podLines = `
	spec.template.spec.dnsPolicy: ClusterFirst
	spec.template.spec.restartPolicy: Always
	spec.template.spec.schedulerName: default-scheduler
	spec.template.spec.securityContext: {}
	spec.template.spec.terminationGracePeriodSeconds: 30`

// full is a template of a pod that says all that they are given.
const full = `template: {metadata: {labels: {app: a}}, spec: {dnsPolicy: None, restartPolicy: Never, schedulerName: mine, securityContext: {}, terminationGracePeriodSeconds: 0}}`

func TestWorkloads(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []defaulted{
		{testtable.Row{"deployment", "a quarter of the pods at a time"}, of(deployment), `{}`, podLines + `
			spec.progressDeadlineSeconds: 600
			spec.replicas: 1
			spec.revisionHistoryLimit: 10
			spec.strategy.rollingUpdate.maxSurge: 25%
			spec.strategy.rollingUpdate.maxUnavailable: 25%
			spec.strategy.type: RollingUpdate`},
		{testtable.Row{"deployment at zero", "no replicas is an answer, and so is a share of none"}, of(deployment), `
spec: {replicas: 0, progressDeadlineSeconds: 1, revisionHistoryLimit: 0, strategy: {rollingUpdate: {maxSurge: 0}}, ` + full + `}`, `
			spec.strategy.rollingUpdate.maxUnavailable: 25%
			spec.strategy.type: RollingUpdate`},
		{testtable.Row{"deployment that is recreated", "only rolling updates have parameters; and no current version takes labels or a selector from the template"}, of(deployment), `
spec: {replicas: 2, progressDeadlineSeconds: 1, revisionHistoryLimit: 0, strategy: {type: Recreate}, ` + full + `}`, ``},
		{testtable.Row{"replica set", "it has no strategy"}, of(replicaSet), `{}`, podLines + `
			spec.replicas: 1`},
		{testtable.Row{"daemon set", "one node after the other, and never two pods on one"}, of(daemonSet), `{}`, podLines + `
			spec.revisionHistoryLimit: 10
			spec.updateStrategy.rollingUpdate.maxSurge: 0
			spec.updateStrategy.rollingUpdate.maxUnavailable: 1
			spec.updateStrategy.type: RollingUpdate`},
		{testtable.Row{"daemon set on delete", "only rolling updates have parameters"}, of(daemonSet), `spec: {revisionHistoryLimit: 0, updateStrategy: {type: OnDelete}, ` + full + `}`, ``},
		{testtable.Row{"stateful set", "pods in order, claims kept; one pod may be missing since v1.37 has the gate on"}, of(statefulSet), `{}`, podLines + `
			spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Retain
			spec.persistentVolumeClaimRetentionPolicy.whenScaled: Retain
			spec.podManagementPolicy: OrderedReady
			spec.replicas: 1
			spec.revisionHistoryLimit: 10
			spec.updateStrategy.rollingUpdate.maxUnavailable: 1
			spec.updateStrategy.rollingUpdate.partition: 0
			spec.updateStrategy.type: RollingUpdate`},
		{testtable.Row{"stateful set that names the strategy", "it gets no parameters then, which is kept from upstream"}, of(statefulSetUpdate), `type: RollingUpdate`, ``},
		{testtable.Row{"stateful set with empty parameters", "but these are completed"}, of(statefulSetUpdate), `{type: RollingUpdate, rollingUpdate: {}}`, `
			rollingUpdate.maxUnavailable: 1
			rollingUpdate.partition: 0`},
		{testtable.Row{"claims of a stateful set", "its templates are whole claims, phase included"}, of(statefulSet), `
spec: {podManagementPolicy: Parallel, replicas: 0, revisionHistoryLimit: 0, updateStrategy: {type: OnDelete}, persistentVolumeClaimRetentionPolicy: {whenScaled: Delete},
  volumeClaimTemplates: [{spec: {resources: {requests: {storage: 1Gi}}}}], ` + full + `}`, `
			spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Retain
			spec.volumeClaimTemplates[0].spec.volumeMode: Filesystem
			spec.volumeClaimTemplates[0].status.phase: Pending`},
		{testtable.Row{"replication controller", "the oldest workload takes labels and the selector from its template"}, of(replicationController), `spec: {` + full + `}`, `
			metadata.labels.app: a
			spec.replicas: 1
			spec.selector.app: a`},
		{testtable.Row{"replication controller without a template", "nothing to take from"}, of(replicationController), `{}`, `spec.replicas: 1`},
		{testtable.Row{"replication controller with labels", "what is there is not mixed with the template's"}, of(replicationController), `
{metadata: {labels: {own: l}}, spec: {replicas: 0, selector: {own: s}, ` + full + `}}`, ``},
	}, func(t *testing.T, r defaulted) { r.check(t) })
}

func TestJobs(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []defaulted{
		{testtable.Row{"job", "one pod that succeeds once; manualSelector has been written out since v1.29"}, of(job), `{}`, podLines + `
			spec.backoffLimit: 6
			spec.completionMode: NonIndexed
			spec.completions: 1
			spec.manualSelector: false
			spec.parallelism: 1
			spec.podReplacementPolicy: TerminatingOrFailed
			spec.suspend: false`},
		{testtable.Row{"work queue", "with a parallelism alone the pods themselves know when they are done"}, of(job), `
{metadata: {labels: {own: l}}, spec: {parallelism: 2, backoffLimit: 0, completionMode: Indexed, manualSelector: true, suspend: true, podReplacementPolicy: Failed, ` + full + `}}`, ``},
		{testtable.Row{"completions alone", "one after the other"}, of(job), `
{metadata: {labels: {own: l}}, spec: {completions: 2, backoffLimit: 0, completionMode: Indexed, manualSelector: true, suspend: true, podReplacementPolicy: Failed, ` + full + `}}`,
			`spec.parallelism: 1`},
		{testtable.Row{"limit for each index", "the limit for the whole job is then as good as none"}, of(job), `
{metadata: {labels: {own: l}}, spec: {completions: 2, parallelism: 1, backoffLimitPerIndex: 1, completionMode: Indexed, manualSelector: true, suspend: true, podReplacementPolicy: Failed, ` + full + `}}`,
			`spec.backoffLimit: 2147483647`},
		{testtable.Row{"failure policy", "a pod has to fail before the policy can be asked, and conditions are met when they are true"}, of(job), `
{metadata: {labels: {own: l}}, spec: {completions: 2, parallelism: 1, backoffLimit: 1, completionMode: Indexed, manualSelector: true, suspend: true,
  podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}, {type: Other, status: "False"}]}, {action: FailJob, onExitCodes: {operator: In, values: [1]}}]}, ` + full + `}}`, `
			spec.podFailurePolicy.rules[0].onPodConditions[0].status: True
			spec.podReplacementPolicy: Failed`},
		{testtable.Row{"labels", "a job without labels has those of its pods"}, of(job), `
spec: {completions: 2, parallelism: 1, backoffLimit: 1, completionMode: Indexed, manualSelector: true, suspend: true, podReplacementPolicy: Failed, ` + full + `}`,
			`metadata.labels.app: a`},
		{testtable.Row{"cron job", "of the job only what is in the pods is completed; the rest when the job is made"}, of(cronJob), `
spec: {jobTemplate: {spec: {podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}, ` + full + `}}}`, `
			spec.concurrencyPolicy: Allow
			spec.failedJobsHistoryLimit: 1
			spec.jobTemplate.spec.podFailurePolicy.rules[0].onPodConditions[0].status: True
			spec.successfulJobsHistoryLimit: 3
			spec.suspend: false`},
	}, func(t *testing.T, r defaulted) { r.check(t) })
}

func TestAutoscalers(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []defaulted{
		{testtable.Row{"v1", "the metric may be in an annotation, and is added by the conversion"}, of(autoscalerV1), `spec: {maxReplicas: 3}`, `spec.minReplicas: 1`},
		{testtable.Row{"v2", "80 % of the CPU that the pods ask for"}, of(autoscaler), `spec: {maxReplicas: 3}`, `
			spec.metrics[0].resource.name: cpu
			spec.metrics[0].resource.target.averageUtilization: 80
			spec.metrics[0].resource.target.type: Utilization
			spec.metrics[0].type: Resource
			spec.minReplicas: 1`},
		{testtable.Row{"behavior", "who says something of it gets all of it, but for the window of the controller"}, of(autoscaler), `
spec: {minReplicas: 0, maxReplicas: 3, metrics: [{type: Resource}], behavior: {scaleDown: {policies: [], stabilizationWindowSeconds: 5}}}`, `
			spec.behavior.scaleDown.selectPolicy: Max
			spec.behavior.scaleUp.policies[0].periodSeconds: 15
			spec.behavior.scaleUp.policies[0].type: Pods
			spec.behavior.scaleUp.policies[0].value: 4
			spec.behavior.scaleUp.policies[1].periodSeconds: 15
			spec.behavior.scaleUp.policies[1].type: Percent
			spec.behavior.scaleUp.policies[1].value: 100
			spec.behavior.scaleUp.selectPolicy: Max
			spec.behavior.scaleUp.stabilizationWindowSeconds: 0`},
		{testtable.Row{"scale up only", "scaling down has defaults too, and no window"}, of(autoscaler), `
spec: {minReplicas: 1, maxReplicas: 3, metrics: [{type: Resource}], behavior: {scaleUp: {selectPolicy: Disabled, stabilizationWindowSeconds: 1, policies: [{type: Pods, value: 1, periodSeconds: 1}]}}}`, `
			spec.behavior.scaleDown.policies[0].periodSeconds: 15
			spec.behavior.scaleDown.policies[0].type: Percent
			spec.behavior.scaleDown.policies[0].value: 100
			spec.behavior.scaleDown.selectPolicy: Max`},
	}, func(t *testing.T, r defaulted) { r.check(t) })
}
