package servers_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	backupsv1 "example.com/backups/api/v1"
)

// controllerRows are about the controller: its caches, its watches, and what it
// writes.
var controllerRows = []row{
	{"followed", "a plan that is new is found and its status told", followed},
	{"followed when changed", "the watch brings the change", followedWhenChanged},
	{"followed again", "the watch for what a plan owns brings its end", followedAgain},
}

// awaitJob returns the CronJob of the plan when the status says that it is up
// to date.
func (c *caller) awaitJob(t *testing.T, plan *backupsv1.Plan) *batchv1.CronJob {
	t.Helper()
	job := &batchv1.CronJob{}
	eventually(t, "the plan is followed", func(ctx context.Context) error {
		if err := c.Get(ctx, client.ObjectKeyFromObject(plan), plan); err != nil {
			return err
		}
		if plan.Status.ObservedGeneration != plan.Generation {
			return fmt.Errorf("the status is about %d, the plan is %d", plan.Status.ObservedGeneration, plan.Generation)
		}
		return c.Get(ctx, client.ObjectKeyFromObject(plan), job)
	})
	return job
}

func followed(t *testing.T, c *caller) {
	plan := c.plan()
	must(t, c.Create(t.Context(), plan))
	job := c.awaitJob(t, plan)
	if !metav1.IsControlledBy(job, plan) {
		t.Errorf("the CronJob is owned by %v, want the plan", job.OwnerReferences)
	}
	if plan.Status.CronJob != "nightly" || !meta.IsStatusConditionTrue(plan.Status.Conditions, "Scheduled") {
		t.Errorf("the status is %+v, want it to name the CronJob", plan.Status)
	}
	args := job.Spec.JobTemplate.Spec.Template.Spec.Containers[0].Args
	if diff := cmp.Diff([]string{"data", "--keep=7"}, args); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
}

func followedWhenChanged(t *testing.T, c *caller) {
	plan := c.plan()
	must(t, c.Create(t.Context(), plan))
	before := plan.DeepCopy()
	plan.Spec.Schedule = "0 5 * * *"
	must(t, c.Patch(t.Context(), plan, client.MergeFrom(before)))
	if plan.Generation != 2 {
		t.Errorf("the generation is %d, want 2", plan.Generation)
	}
	if job := c.awaitJob(t, plan); job.Spec.Schedule != "0 5 * * *" {
		t.Errorf("the schedule is %q, want the new one", job.Spec.Schedule)
	}
}

func followedAgain(t *testing.T, c *caller) {
	plan := c.plan()
	must(t, c.Create(t.Context(), plan))
	first := c.awaitJob(t, plan)
	must(t, c.Delete(t.Context(), first))
	eventually(t, "there is another CronJob", func(ctx context.Context) error {
		job := &batchv1.CronJob{}
		if err := c.Get(ctx, client.ObjectKeyFromObject(plan), job); err != nil {
			return err
		}
		if job.UID == first.UID {
			return errors.New("it is still the first one")
		}
		return nil
	})
}

// TestServersAreApart has several servers with managers at the same time, and
// the same plan in all of them with another schedule in each.
func TestServersAreApart(t *testing.T) {
	t.Parallel()
	for n := range 3 {
		t.Run(fmt.Sprintf("server %d", n), func(t *testing.T) {
			t.Parallel()
			c := newWorld(t, inProcess).caller(t)
			plan := c.plan()
			plan.Namespace, plan.Spec.Schedule = metav1.NamespaceDefault, fmt.Sprintf("%d 3 * * *", n)
			must(t, c.Create(t.Context(), plan))
			if job := c.awaitJob(t, plan); job.Spec.Schedule != plan.Spec.Schedule {
				t.Errorf("the schedule is %q, want %q", job.Spec.Schedule, plan.Spec.Schedule)
			}
			all := &backupsv1.PlanList{}
			must(t, c.List(t.Context(), all))
			if len(all.Items) != 1 {
				t.Errorf("there are %d plans, want the one", len(all.Items))
			}
		})
	}
}
