package apiserver

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/duration"
)

// selectorColumn shows the selector of the pods that belong to an object, and only to
// those who ask for wide tables.
func selectorColumn[T runtime.Object](selector func(T) *metav1.LabelSelector) []column {
	return wide(text("Selector", func(o T) string { return metav1.FormatLabelSelector(selector(o)) }))
}

// orZero is what a pointer points to, or nothing.
func orZero[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}

func deploymentColumns() []column {
	return slices.Concat(
		aged(
			text("Ready", func(d *appsv1.Deployment) string {
				return fmt.Sprintf("%d/%d", d.Status.ReadyReplicas, orZero(d.Spec.Replicas))
			}),
			number("Up-to-date", func(d *appsv1.Deployment) int32 { return d.Status.UpdatedReplicas }),
			number("Available", func(d *appsv1.Deployment) int32 { return d.Status.AvailableReplicas }),
		),
		made(func(d *appsv1.Deployment) corev1.PodSpec { return d.Spec.Template.Spec }),
		selectorColumn(func(d *appsv1.Deployment) *metav1.LabelSelector { return d.Spec.Selector }),
	)
}

func replicaSetColumns() []column {
	return slices.Concat(
		aged(
			number("Desired", func(r *appsv1.ReplicaSet) int32 { return orZero(r.Spec.Replicas) }),
			number("Current", func(r *appsv1.ReplicaSet) int32 { return r.Status.Replicas }),
			number("Ready", func(r *appsv1.ReplicaSet) int32 { return r.Status.ReadyReplicas }),
		),
		made(func(r *appsv1.ReplicaSet) corev1.PodSpec { return r.Spec.Template.Spec }),
		selectorColumn(func(r *appsv1.ReplicaSet) *metav1.LabelSelector { return r.Spec.Selector }),
	)
}

func replicationControllerColumns() []column {
	return slices.Concat(
		aged(
			number("Desired", func(r *corev1.ReplicationController) int32 { return orZero(r.Spec.Replicas) }),
			number("Current", func(r *corev1.ReplicationController) int32 { return r.Status.Replicas }),
			number("Ready", func(r *corev1.ReplicationController) int32 { return r.Status.ReadyReplicas }),
		),
		made(func(r *corev1.ReplicationController) corev1.PodSpec { return orZero(r.Spec.Template).Spec }),
		wide(text("Selector", func(r *corev1.ReplicationController) string { return labelText(r.Spec.Selector) })),
	)
}

func statefulSetColumns() []column {
	return append(
		aged(text("Ready", func(s *appsv1.StatefulSet) string {
			return fmt.Sprintf("%d/%d", s.Status.ReadyReplicas, orZero(s.Spec.Replicas))
		})),
		made(func(s *appsv1.StatefulSet) corev1.PodSpec { return s.Spec.Template.Spec })...,
	)
}

func daemonSetColumns() []column {
	return slices.Concat(
		aged(
			number("Desired", func(d *appsv1.DaemonSet) int32 { return d.Status.DesiredNumberScheduled }),
			number("Current", func(d *appsv1.DaemonSet) int32 { return d.Status.CurrentNumberScheduled }),
			number("Ready", func(d *appsv1.DaemonSet) int32 { return d.Status.NumberReady }),
			number("Up-to-date", func(d *appsv1.DaemonSet) int32 { return d.Status.UpdatedNumberScheduled }),
			number("Available", func(d *appsv1.DaemonSet) int32 { return d.Status.NumberAvailable }),
			text("Node Selector", func(d *appsv1.DaemonSet) string { return labelText(d.Spec.Template.Spec.NodeSelector) }),
		),
		made(func(d *appsv1.DaemonSet) corev1.PodSpec { return d.Spec.Template.Spec }),
		selectorColumn(func(d *appsv1.DaemonSet) *metav1.LabelSelector { return d.Spec.Selector }),
	)
}

func revisionColumns() []column {
	return aged(
		text("Controller", func(r *appsv1.ControllerRevision) string {
			if owner := metav1.GetControllerOf(r); owner != nil {
				return owner.Kind + "/" + owner.Name
			}
			return none
		}),
		number("Revision", func(r *appsv1.ControllerRevision) int64 { return r.Revision }),
	)
}

func podTemplateColumns() []column {
	columns := append([]column{nameColumn()}, made(func(t *corev1.PodTemplate) corev1.PodSpec { return t.Template.Spec })...)
	columns = append(columns, text("Pod Labels", func(t *corev1.PodTemplate) string { return labelText(t.Template.Labels) }))
	for i := range columns {
		columns[i].Priority = 0
	}
	return columns
}

func jobColumns() []column {
	return slices.Concat(
		aged(
			text("Status", jobStatus),
			text("Completions", completions),
			text("Duration", jobDuration),
		),
		made(func(j *batchv1.Job) corev1.PodSpec { return j.Spec.Template.Spec }),
		selectorColumn(func(j *batchv1.Job) *metav1.LabelSelector { return j.Spec.Selector }),
	)
}

func jobStatus(j *batchv1.Job) string {
	is := func(kind batchv1.JobConditionType) bool {
		return slices.ContainsFunc(j.Status.Conditions, func(c batchv1.JobCondition) bool {
			return c.Type == kind && c.Status == corev1.ConditionTrue
		})
	}
	switch {
	case is(batchv1.JobComplete):
		return "Complete"
	case is(batchv1.JobFailed):
		return "Failed"
	case j.DeletionTimestamp != nil:
		return "Terminating"
	case is(batchv1.JobSuspended):
		return "Suspended"
	case is(batchv1.JobFailureTarget):
		return "FailureTarget"
	case is(batchv1.JobSuccessCriteriaMet):
		return "SuccessCriteriaMet"
	default:
		return "Running"
	}
}

func completions(j *batchv1.Job) string {
	switch parallel := orZero(j.Spec.Parallelism); {
	case j.Spec.Completions != nil:
		return fmt.Sprintf("%d/%d", j.Status.Succeeded, *j.Spec.Completions)
	case parallel > 1:
		return fmt.Sprintf("%d/1 of %d", j.Status.Succeeded, parallel)
	default:
		return fmt.Sprintf("%d/1", j.Status.Succeeded)
	}
}

func jobDuration(j *batchv1.Job) string {
	switch begin, end := j.Status.StartTime, j.Status.CompletionTime; {
	case begin == nil:
		return ""
	case end == nil:
		return duration.HumanDuration(time.Since(begin.Time))
	default:
		return duration.HumanDuration(end.Sub(begin.Time))
	}
}

func cronJobColumns() []column {
	return slices.Concat(
		aged(
			text("Schedule", func(c *batchv1.CronJob) string { return c.Spec.Schedule }),
			text("Timezone", func(c *batchv1.CronJob) string { return cmp.Or(orZero(c.Spec.TimeZone), none) }),
			text("Suspend", func(c *batchv1.CronJob) string {
				if c.Spec.Suspend == nil {
					return "<unset>"
				}
				return map[bool]string{true: "True", false: "False"}[*c.Spec.Suspend]
			}),
			number("Active", func(c *batchv1.CronJob) int { return len(c.Status.Active) }),
			text("Last Schedule", func(c *batchv1.CronJob) string {
				if c.Status.LastScheduleTime == nil {
					return none
				}
				return since(*c.Status.LastScheduleTime)
			}),
		),
		made(func(c *batchv1.CronJob) corev1.PodSpec { return c.Spec.JobTemplate.Spec.Template.Spec }),
		selectorColumn(func(c *batchv1.CronJob) *metav1.LabelSelector { return c.Spec.JobTemplate.Spec.Selector }),
	)
}
