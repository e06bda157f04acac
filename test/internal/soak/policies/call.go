package policies

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/test/internal/soak/request"
)

// call sends a request that one policy receives, and judges the result.
func (r *Result) call(ctx context.Context, w *world, s *slot) {
	oldest := s.delivered.Load()
	began := time.Now()
	version, err := send(ctx, w, s)
	r.calls.Add(time.Since(began))
	r.bySort[s.sort].Add(1)
	if problem := s.judge(err, version, oldest, s.written.Load()); problem != "" {
		r.findings.Add("%s of sort %s: %s", s.name(), s.sort, problem)
	}
}

// send returns the version that a mutation wrote, and the error of a request.
func send(ctx context.Context, w *world, s *slot) (version string, err error) {
	a, o := request.Pod(s.number, map[string]string{"slot": s.name()})
	err = guard.Call(func() error {
		if err := w.evaluator.Admit(ctx, a, o, nil); err != nil {
			return err
		}
		return w.evaluator.Validate(ctx, a, o, nil)
	})
	if m, failed := meta.Accessor(a.GetObject()); failed == nil {
		version = m.GetLabels()["version"]
	}
	return version, err
}

// judge returns what is wrong with a result, given the oldest and newest version
// that may have been in force.
func (s *slot) judge(err error, version string, oldest, newest int64) string {
	text := ""
	if err != nil {
		text = err.Error()
	}
	switch s.sort {
	case "denies":
		for v := oldest; v <= newest; v++ {
			if v > 0 && strings.HasSuffix(text, fmt.Sprintf("denied request: v%d", v)) {
				return ""
			}
		}
	case "labels":
		for v := oldest; v <= newest; v++ {
			if v > 0 && err == nil && version == fmt.Sprint(v) {
				return ""
			}
		}
	case "ignored":
		if err == nil {
			return ""
		}
	default:
		if strings.Contains(text, failures[s.sort]) {
			return ""
		}
	}
	return fmt.Sprintf("with a version of %d to %d: error %q, label %q", oldest, newest, text, version)
}

// failures are parts of the errors of policies that cannot be evaluated.
var failures = map[string]string{
	"cost":    "cost",
	"noParam": "no params found for policy binding with `Deny` parameterNotFoundAction",
	"noKind":  "failed to find resource referenced by paramKind",
	"panics":  "the informer of the params panics",
}
