package requests

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
)

// Check returns an error for settings that contradict each other. It names them
// as flags. stored is true if there are stored objects.
func (s *Settings) Check(stored bool) error {
	switch s.Operation {
	case "", admissionv1.Create, admissionv1.Update, admissionv1.Delete, admissionv1.Connect:
	default:
		return fmt.Errorf("--operation %q: want CREATE, UPDATE, DELETE or CONNECT", s.Operation)
	}
	if err := s.checkSubresource(); err != nil {
		return err
	}
	updates := s.Operation == "" || s.Operation == admissionv1.Update
	switch {
	case s.Collection && s.Operation != admissionv1.Delete:
		return errors.New("--collection needs --operation DELETE")
	case s.Collection && s.Name != "":
		return errors.New("--collection and --name: a request to delete a collection has no name")
	case s.Patch != nil && s.Apply:
		return errors.New("--apply and --patch cannot be combined")
	case s.Patch != nil && !updates:
		return fmt.Errorf("--operation %s and --patch: a patch is an UPDATE", s.Operation)
	case s.Apply && s.Operation != "":
		return fmt.Errorf("--operation %s and --apply: an apply is an UPDATE if --old has the object, and otherwise a CREATE", s.Operation)
	case s.Force && !s.Apply:
		return errors.New("--force-conflicts needs --apply")
	case stored && s.Patch != nil:
		return errors.New(
			"--old and --patch: the arguments are the stored objects that the patch changes")
	case stored && !updates:
		return fmt.Errorf("--operation %s and --old: stored objects are for an UPDATE", s.Operation)
	}
	return nil
}

// checkSubresource returns an error if the subresource or its resource has no
// name.
func (s *Settings) checkSubresource() error {
	parts := strings.Split(s.Subresource, "/")
	if s.Subresource != "" && (len(parts) > 2 || slices.Contains(parts, "")) {
		return fmt.Errorf("--subresource %q: want SUBRESOURCE or RESOURCE/SUBRESOURCE, such as status or deployments.apps/scale", s.Subresource)
	}
	return nil
}
