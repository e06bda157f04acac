package dispatcher

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/internal/engine/patch"
	"example.com/gatehouse/internal/engine/review"
)

// patching is the name of the tasks that decode and apply a patch.
const patching = "patching the object"

// inlinePatchLimit is the size in bytes up to which a patch is decoded on the
// call's goroutine.
const inlinePatchLimit = 64 << 10

// apply applies the patch in the response. It reports whether the call is
// allowed (S-174…S-179).
func (c *call) apply(ctx context.Context, response *review.Response, span *span) bool {
	if len(response.Patch) == 0 {
		return true
	}
	operations, ok := c.decodePatch(ctx, response.Patch)
	if !ok || len(operations) == 0 {
		return ok
	}
	before := c.versioned.VersionedObject.Object()
	if before == nil {
		c.rejectPatch(admission.OriginHost, fmt.Errorf(
			"admission webhook %q attempted to modify the object, which is not supported for this operation", c.webhook.Name))
		return false
	}
	if response.PatchType != admissionv1.PatchTypeJSONPatch {
		c.fail(fmt.Errorf("unsupported patch type %q", response.PatchType),
			rejection(c.webhook.Name, response.Result, c.limits()))
		return false
	}
	after, err := c.patch(ctx, operations, before)
	if err != nil {
		c.patchFailed(err)
		return false
	}
	span.event("Patch applied")
	// The record of a call that fails has no patch, so set it last.
	c.record.Changed, c.record.Patch, c.patched = after.changed, after.operations, after
	c.tracer.patched(after)
	return true
}

// decodePatch decodes the patch. It reports whether the call may go on.
func (c *call) decodePatch(ctx context.Context, raw []byte) (patch.Operations, bool) {
	c.record.Step = admission.StepDecodePatch
	l := c.limits()
	operations, err := runDetached(ctx, c.run.d.detached, c.key(), task[patch.Operations]{
		name:   patching,
		inline: len(raw) < inlinePatchLimit,
		run:    func() (patch.Operations, error) { return patch.Decode(raw, l) },
	})
	var late *deadlineError
	var exceeded *limits.Error
	switch {
	case err == nil:
		return operations, true
	case errors.As(err, &late), errors.As(err, &exceeded):
		c.patchFailed(err)
	default:
		c.fail(fmt.Errorf("received undecodable patch in webhook response: %w", err),
			apierrors.NewServiceUnavailable("error decoding patch in webhook response"))
	}
	return nil, false
}

// patchFailed ends a call whose patch could not be applied: with an internal
// error, or as a failed call if the call's deadline has passed.
func (c *call) patchFailed(err error) {
	var late *deadlineError
	if errors.As(err, &late) {
		c.fail(err, apierrors.NewServiceUnavailable("error applying patch in webhook response"))
		return
	}
	c.rejectPatch(c.originOf(err), err)
}

// patch applies the operations to the object, and converts and defaults the
// result.
func (c *call) patch(
	ctx context.Context, operations patch.Operations, before runtime.Object,
) (*patched, error) {
	c.record.Step = admission.StepApplyPatch
	document, err := c.versioned.encodedObject()
	if err != nil {
		return nil, err
	}
	job := &patchJob{
		operations: operations,
		document:   document,
		custom:     isUnstructured(before),
		kind:       c.versioned.VersionedKind,
		interfaces: c.run.interfaces,
		limits:     c.limits(),
	}
	after, err := runDetached(ctx, c.run.d.detached, c.key(), task[*patched]{
		name:   patching,
		inline: patch.Quick(operations, document),
		run: func() (*patched, error) {
			failpoint.Hit(ctx, failpoint.BeforePatch)
			after, err := job.run()
			failpoint.Hit(ctx, failpoint.AfterPatch)
			return after, err
		},
	})
	if err != nil {
		return nil, err
	}
	// Compat: S-179, S-180: what defaulting adds does not count as a change.
	after.changed = !apiequality.Semantic.DeepEqual(before, after.object)
	c.run.interfaces.GetObjectDefaulter().Default(after.object)
	return after, nil
}

func isUnstructured(object runtime.Object) bool {
	_, ok := object.(*unstructured.Unstructured)
	return ok
}

// patchJob holds what is needed to patch an object. It does not refer to the
// object itself, because the request goes on with the object if the deadline
// passes.
type patchJob struct {
	operations patch.Operations
	document   []byte
	custom     bool // the object is unstructured
	kind       schema.GroupVersionKind
	interfaces apiadmission.ObjectInterfaces
	limits     *limits.Limits
}

// patched is the object with the patch.
type patched struct {
	object     runtime.Object
	changed    bool
	operations json.RawMessage
	// before and document are the object's JSON without and with the patch.
	before, document []byte
}

func (j *patchJob) run() (*patched, error) {
	document, spliced := patch.Splice(j.operations, j.document, j.limits)
	if !spliced {
		var err error
		if document, err = patch.Apply(j.operations, j.document, j.limits); err != nil {
			return nil, err
		}
	}
	object, err := patch.Object(document, j.custom, j.kind, j.interfaces)
	if err != nil {
		return nil, err
	}
	operations, err := json.Marshal(j.operations)
	if err != nil {
		return nil, err
	}
	return &patched{
		object: object, operations: operations, before: j.document, document: document,
	}, nil
}
