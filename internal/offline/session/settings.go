package session

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/merge"
	"example.com/gatehouse/internal/offline/requests"
)

// settings returns the settings without a patch from a file.
func (a *requestFlags) settings() (requests.Settings, error) {
	s := requests.Settings{
		Operation: admissionv1.Operation(
			a.operation,
		),
		Collection:  a.collection,
		Subresource: a.subresource,
		Namespace:   a.namespace,
		Name:        a.name,
		Apply:       a.apply,
		Force:       a.force,
	}
	var err error
	if s.By, err = a.by(); err != nil {
		return s, err
	}
	if a.patch == nil && a.patchFile == nil {
		return s, nil
	}
	s.Patch = &requests.Patch{}
	if s.Patch.Type, err = merge.ParseType(cmp.Or(a.patchType, "strategic")); err != nil {
		return s, fmt.Errorf("--patch-type: %w", err)
	}
	if a.patch != nil {
		s.Patch.JSON, err = manifest.Value("--patch", strings.NewReader(*a.patch), maxPatch)
	}
	return s, err
}

// maxPatch is an API server's limit for the body of a request, in bytes.
const maxPatch = 3 << 20

// by returns the user and the options.
func (a *requestFlags) by() (request.By, error) {
	user := requests.UserFor(a.user, a.uid, a.groups)
	for _, e := range a.extra {
		key, value, ok := strings.Cut(e, "=")
		if !ok || key == "" {
			return request.By{}, fmt.Errorf("--as-user-extra %q: want KEY=VALUE", e)
		}
		if user.Extra == nil {
			user.Extra = map[string]authenticationv1.ExtraValue{}
		}
		user.Extra[key] = append(user.Extra[key], value)
	}
	by := request.By{User: *user, DryRun: bool(a.dryRun), FieldManager: a.fieldManager,
		FieldValidation: a.validation()}
	if a.apply && by.FieldManager == "" {
		by.FieldManager = defaultManager
	}
	if a.grace >= 0 {
		by.GracePeriodSeconds = &a.grace
	}
	var err error
	by.PropagationPolicy, err = a.propagation()
	return by, err
}

// validation returns the value of --field-validation as the API has it, or as it is if the
// API does not have it.
func (a *requestFlags) validation() string {
	for _, known := range []string{metav1.FieldValidationIgnore, metav1.FieldValidationWarn,
		metav1.FieldValidationStrict} {
		if strings.EqualFold(a.fieldValidation, known) {
			return known
		}
	}
	return a.fieldValidation
}

// propagation returns the policy of --cascade.
func (a *requestFlags) propagation() (*metav1.DeletionPropagation, error) {
	switch a.cascade {
	case "":
		return nil, nil
	case "background":
		return new(metav1.DeletePropagationBackground), nil
	case "orphan":
		return new(metav1.DeletePropagationOrphan), nil
	case "foreground":
		return new(metav1.DeletePropagationForeground), nil
	}
	return nil, fmt.Errorf("--cascade %q: want background, orphan or foreground", a.cascade)
}

// readPatch reads the patch from --patch-file, if there is one.
func (a *requestFlags) readPatch(s *requests.Settings) error {
	if a.patchFile == nil {
		return nil
	}
	file, err := os.Open(*a.patchFile)
	if err != nil {
		return fmt.Errorf("--patch-file: %s: cannot be read: %w", *a.patchFile, message.FileError(err))
	}
	defer func() { _ = file.Close() }() // nothing was written
	if s.Patch.JSON, err = manifest.Value(*a.patchFile, file, maxPatch); err != nil {
		return fmt.Errorf("--patch-file: %w", err)
	}
	return nil
}
