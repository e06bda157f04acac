package merge

import (
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
)

// checkIdentity sets the namespace of the changed object to that of the stored
// one, and returns an error if their names or namespaces differ. Unlike a
// server's, the error does not quote the other name, because the patch may have
// copied a secret there.
//
// Compat: the namespace of an object without namespaces is removed.
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
		return apierrors.NewBadRequest(
			"the namespace of the provided object does not match the namespace sent on the request")
	}
	if to.GetName() == "" {
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s based on URL) was undeterminable: name must be provided", from.GetName()))
	}
	if to.GetName() != from.GetName() {
		return apierrors.NewBadRequest(
			fmt.Sprintf("the name of the object does not match the name on the URL (%s)", from.GetName()))
	}
	return nil
}

// checkCreated returns an error if an applied object cannot be created.
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
			errors.New(
				"uid mismatch: the provided object specified a uid, and no existing object was found"))
	}
	return nil
}
