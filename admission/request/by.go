package request

import (
	"errors"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
)

// By is who asks, and with which options. A field that the verb does not have is
// an error, never ignored. The two deprecated and unsafe options of a deletion,
// orphanDependents and ignoreStoreReadErrorWithClusterBreakingPotential, cannot
// be asked for.
type By struct {
	// User is who asks. Its Username is required; an API server calls those whom
	// it does not know "system:anonymous". Groups are taken as they are:
	// "system:authenticated" is not added.
	User authenticationv1.UserInfo
	// DryRun asks for nothing to be stored. Connect refuses it (S-364).
	DryRun bool

	// FieldManager is who owns the fields that are written. For Create, Update
	// and Patch it may be empty, which is not replaced by a user agent: webhooks
	// would not see that either. Apply requires it.
	FieldManager string
	// FieldValidation is Ignore, Warn, Strict or empty, for the verbs that write.
	FieldValidation string

	// GracePeriodSeconds is for the verbs that delete.
	GracePeriodSeconds *int64
	// PropagationPolicy is for the verbs that delete.
	PropagationPolicy *metav1.DeletionPropagation
	// Preconditions are for the verbs that delete.
	Preconditions *metav1.Preconditions
}

func (by *By) check(verb verb) error {
	operation := verb.operation()
	deletes := operation == admissionv1.Delete
	writes := operation == admissionv1.Create || operation == admissionv1.Update
	switch {
	case by.User.Username == "":
		return errors.New("By.User.Username: required: an API server has a name for everyone")
	case by.DryRun && operation == admissionv1.Connect:
		return errors.New("By.DryRun: dryRun is not supported for CONNECT") // S-364
	case by.FieldManager != "" && !writes:
		return fmt.Errorf("By.FieldManager: %s has none", operation)
	case by.FieldManager == "" && (verb == apply || verb == applyNew):
		return errors.New("By.FieldManager: required for server-side apply")
	case by.FieldValidation != "" && !writes:
		return fmt.Errorf("By.FieldValidation: %s has none", operation)
	case by.GracePeriodSeconds != nil && !deletes:
		return fmt.Errorf("By.GracePeriodSeconds: %s has none", operation)
	case by.PropagationPolicy != nil && !deletes:
		return fmt.Errorf("By.PropagationPolicy: %s has none", operation)
	case by.Preconditions != nil && !deletes:
		return fmt.Errorf("By.Preconditions: %s has none", operation)
	default:
		return nil
	}
}

// options returns the options object of an operation (S-216), nil for CONNECT.
func (by *By) options(operation admissionv1.Operation) (runtime.Object, error) {
	switch operation {
	case admissionv1.Create:
		o := &metav1.CreateOptions{
			TypeMeta: optionsKind("CreateOptions"),
			DryRun:   by.dryRun(), FieldManager: by.FieldManager, FieldValidation: by.FieldValidation,
		}
		return valid(o, validation.ValidateCreateOptions(o).ToAggregate())
	case admissionv1.Update:
		o := &metav1.UpdateOptions{
			TypeMeta: optionsKind("UpdateOptions"),
			DryRun:   by.dryRun(), FieldManager: by.FieldManager, FieldValidation: by.FieldValidation,
		}
		return valid(o, validation.ValidateUpdateOptions(o).ToAggregate())
	case admissionv1.Delete:
		o := &metav1.DeleteOptions{
			TypeMeta: optionsKind("DeleteOptions"), DryRun: by.dryRun(),
			GracePeriodSeconds: by.GracePeriodSeconds, PropagationPolicy: by.PropagationPolicy, Preconditions: by.Preconditions,
		}
		return valid(o.DeepCopy(), validation.ValidateDeleteOptions(o).ToAggregate())
	default:
		return nil, nil
	}
}

// valid returns the options unless an API server would refuse them.
func valid(options runtime.Object, err error) (runtime.Object, error) {
	if err != nil {
		return nil, fmt.Errorf("By: %w", err)
	}
	return options, nil
}

func optionsKind(kind string) metav1.TypeMeta {
	apiVersion, kind := metav1.SchemeGroupVersion.WithKind(kind).ToAPIVersionAndKind()
	return metav1.TypeMeta{APIVersion: apiVersion, Kind: kind}
}

func (by *By) dryRun() []string {
	if !by.DryRun {
		return nil
	}
	return []string{metav1.DryRunAll}
}
