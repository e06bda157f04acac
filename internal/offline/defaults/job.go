package defaults

import (
	"math"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

func job(j *batchv1.Job) {
	spec := &j.Spec
	if spec.Completions == nil && spec.Parallelism == nil {
		setOnce(&spec.Completions, 1)
	}
	setOnce(&spec.Parallelism, 1)
	setOnce(&spec.BackoffLimit, backoffLimit(spec))
	setOnce(&spec.CompletionMode, batchv1.NonIndexedCompletion)
	setOnce(&spec.PodReplacementPolicy, replacement(spec))
	setOnce(&spec.Suspend, false)
	setOnce(&spec.ManualSelector, false)
	inherit(&j.Labels, spec.Template.Labels)
	jobSpec(spec)
}

// backoffLimit is how many failures a job bears. One that counts them for each
// index bears any number of them as a whole.
func backoffLimit(s *batchv1.JobSpec) int32 {
	if s.BackoffLimitPerIndex != nil {
		return math.MaxInt32
	}
	return 6
}

// replacement is when a pod is replaced. A policy for failures has to see the
// failure first.
func replacement(s *batchv1.JobSpec) batchv1.PodReplacementPolicy {
	if s.PodFailurePolicy != nil {
		return batchv1.Failed
	}
	return batchv1.TerminatingOrFailed
}

// jobSpec does what is done for the template of a job, too. The rest is decided
// when a job is made of it.
func jobSpec(s *batchv1.JobSpec) {
	some(s.PodFailurePolicy, func(p *batchv1.PodFailurePolicy) {
		each(p.Rules, func(r *batchv1.PodFailurePolicyRule) {
			each(
				r.OnPodConditions,
				func(c *batchv1.PodFailurePolicyOnPodConditionsPattern) {
					fill(&c.Status, corev1.ConditionTrue)
				},
			)
		})
	})
	podTemplate(&s.Template)
}

func cronJob(c *batchv1.CronJob) {
	fill(&c.Spec.ConcurrencyPolicy, batchv1.AllowConcurrent)
	setOnce(&c.Spec.Suspend, false)
	setOnce(&c.Spec.SuccessfulJobsHistoryLimit, 3)
	setOnce(&c.Spec.FailedJobsHistoryLimit, 1)
	jobSpec(&c.Spec.JobTemplate.Spec)
}
