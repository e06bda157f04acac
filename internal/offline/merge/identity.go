package merge

import (
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
)

// checkIdentity gives the changed object the namespace of the stored one, and
// finds out whether the two are one object to a server. The texts speak of
// requests and URLs, in which the stored object's name and namespace would be. A
// server also quotes the other name: but a patch may have copied anything there.
//
// Compat: a namespace that is given to an object without one is taken for a
// mistake that does no harm, and removed.
func checkIdentity(changed, stored runtime.Object) error {
	to, err := meta.Accessor(changed)
	if err != nil {
		return err
	}
	from, err := meta.Accessor(stored)
	if err != nil {
		return err
	}
	switch namespace := from.GetNamespace(); {
	case to.GetNamespace() == namespace:
	case to.GetNamespace() == "" || namespace == "":
		to.SetNamespace(namespace)
	default:
		return apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	if to.GetName() == "" {
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s based on URL) was undeterminable: name must be provided", from.GetName()))
	}
	if to.GetName() != from.GetName() {
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object does not match the name on the URL (%s)", from.GetName()))
	}
	return nil
}

// checkCreated finds out whether an object can be created as it was applied.
func checkCreated(created runtime.Object) error {
	object, err := meta.Accessor(created)
	if err != nil {
		return err
	}
	if object.GetName() == "" {
		return apierrors.NewBadRequest("metadata.name is required for apply: it is the name on the URL")
	}
	if object.GetUID() != "" {
		at, _ := meta.UnsafeGuessKindToResource(created.GetObjectKind().GroupVersionKind())
		return apierrors.NewConflict(at.GroupResource(), object.GetName(),
			errors.New("uid mismatch: the provided object specified a uid, and no existing object was found"))
	}
	return nil
}
