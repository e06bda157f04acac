package promise

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/warning"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/faultserver"
)

// panicking is something of the host's that panics. Each field but the name is
// nil if it is not what does.
type panicking struct {
	name    string
	resolve func() (*url.URL, error)
	record  warning.Recorder
	of      func(apiadmission.Attributes, apiadmission.ObjectInterfaces) (apiadmission.Attributes, apiadmission.ObjectInterfaces)
	// reports is true for an extension that only observes and does not decide.
	reports bool
}

type bomb struct{ runtime.ObjectConvertor }

// Convert implements runtime.ObjectConvertor.
func (bomb) Convert(_, _, _ any) error { panic("converting") }

// Default implements runtime.ObjectDefaulter.
func (bomb) Default(runtime.Object) { panic("defaulting") }

// AddWarning implements warning.Recorder.
func (bomb) AddWarning(_, _ string) { panic("recording a warning") }

// unaudited are attributes that panic when they are annotated.
type unaudited struct{ apiadmission.Attributes }

// AddAnnotation implements apiadmission.Attributes.
func (unaudited) AddAnnotation(_, _ string) error { panic("annotating") }

// AddAnnotationWithLevel implements apiadmission.Attributes.
func (unaudited) AddAnnotationWithLevel(_, _ string, _ audit.Level) error { panic("annotating") }

func panickings() []panicking {
	return []panicking{
		{name: "resolver", resolve: func() (*url.URL, error) { panic("resolving") }},
		{
			name: "convertor",
			of: func(a apiadmission.Attributes, o apiadmission.ObjectInterfaces) (apiadmission.Attributes, apiadmission.ObjectInterfaces) {
				return a, host{ObjectInterfaces: o, convertor: bomb{o.GetObjectConvertor()}}
			},
		},
		{
			name: "defaulter",
			of: func(a apiadmission.Attributes, o apiadmission.ObjectInterfaces) (apiadmission.Attributes, apiadmission.ObjectInterfaces) {
				return a, host{ObjectInterfaces: o, defaulter: bomb{}}
			},
		},
		{name: "warning recorder", record: bomb{}, reports: true},
		{
			name:    "audit sink",
			reports: true,
			of: func(a apiadmission.Attributes, o apiadmission.ObjectInterfaces) (apiadmission.Attributes, apiadmission.ObjectInterfaces) {
				return unaudited{a}, o
			},
		},
	}
}

func panics() Promise {
	return Promise{
		Name: "panics",
		Says: "a panic in code of the host does not leave the plugin, and a panic in an observer does not change the verdict",
		Check: func(ctx context.Context, side Side) error {
			var found []string
			for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
				for _, p := range panickings() {
					if phase == admission.Validating && p.name == "defaulter" {
						continue // nothing is defaulted
					}
					what, err := p.show(ctx, side, phase)
					if err != nil {
						return fmt.Errorf("%s, %s: %w", p.name, phase, err)
					}
					if what != "" {
						found = append(found, fmt.Sprintf("%s, %s: %s", p.name, phase, what))
					}
				}
			}
			if len(found) > 0 {
				return broken("%s", strings.Join(found, "\n"))
			}
			return nil
		},
	}
}

// show returns what is wrong with the way in which a side takes the panic.
func (p *panicking) show(
	ctx context.Context, side Side, phase admission.Phase,
) (wrong string, err error) {
	answer := faultserver.Review{Allowed: true, Warnings: []string{"mind the gap"},
		AuditAnnotations: map[string]string{"k": "v"}}
	if phase == admission.Mutating {
		answer.Patch = faultserver.Plain(`[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]`)
	}
	st := &stage{phase: phase, webhooks: []webhook{hook()}, script: review(answer), resolve: p.resolve}
	err = play(ctx, side, st, func(s *scene) error {
		r := pod(nil)
		r.of = p.of
		o := s.send(warning.WithWarningRecorder(ctx, p.recorder()), r)
		if o.panicked != nil || p.reports && !o.allowed() {
			wrong = o.String()
		} else if !p.reports {
			return o.failed()
		}
		return nil
	})
	return wrong, err
}

func (p *panicking) recorder() warning.Recorder {
	if p.record != nil {
		return p.record
	}
	return &heard{}
}
