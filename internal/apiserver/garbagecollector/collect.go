package garbagecollector

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/metadata"
	"k8s.io/utils/ptr"
)

// process deletes or updates one object if necessary. The caller must retry
// after an error.
func (c *Controller) process(ctx context.Context, uid types.UID) error {
	n := c.graph.node(uid)
	if n == nil {
		return nil
	}
	client, err := c.objects.of(n)
	if err != nil {
		return err
	}
	latest, err := c.objects.get(ctx, client, n.name, uid)
	switch {
	case err != nil:
		return err
	case latest == nil:
		c.enqueue(c.graph.remove(uid))
		return nil
	}
	// The graph forgets the versions of objects that it does not have, so it may have taken a
	// late event for the latest one.
	c.enqueue(c.graph.set(newNode(n.resource, latest)))
	if latest.DeletionTimestamp == nil {
		return c.collect(ctx, client, n, latest)
	}
	switch pendingFinalizer(latest) {
	case metav1.FinalizerOrphanDependents:
		return c.orphanDependents(ctx, client, latest)
	case metav1.FinalizerDeleteDependents:
		return c.awaitDependents(ctx, client, latest)
	}
	return nil
}

// orphanDependents removes the references to an owner that is being deleted,
// and then lets it go.
func (c *Controller) orphanDependents(
	ctx context.Context, client metadata.ResourceInterface, owner *metav1.PartialObjectMetadata,
) error {
	for _, n := range c.graph.dependentsOf(owner.UID) {
		client, err := c.objects.of(n)
		if err != nil {
			return err
		}
		dependent, err := c.objects.get(ctx, client, n.name, n.uid)
		if err == nil && dependent != nil {
			err = removeOwners(ctx, client, dependent, owner.UID)
		}
		if err != nil {
			return fmt.Errorf("orphaning %s %q: %w", n.resource, n.name, err)
		}
	}
	return removeFinalizer(ctx, client, owner, metav1.FinalizerOrphanDependents)
}

// awaitDependents lets an owner go if no dependent blocks its deletion. The
// graph enqueues the owner again when one of them changes.
func (c *Controller) awaitDependents(
	ctx context.Context, client metadata.ResourceInterface, owner *metav1.PartialObjectMetadata,
) error {
	blocked := false
	for _, n := range c.graph.dependentsOf(owner.UID) {
		if n.blocks(owner.UID) {
			blocked = true
			if !n.waits() {
				c.enqueue([]types.UID{n.uid})
			}
		}
	}
	switch {
	case blocked && c.graph.inCircle(owner.UID):
		// collect has not seen that both wait, because their deletions began at the same time.
		_, err := unblock(ctx, client, owner)
		return err
	case blocked:
		return nil
	}
	return removeFinalizer(ctx, client, owner, metav1.FinalizerDeleteDependents)
}

// references are the references of an object by the state of the owner.
type references struct {
	// solid owners exist, and absent ones do not.
	solid, absent []types.UID
	// waiting owners are being deleted and wait for their dependents.
	waiting []types.UID
}

func (c *Controller) classify(
	ctx context.Context, n *node, latest *metav1.PartialObjectMetadata,
) (r references, err error) {
	for _, reference := range latest.OwnerReferences {
		var owner *metav1.PartialObjectMetadata
		if !c.graph.isAbsent(reference.UID) {
			if owner, err = c.objects.owner(ctx, n, reference); err != nil {
				return r, fmt.Errorf("looking for the owner of %s %q: %w", n.resource, n.name, err)
			}
		}
		switch {
		case owner == nil:
			r.absent = append(r.absent, reference.UID)
		case owner.DeletionTimestamp != nil &&
			slices.Contains(owner.Finalizers, metav1.FinalizerDeleteDependents):
			r.waiting = append(r.waiting, reference.UID)
		default:
			r.solid = append(r.solid, reference.UID)
		}
	}
	return r, nil
}

// collect deletes an object that has had owners, and has none any more.
func (c *Controller) collect(
	ctx context.Context, client metadata.ResourceInterface, n *node,
	latest *metav1.PartialObjectMetadata,
) error {
	if len(latest.OwnerReferences) == 0 {
		return nil
	}
	r, err := c.classify(ctx, n, latest)
	switch {
	case errors.Is(err, errClusterScoped):
		return nil
	case err != nil:
		return err
	case len(r.solid) > 0:
		// A waiting owner would wait for the object in vain.
		return removeOwners(ctx, client, latest, append(r.absent, r.waiting...)...)
	}
	policy := metav1.DeletePropagationBackground
	dependents := c.graph.dependentsOf(n.uid)
	switch {
	case len(r.waiting) > 0 && len(dependents) > 0:
		policy = metav1.DeletePropagationForeground
		if slices.ContainsFunc(dependents, (*node).waits) { // they may own each other
			latest, err = unblock(ctx, client, latest)
		}
		if err != nil || latest == nil {
			return err
		}
	case slices.Contains(latest.Finalizers, metav1.FinalizerOrphanDependents):
		policy = metav1.DeletePropagationOrphan
	case slices.Contains(latest.Finalizers, metav1.FinalizerDeleteDependents):
		policy = metav1.DeletePropagationForeground
	}
	err = client.Delete(ctx, latest.Name, metav1.DeleteOptions{
		PropagationPolicy: &policy,
		Preconditions: &metav1.Preconditions{
			UID: &latest.UID, ResourceVersion: &latest.ResourceVersion,
		},
	})
	if apierrors.IsNotFound(err) {
		c.enqueue(c.graph.remove(n.uid))
		return nil
	}
	return err
}

// unblock lets the owners of an object not wait for it. It returns nil if the object is
// gone. Compat: for built-in kinds kube-controller-manager too changes only the references
// that block; for custom resources it sets the field in all of them.
func unblock(
	ctx context.Context, client metadata.ResourceInterface, latest *metav1.PartialObjectMetadata,
) (*metav1.PartialObjectMetadata, error) {
	owners := slices.Clone(latest.OwnerReferences)
	for i := range owners {
		if ptr.Deref(owners[i].BlockOwnerDeletion, false) {
			owners[i].BlockOwnerDeletion = new(bool)
		}
	}
	return patch(ctx, client, latest, "ownerReferences", owners)
}
