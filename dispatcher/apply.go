package dispatcher

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/dispatcher/limits"
	"example.com/gatehouse/internal/failpoint"
	"example.com/gatehouse/internal/patch"
	"example.com/gatehouse/internal/review"
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
	quick := patch.Quick(operations, document)
	if !quick {
		if ctx.Err() != nil {
			return overdue[*patched](ctx, patching)
		}
		// The request goes on with its object when the time is up.
		before = before.DeepCopyObject()
	}
	job := &patchJob{
		operations: operations,
		document:   document,
		before:     before,
		foreign:    c.object.foreign,
		kind:       c.object.VersionedKind,
		objects:    c.pass.objects,
		limits:     c.limits(),
	}
	return finish(ctx, c.pass.d.places, c.owner(), work[*patched]{doing: patching, quick: quick, do: func() (*patched, error) {
		failpoint.Hit(ctx, failpoint.BeforePatch)
		after, err := job.run()
		failpoint.Hit(ctx, failpoint.AfterPatch)
		return after, err
	}})
}

// patchJob is all that it takes to patch an object. Nothing in it is changed while
// it runs, neither by itself nor by anybody else.
type patchJob struct {
	operations patch.Operations
	document   []byte
	before     runtime.Object
	// foreign are the fields at the top of before that a webhook has written; nil
	// if all of it is the host's.
	foreign []string
	kind    schema.GroupVersionKind
	objects apiadmission.ObjectInterfaces
	limits  *limits.Limits
}

// patched is the object as the patch leaves it.
type patched struct {
	object     runtime.Object
	foreign    []string // as in versioned
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
	touched, same := patch.Touched(j.operations)
	object, err := j.decode(document, touched, spliced && same)
	if err != nil {
		return nil, err
	}
	operations, err := json.Marshal(j.operations)
	if err != nil {
		return nil, err
	}
	// Compat: S-179, S-180: what defaulting adds does not count as a change.
	changed := !apiequality.Semantic.DeepEqual(j.before, object)
	j.objects.GetObjectDefaulter().Default(object)
	return &patched{
		object: object, foreign: touched, changed: changed, operations: operations,
		before: j.document, document: document,
	}, nil
}

// decode returns the object that the patched document is: in parts, if only some of
// its fields at the top can be others than in the object before.
func (j *patchJob) decode(document []byte, touched []string, inParts bool) (runtime.Object, error) {
	if inParts && j.foreign != nil && j.before.GetObjectKind().GroupVersionKind() == j.kind {
		if object, ok := patch.Renew(document, slices.Concat(j.foreign, touched), j.before); ok {
			return object, nil
		}
	}
	return patch.Object(document, j.operations, j.before, j.kind, j.objects)
}
