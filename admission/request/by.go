package request

import (
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// By is the user and the options of a request. A field that the verb does not
// have is an error, never ignored. The two deprecated and unsafe options of a
// deletion, orphanDependents and
// ignoreStoreReadErrorWithClusterBreakingPotential, are not supported.
type By struct {
	// User is the user of the request. Its Username is required; an API server
	// calls an unauthenticated user "system:anonymous". Groups stay as they
	// are: "system:authenticated" is not added.
	User authenticationv1.UserInfo
	// DryRun requests a dry run. Connect rejects it (S-364).
	DryRun bool

	// FieldManager is the owner of the written fields. Apply requires it. For
	// Create, Update and Patch it may be empty; then it stays empty, because
	// the options that webhooks receive do not contain the default of a server
	// either.
	FieldManager string
	// FieldValidation is Ignore, Warn, Strict or empty, for the verbs that
	// write.
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
		return wrong("By.User.Username", "required: every request has a user name")
	case by.DryRun && operation == admissionv1.Connect:
		return wrong("By.DryRun", "dryRun is not supported for CONNECT") // S-364
	case by.FieldManager != "" && !writes:
		return hasNone("By.FieldManager", operation)
	case by.FieldManager == "" && (verb == apply || verb == applyNew):
		return wrong("By.FieldManager", "required for server-side apply")
	case by.FieldValidation != "" && !writes:
		return hasNone("By.FieldValidation", operation)
	case by.GracePeriodSeconds != nil && !deletes:
		return hasNone("By.GracePeriodSeconds", operation)
	case by.PropagationPolicy != nil && !deletes:
		return hasNone("By.PropagationPolicy", operation)
	case by.Preconditions != nil && !deletes:
		return hasNone("By.Preconditions", operation)
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
		return valid(o, validation.ValidateCreateOptions(o))
	case admissionv1.Update:
		o := &metav1.UpdateOptions{
			TypeMeta: optionsKind("UpdateOptions"),
			DryRun:   by.dryRun(), FieldManager: by.FieldManager, FieldValidation: by.FieldValidation,
		}
		return valid(o, validation.ValidateUpdateOptions(o))
	case admissionv1.Delete:
		o := &metav1.DeleteOptions{
			TypeMeta:           optionsKind("DeleteOptions"),
			DryRun:             by.dryRun(),
			GracePeriodSeconds: by.GracePeriodSeconds,
			PropagationPolicy:  by.PropagationPolicy,
			Preconditions:      by.Preconditions,
		}
		return valid(o.DeepCopy(), validation.ValidateDeleteOptions(o))
	default:
		return nil, nil
	}
}

// valid returns the options unless an API server would refuse them. Their
// fields are called as those of By are, but for the first letter.
func valid(options runtime.Object, problems field.ErrorList) (runtime.Object, error) {
	if len(problems) == 0 {
		return options, nil
	}
	first := problems[0]
	return nil, wrong("By."+strings.ToUpper(first.Field[:1])+first.Field[1:], "%s", first.ErrorBody())
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
