package controller

import (
	"context"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	backupsv1 "example.com/backups/api/v1"
)

// PlanReconciler keeps a CronJob for each plan, of the same name, and says so
// in the status of the plan.
type PlanReconciler struct {
	client.Client
}

// +kubebuilder:rbac:groups=backups.example.com,resources=plans,verbs=get;list;watch
// +kubebuilder:rbac:groups=backups.example.com,resources=plans/status,verbs=update
// +kubebuilder:rbac:groups=batch,resources=cronjobs,verbs=get;list;watch;create;update

// SetupWithManager adds the controller to a manager.
func (r *PlanReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&backupsv1.Plan{}).
		Owns(&batchv1.CronJob{}).
		Named("plan").
		Complete(r)
}

// Reconcile implements reconcile.Reconciler.
func (r *PlanReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	plan := &backupsv1.Plan{}
	if err := r.Get(ctx, request.NamespacedName, plan); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	job := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Name: plan.Name, Namespace: plan.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, job, func() error {
		fill(job, plan)
		return controllerutil.SetControllerReference(plan, job, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("keeping the CronJob: %w", err)
	}
	plan.Status.ObservedGeneration, plan.Status.CronJob = plan.Generation, job.Name
	meta.SetStatusCondition(&plan.Status.Conditions, metav1.Condition{
		Type: "Scheduled", Status: metav1.ConditionTrue, Reason: "CronJobKept", ObservedGeneration: plan.Generation,
	})
	return ctrl.Result{}, r.Status().Update(ctx, plan)
}

// fill sets in a CronJob what a plan says.
func fill(job *batchv1.CronJob, plan *backupsv1.Plan) {
	job.Spec.Schedule, job.Spec.Suspend = plan.Spec.Schedule, &plan.Spec.Suspend
	pod := &job.Spec.JobTemplate.Spec.Template.Spec
	pod.RestartPolicy = corev1.RestartPolicyOnFailure
	if len(pod.Containers) == 0 {
		pod.Containers = []corev1.Container{{}}
	}
	container := &pod.Containers[0]
	container.Name, container.Image = "backup", "registry.example.com/backup:1"
	container.Args = []string{plan.Spec.Claim, fmt.Sprintf("--keep=%d", plan.Spec.Retention.Copies)}
}
