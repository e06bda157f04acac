package dispatcher_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/testutil/testtable"
)

// whilePatching is a creater that calls run with the number of the object.
type whilePatching struct {
	runtime.ObjectCreater
	made atomic.Int32
	run  func(patch int)
}

func (w *whilePatching) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	w.run(int(w.made.Add(1)))
	return w.ObjectCreater.New(kind)
}

// patchingWith calls run while a patch is applied, with the number of the
// patch. The request's object gets its kind, so that no other object has to be
// made than those of the patches.
func (s *testRequest) patchingWith(run func(patch int)) {
	s.request.object.GetObjectKind().SetGroupVersionKind(podKind)
	s.objects = &faulty{ObjectInterfaces: s.interfaces(), creater: &whilePatching{ObjectCreater: s.interfaces().GetObjectCreater(), run: run}}
}

// lateRow is a patch that takes ten seconds to apply; the call has three.
type lateRow struct {
	row
	patch  string
	policy func(*admission.Webhook)
	// leaves is when the caller goes away, if it does.
	leaves  time.Duration
	outcome admission.Outcome
	took    time.Duration
	call    string
	err     string
}

func lateRows() []lateRow {
	many := `[` + strings.TrimSuffix(strings.Repeat(addLabel("by", "hook")+",", 100), ",") + `]`
	few := `[` + addLabel("by", "hook") + `]`
	failing := func(*admission.Webhook) {}
	const (
		late = `failed calling webhook "hook.example.com": patching the object: context deadline exceeded`
		gone = `failed calling webhook "hook.example.com": patching the object: context canceled`
	)
	return []lateRow{
		{row{"failed closed", "G28: the deadline of a call is that of its patch"}, many, failing, 0, admission.FailedClosed, 3 * time.Second, late, "Internal error occurred: " + late},
		{row{"failed open", "S-254: a failed call, which the policy forgives"}, many, ignoring, 0, admission.FailedOpen, 3 * time.Second, late, ""},
		{row{"caller goes away", "S-255: the caller does not wait any longer"}, many, failing, time.Second, admission.Canceled, time.Second, gone, timedOut},
		{row{"small patch", "what takes no time by itself is waited for"}, few, failing, 0, admission.Allowed, 10 * time.Second, "", ""},
	}
}

func TestLatePatches(t *testing.T) {
	t.Parallel()
	testtable.Run(t, lateRows(), func(t *testing.T, tc lateRow) {
		synctest.Test(t, tc.run)
	})
}

func (tc *lateRow) run(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if tc.leaves > 0 {
		time.AfterFunc(tc.leaves, cancel)
	}
	s := one(admission.Mutating, patches(tc.patch), tc.policy, func(w *admission.Webhook) { w.TimeoutSeconds = new(int32(3)) })
	object := pod("app", "web")
	s.request.object = object
	s.patchingWith(func(int) { time.Sleep(10 * time.Second) })
	start := time.Now()
	r := s.run(ctx, t, admission.Mutating)
	if took := time.Since(start); took != tc.took {
		t.Errorf("it took %v, want %v", took, tc.took)
	}
	call := r.calls[0]
	if call.Outcome != tc.outcome || testtable.Text(call.Err) != tc.call || testtable.Text(r.err) != tc.err {
		t.Errorf("%v, %v\nand %v\nwant %v, %s\nand %s", call.Outcome, call.Err, r.err, tc.outcome, tc.call, tc.err)
	}
	if tc.outcome == admission.Allowed {
		return
	}
	if call.Patch != nil || call.Changed {
		t.Errorf("the record has the patch %s", call.Patch)
	}
	// Abandoned work continues, and must not change the object.
	time.Sleep(time.Minute)
	if got := fmt.Sprint(object.Labels); got != "map[app:web]" {
		t.Errorf("the object has the labels %s", got)
	}
}

