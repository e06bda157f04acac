package setup

import (
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"

	backupsv1 "example.com/backups/api/v1"
	backupsv1alpha1 "example.com/backups/api/v1alpha1"
	"example.com/backups/internal/controller"
	webhookv1 "example.com/backups/internal/webhook/v1"
)

// Scheme returns the kinds that the project knows.
func Scheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	return scheme, errors.Join(
		clientgoscheme.AddToScheme(scheme),
		backupsv1alpha1.AddToScheme(scheme),
		backupsv1.AddToScheme(scheme),
	)
}

// Add adds controller and webhooks to a manager.
func Add(mgr ctrl.Manager) error {
	return errors.Join(
		(&controller.PlanReconciler{Client: mgr.GetClient()}).SetupWithManager(mgr),
		webhookv1.SetupPlanWebhookWithManager(mgr),
	)
}
