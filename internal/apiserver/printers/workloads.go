package printers

import (
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/utils/ptr"
)

// workloadTables returns the tables of the groups apps and batch, by resource.
func workloadTables() map[string]table {
	return map[string]table{
		"deployments.apps": newTable(
			"Name, Ready, Up-to-date, Available, Age, (Containers), (Images), (Selector)",
			func(d *appsv1.Deployment) []any {
				names, images := containers(d.Spec.Template)
				return []any{
					d.Name, replicas(d.Status.ReadyReplicas, d.Spec.Replicas), d.Status.UpdatedReplicas,
					d.Status.AvailableReplicas, since(d.CreationTimestamp),
					names, images, metav1.FormatLabelSelector(d.Spec.Selector),
				}
			}),
		"replicasets.apps": newTable(
			"Name, Desired, Current, Ready, Age, (Containers), (Images), (Selector)",
			func(r *appsv1.ReplicaSet) []any {
				names, images := containers(r.Spec.Template)
				return []any{
					r.Name, ptr.Deref(r.Spec.Replicas, 0), r.Status.Replicas, r.Status.ReadyReplicas,
					since(r.CreationTimestamp), names, images, metav1.FormatLabelSelector(r.Spec.Selector),
				}
			}),
		"statefulsets.apps": newTable(
			"Name, Ready, Age, (Containers), (Images)",
			func(s *appsv1.StatefulSet) []any {
				names, images := containers(s.Spec.Template)
				return []any{
					s.Name, replicas(s.Status.ReadyReplicas, s.Spec.Replicas), since(s.CreationTimestamp),
					names, images,
				}
			}),
		"daemonsets.apps": daemonSetTable(),
		"jobs.batch": newTable(
			"Name, Status, Completions, Duration, Age, (Containers), (Images), (Selector)",
			func(j *batchv1.Job) []any {
				names, images := containers(j.Spec.Template)
				return []any{
					j.Name, jobStatus(j), jobCompletions(j), jobDuration(j), since(j.CreationTimestamp),
					names, images, metav1.FormatLabelSelector(j.Spec.Selector),
				}
			}),
		"cronjobs.batch": cronJobTable(),
	}
}

// containers returns the cells for the containers of a pod template: their names
// and their images.
func containers(template corev1.PodTemplateSpec) (names, images string) {
	var allNames, allImages []string
	for _, c := range template.Spec.Containers {
		allNames, allImages = append(allNames, c.Name), append(allImages, c.Image)
	}
	return strings.Join(allNames, ","), strings.Join(allImages, ",")
}

func replicas(ready int32, desired *int32) string {
	return fmt.Sprintf("%d/%d", ready, ptr.Deref(desired, 0))
}

func daemonSetTable() table {
	const columns = "Name, Desired, Current, Ready, Up-to-date, Available, Node Selector, Age, " +
		"(Containers), (Images), (Selector)"
	return newTable(columns, func(d *appsv1.DaemonSet) []any {
		status := d.Status
		names, images := containers(d.Spec.Template)
		return []any{
			d.Name, status.DesiredNumberScheduled, status.CurrentNumberScheduled, status.NumberReady,
			status.UpdatedNumberScheduled, status.NumberAvailable,
			formatLabels(d.Spec.Template.Spec.NodeSelector), since(d.CreationTimestamp),
			names, images, metav1.FormatLabelSelector(d.Spec.Selector),
		}
	})
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

func jobCompletions(j *batchv1.Job) string {
	switch parallel := ptr.Deref(j.Spec.Parallelism, 0); {
	case j.Spec.Completions != nil:
		return fmt.Sprintf("%d/%d", j.Status.Succeeded, *j.Spec.Completions)
	case parallel > 1:
		return fmt.Sprintf("%d/1 of %d", j.Status.Succeeded, parallel)
	default:
		return fmt.Sprintf("%d/1", j.Status.Succeeded)
	}
}

func jobDuration(j *batchv1.Job) string {
	switch start, end := j.Status.StartTime, j.Status.CompletionTime; {
	case start == nil:
		return ""
	case end == nil:
		return duration.HumanDuration(time.Since(start.Time))
	default:
		return duration.HumanDuration(end.Sub(start.Time))
	}
}

func cronJobTable() table {
	const columns = "Name, Schedule, Timezone, Suspend, Active, Last Schedule, Age, (Containers), " +
		"(Images), (Selector)"
	return newTable(columns, func(c *batchv1.CronJob) []any {
		suspend, last := unset, none
		if c.Spec.Suspend != nil {
			suspend = map[bool]string{true: "True", false: "False"}[*c.Spec.Suspend]
		}
		if c.Status.LastScheduleTime != nil {
			last = since(*c.Status.LastScheduleTime)
		}
		job := c.Spec.JobTemplate.Spec
		names, images := containers(job.Template)
		return []any{
			c.Name, c.Spec.Schedule, ptr.Deref(c.Spec.TimeZone, none), suspend, len(c.Status.Active), last,
			since(c.CreationTimestamp), names, images, metav1.FormatLabelSelector(job.Selector),
		}
	})
}