// TestAbandonedPatchAndNextWebhook: the abandoned work ends during the call of
// the next webhook, which must not see its result.
func TestAbandonedPatchAndNextWebhook(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := several(2, func(i int) exchange {
			if i == 0 {
				return patches(lateRows()[0].patch)
			}
			return func(r *http.Request) (*http.Response, error) {
				time.Sleep(9 * time.Second)
				return patches(`[` + addLabel("second", "hook") + `]`)(r)
			}
		})
		var ended atomic.Int32
		for _, w := range s.webhooks {
			w.Phase = admission.Mutating
			ignoring(w)
		}
		s.webhooks[0].TimeoutSeconds = new(int32(3))
		object := pod("app", "web")
		s.request.object = object
		s.patchingWith(func(patch int) {
			if patch == 1 {
				time.Sleep(10 * time.Second)
			}
			ended.Add(1)
		})
		r := s.run(t.Context(), t, admission.Mutating)
		if r.err != nil || ended.Load() != 2 {
			t.Fatalf("error %v, %d patches, want none and two", r.err, ended.Load())
		}
		if got := fmt.Sprint(object.Labels); got != "map[app:web second:hook]" {
			t.Errorf("the object has the labels %s", got)
		}
	})
}

// TestPanicOfLargePatch panics on a goroutine of the engine's own.
func TestPanicOfLargePatch(t *testing.T) {
	t.Parallel()
	s := one(admission.Mutating, patches(lateRows()[0].patch), ignoring)
	s.request.object = pod("app", "web")
	s.patchingWith(func(int) { panic("boom") })
	r := s.run(t.Context(), t, admission.Mutating)
	if testtable.Text(r.err) != "Internal error occurred: boom" || r.calls[0].Outcome != admission.Internal {
		t.Errorf("%v with error %v, want an internal error", r.calls[0].Outcome, r.err)
	}
}

// TestGoexitOfLargePatch ends a goroutine of the engine's own, as t.FailNow
// does.
func TestGoexitOfLargePatch(t *testing.T) {
	t.Parallel()
	s := one(admission.Mutating, patches(lateRows()[0].patch), ignoring)
	s.request.object = pod("app", "web")
	s.patchingWith(func(int) { goruntime.Goexit() })
	r := s.run(t.Context(), t, admission.Mutating)
	if testtable.Text(r.err) != "Internal error occurred: patching the object: the call ended its goroutine" {
		t.Errorf("error %v", r.err)
	}
}

// TestLateDecoding cancels a request while the response, in YAML, is being
// decoded. How long decoding takes depends on the machine, so requests are
// cancelled ever later until one is being decoded then.
func TestLateDecoding(t *testing.T) {
	t.Parallel()
	budget := limits.NewBudget(0)
	for after := time.Millisecond; after < time.Minute; after += after / 2 {
		ctx, cancel := context.WithCancel(t.Context())
		s := one(admission.Validating, func(r *http.Request) (*http.Response, error) {
			_, err := io.Copy(io.Discard, r.Body)
			answer := response(http.StatusOK, "", "a:\n"+strings.Repeat("- {b: [c, d, e]}\n", 15_000))
			answer.Body = &endingBody{answer.Body, func() { time.AfterFunc(after, cancel) }}
			return answer, err
		}).within(limits.Limits{Budget: budget})
		r := s.run(ctx, t, admission.Validating)
		decoding := budget.Used() > 0
		cancel()
		if !decoding {
			continue
		}
		const want = "failed to call webhook: decoding the response: context canceled"
		if err := r.calls[0].Err; !strings.HasSuffix(testtable.Text(err), want) || !errors.Is(err, context.Canceled) || testtable.Text(r.err) != timedOut {
			t.Errorf("error %v of the call and %v of the request, want %s and %s", err, r.err, want, timedOut)
		}
		for budget.Used() > 0 { // the abandoned work returns what it holds when it ends
			time.Sleep(time.Millisecond)
		}
		return
	}
	t.Error("no request ended while its response was being decoded")
}

// endingBody calls ended when it has been read to its end.
type endingBody struct {
	io.ReadCloser
	ended func()
}

func (b *endingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.ended()
	}
	return n, err
}
