package promise

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"unicode"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/warning"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/faultserver"
)

// heard is what was recorded.
type heard struct {
	mu    sync.Mutex
	texts []string
}

// AddWarning implements warning.Recorder.
func (h *heard) AddWarning(_, text string) { h.add(text) }

func (h *heard) add(text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.texts = append(h.texts, text)
}

func (h *heard) all() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.texts
}

func warnings() Promise {
	return Promise{
		Name: "warnings",
		Says: "of the warnings of an answer 64 are kept, each of one line of at most 256 characters",
		Check: func(ctx context.Context, side Side) error {
			many := faultserver.Review{Allowed: true, Fields: map[string]faultserver.Text{
				"warnings": text(`["two\r\nlines","`+strings.Repeat("long ", 1000)+`",`, `"warning {{i}}"`, ",", 10_000, "]"),
			}}
			st := &stage{phase: admission.Validating, webhooks: []webhook{hook()}, script: review(many)}
			return play(ctx, side, st, func(s *scene) error {
				var h heard
				if o := s.send(warning.WithWarningRecorder(ctx, &h), pod(nil)); !o.allowed() {
					return fmt.Errorf("the request was to be allowed, but %s", o)
				}
				return checkWarnings(h.all())
			})
		},
	}
}

func checkWarnings(texts []string) error {
	const many, long = 64, 256
	if len(texts) > many {
		return broken("%d warnings were passed on", len(texts))
	}
	for _, text := range texts {
		if n := len([]rune(text)); n > long {
			return broken("a warning of %d characters was passed on", n)
		}
		if strings.ContainsFunc(text, unicode.IsControl) {
			return broken("the warning %q was passed on", text)
		}
	}
	if len(texts) == 0 {
		return fmt.Errorf("no warning was passed on")
	}
	return nil
}

func annotations() Promise {
	return Promise{
		Name: "annotations",
		Says: "of the audit annotations of an answer 64 are kept",
		Check: func(ctx context.Context, side Side) error {
			const most, sent = 64, 5000
			many := faultserver.Review{Allowed: true, Fields: map[string]faultserver.Text{
				"auditAnnotations": text("{", `"k{{i}}":"v"`, ",", sent, "}"),
			}}
			st := &stage{phase: admission.Validating, webhooks: []webhook{hook()}, script: review(many)}
			return play(ctx, side, st, func(s *scene) error {
				var h heard
				r := pod(nil)
				r.of = func(a apiadmission.Attributes, o apiadmission.ObjectInterfaces) (apiadmission.Attributes, apiadmission.ObjectInterfaces) {
					return audited{a, &h}, o
				}
				if o := s.send(ctx, r); !o.allowed() {
					return fmt.Errorf("the request was to be allowed, but %s", o)
				}
				switch n := len(h.all()); {
				case n == 0:
					return fmt.Errorf("none of %d annotations was kept", sent)
				case n > most:
					return broken("%d annotations were kept", n)
				}
				return nil
			})
		},
	}
}

// audited are attributes whose annotations are heard of.
type audited struct {
	apiadmission.Attributes
	by *heard
}

// AddAnnotation implements apiadmission.Attributes.
func (a audited) AddAnnotation(key, value string) error {
	a.by.add(key)
	return a.Attributes.AddAnnotation(key, value)
}

// AddAnnotationWithLevel implements apiadmission.Attributes.
func (a audited) AddAnnotationWithLevel(key, value string, level audit.Level) error {
	a.by.add(key)
	return a.Attributes.AddAnnotationWithLevel(key, value, level)
}

func statusCode() Promise {
	return Promise{
		Name: "status-code",
		Says: "a denial has a code that an HTTP server can write, whatever the webhook says",
		Check: func(ctx context.Context, side Side) error {
			st := &stage{phase: admission.Validating, webhooks: []webhook{hook()}, script: denying(1200, faultserver.Plain("far out"))}
			return play(ctx, side, st, func(s *scene) error {
				o := s.send(ctx, pod(nil))
				code := o.code()
				switch {
				case code >= 400 && code <= 599:
					return nil
				case code == 0:
					return fmt.Errorf("the request was to be denied, but %s", o)
				}
				return broken("the request was denied with %d, on which net/http panics", code)
			})
		},
	}
}

func denialMessage() Promise {
	return Promise{
		Name: "denial-message",
		Says: "what a webhook makes the user read, and the log, is a few KiB",
		Check: func(ctx context.Context, side Side) error {
			const most = 8 << 10
			st := &stage{phase: admission.Validating, webhooks: []webhook{hook()}, script: denying(403, text("", "x", "", mebi, ""))}
			return play(ctx, side, st, func(s *scene) error {
				o := s.send(ctx, pod(nil))
				if o.code() != 403 {
					return fmt.Errorf("the request was to be denied with 403, but %s", o)
				}
				if n := len(o.err.Error()); n > most {
					return broken("the message of the denial has %d KiB", n>>10)
				}
				return nil
			})
		},
	}
}

func errorContent() Promise {
	return Promise{
		Name: "error-content",
		Says: "no error has anything of the object in it",
		Check: func(ctx context.Context, side Side) error {
			st := &stage{
				phase: admission.Mutating, webhooks: []webhook{hook()},
				script: patching(faultserver.Plain(`[{"op":"remove","path":"/kind"}]`)),
			}
			return play(ctx, side, st, func(s *scene) error {
				o := s.send(ctx, widget())
				if err := o.failed(); err != nil {
					return err
				}
				status := o.err.(apierrors.APIStatus).Status()
				if strings.Contains(fmt.Sprintf("%v %+v", o.err, status.Details), secret) {
					return broken("the error quotes the object: %v", o.err)
				}
				return nil
			})
		},
	}
}
