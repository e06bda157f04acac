package v1

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	backupsv1 "example.com/backups/api/v1"
)

// SetupPlanWebhookWithManager registers the webhooks for plans with the webhook
// server of a manager, and the one that converts them.
func SetupPlanWebhookWithManager(mgr ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(mgr, &backupsv1.Plan{}).
		WithDefaulter(Defaulter{}).
		WithValidator(Validator{}).
		Complete()
}

// +kubebuilder:webhook:path=/mutate-backups-example-com-v1-plan,mutating=true,failurePolicy=fail,sideEffects=None,groups=backups.example.com,resources=plans,verbs=create;update,versions=v1,name=mplan-v1.kb.io,admissionReviewVersions=v1

// Defaulter sets the defaults of plans.
type Defaulter struct{}

var _ admission.Defaulter[*backupsv1.Plan] = Defaulter{}

// Default implements admission.Defaulter.
func (Defaulter) Default(_ context.Context, plan *backupsv1.Plan) error {
	if plan.Spec.Schedule == "" {
		plan.Spec.Schedule = "0 3 * * *"
	}
	if plan.Spec.Retention.Copies == 0 {
		plan.Spec.Retention.Copies = 7
	}
	return nil
}

// +kubebuilder:webhook:path=/validate-backups-example-com-v1-plan,mutating=false,failurePolicy=fail,sideEffects=None,groups=backups.example.com,resources=plans,verbs=create;update;delete,versions=v1,name=vplan-v1.kb.io,admissionReviewVersions=v1

// Validator refuses plans that are wrong, and warns of those that may be.
type Validator struct{}

var _ admission.Validator[*backupsv1.Plan] = Validator{}

// ValidateCreate implements admission.Validator.
func (Validator) ValidateCreate(
	_ context.Context,
	plan *backupsv1.Plan,
) (admission.Warnings, error) {
	return warnings(plan), invalid(plan, validate(plan))
}

// ValidateUpdate implements admission.Validator.
func (Validator) ValidateUpdate(
	_ context.Context,
	old, plan *backupsv1.Plan,
) (admission.Warnings, error) {
	problems := validate(plan)
	if plan.Spec.Claim != old.Spec.Claim {
		problems = append(
			problems,
			field.Forbidden(field.NewPath("spec", "claim"), "it cannot be changed"),
		)
	}
	return warnings(plan), invalid(plan, problems)
}

// ValidateDelete implements admission.Validator.
func (Validator) ValidateDelete(
	_ context.Context,
	plan *backupsv1.Plan,
) (admission.Warnings, error) {
	if plan.Spec.Protected {
		return nil, fmt.Errorf("plan %q is protected", plan.Name)
	}
	return admission.Warnings{fmt.Sprintf("the backups of claim %q are kept", plan.Spec.Claim)}, nil
}

func validate(plan *backupsv1.Plan) field.ErrorList {
	const fields = 5
	if n := len(strings.Fields(plan.Spec.Schedule)); n != fields {
		text := fmt.Sprintf("has %d fields, want %d", n, fields)
		return field.ErrorList{field.Invalid(field.NewPath("spec", "schedule"), plan.Spec.Schedule, text)}
	}
	return nil
}

func warnings(plan *backupsv1.Plan) admission.Warnings {
	if plan.Spec.Retention.Copies > 30 {
		return admission.Warnings{
			fmt.Sprintf("spec.retention.copies: %d backups take a lot of space", plan.Spec.Retention.Copies),
		}
	}
	return nil
}

func invalid(plan *backupsv1.Plan, problems field.ErrorList) error {
	if len(problems) == 0 {
		return nil
	}
	kind := schema.GroupKind{Group: backupsv1.GroupVersion.Group, Kind: "Plan"}
	return apierrors.NewInvalid(kind, plan.Name, problems)
}
