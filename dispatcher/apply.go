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

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/internal/engine/patch"
	"example.com/gatehouse/internal/engine/review"
)

// patching is what a call is doing from when its answer is in.
const patching = "patching the object"

// quickPatch is the size from which on a patch is decoded where nobody has to wait
// for it.
const quickPatch = 64 << 10

// apply applies the answer's patch and reports whether the call may go on as
// allowed (S-174…S-179).
func (c *call) apply(ctx context.Context, answer *review.Answer, span *span) bool {
	if len(answer.Patch) == 0 {
		return true
	}
	c.patching = true
	operations, ok := c.decode(ctx, answer.Patch)
	if !ok || len(operations) == 0 {
		return ok
	}
	before := c.object.VersionedObject.Object()
	if before == nil {
		c.unusable(fmt.Errorf("admission webhook %q attempted to modify the object, which is not supported for this operation", c.webhook.Name))
		return false
	}
	if answer.PatchType != admissionv1.PatchTypeJSONPatch {
		c.fail(fmt.Errorf("unsupported patch type %q", answer.PatchType), rejection(c.webhook.Name, answer.Result, c.limits()))
		return false
	}
	after, err := c.patch(ctx, operations, before)
	if err != nil {
		c.unpatched(err)
		return false
	}
	span.event("Patch applied")
	// Only now, when nothing can go wrong any more: a call that fails has no patch.
	c.record.Changed, c.record.Patch, c.patched = after.changed, after.operations, after
	c.tracer.patched(after)
	return true
}

// decode reads the patch and reports whether it could be read.
func (c *call) decode(ctx context.Context, raw []byte) (patch.Operations, bool) {
	l := c.limits()
	operations, err := finish(ctx, c.pass.d.places, c.owner(), work[patch.Operations]{
		doing: patching,
		quick: len(raw) < quickPatch,
		do:    func() (patch.Operations, error) { return patch.Decode(raw, l) },
	})
	var late *overdueError
	var exceeded *limits.Error
	switch {
	case err == nil:
		return operations, true
	case errors.As(err, &late), errors.As(err, &exceeded):
		c.unpatched(err)
	default:
		c.fail(fmt.Errorf("received undecodable patch in webhook response: %w", err), apierrors.NewServiceUnavailable("error decoding patch in webhook response"))
	}
	return nil, false
}

// unpatched ends a call whose patch could not be applied: an internal error, or a
// failed call if that was only for want of time.
func (c *call) unpatched(err error) {
	var late *overdueError
	if errors.As(err, &late) {
		c.fail(err, apierrors.NewServiceUnavailable("error applying patch in webhook response"))
		return
	}
	c.unusable(err)
}

// patch returns what the operations make of the object.
func (c *call) patch(ctx context.Context, operations patch.Operations, before runtime.Object) (*patched, error) {
	document, err := c.object.object()
	if err != nil {
		return nil, err
	}
	job := &patchJob{
		operations: operations,
		document:   document,
		custom:     isUnstructured(before),
		kind:       c.object.VersionedKind,
		objects:    c.pass.objects,
		limits:     c.limits(),
	}
	after, err := finish(ctx, c.pass.d.places, c.owner(), work[*patched]{doing: patching, quick: patch.Quick(operations, document), do: func() (*patched, error) {
		failpoint.Hit(ctx, failpoint.BeforePatch)
		after, err := job.run()
		failpoint.Hit(ctx, failpoint.AfterPatch)
		return after, err
	}})
	if err != nil {
		return nil, err
	}
	// Compat: S-179, S-180: what defaulting adds does not count as a change.
	after.changed = !apiequality.Semantic.DeepEqual(before, after.object)
	c.pass.objects.GetObjectDefaulter().Default(after.object)
	return after, nil
}

func isUnstructured(object runtime.Object) bool {
	_, ok := object.(*unstructured.Unstructured)
	return ok
}

// patchJob is all that it takes to patch an object. It does not refer to the object
// itself: the request goes on with that when the time is up.
type patchJob struct {
	operations patch.Operations
	document   []byte
	custom     bool // the object is unstructured
	kind       schema.GroupVersionKind
	objects    apiadmission.ObjectInterfaces
	limits     *limits.Limits
}

// patched is the object as the patch leaves it.
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
	object, err := patch.Object(document, j.custom, j.kind, j.objects)
	if err != nil {
		return nil, err
	}
	operations, err := json.Marshal(j.operations)
	if err != nil {
		return nil, err
	}
	return &patched{object: object, operations: operations, before: j.document, document: document}, nil
}
