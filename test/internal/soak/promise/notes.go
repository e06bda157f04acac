package promise

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/warning"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/faultserver"
	soakrequest "example.com/gatehouse/test/internal/soak/request"
)

// heard records warnings.
type heard struct {
	mu    sync.Mutex
	texts []string
}

// AddWarning implements warning.Recorder.
func (h *heard) AddWarning(_, text string) {
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
	const most, sent = 64, 10_000
	many := text("[", `"warning {{i}}"`, ",", sent, "]")
	return Promise{
		Name: "warnings",
		Says: "the plugin keeps 64 warnings of a response",
		Check: warned(many, func(texts []string) error {
			if len(texts) != most {
				return broken("%d of %d warnings were passed on", len(texts), sent)
			}
			return nil
		}),
	}
}

func longWarnings() Promise {
	const most, sent = 4096, 5000
	long := text(`["`, "x", "", sent, `"]`)
	return Promise{
		Name: "long-warnings",
		Says: "the plugin keeps 4,096 characters of a warning",
		Check: warned(long, func(texts []string) error {
			if len(texts) != 1 {
				return fmt.Errorf("%d warnings were passed on, not one", len(texts))
			}
			if n := len([]rune(texts[0])); n != most {
				return broken("of a warning of %d characters %d were passed on", sent, n)
			}
			return nil
		}),
	}
}

func controlCharacters() Promise {
	return Promise{
		Name: "control-characters",
		Says: "the plugin removes line breaks and other control characters from warnings, because no HTTP header can have them",
		Check: warned(faultserver.Plain(`["two\r\nlines\u0007"]`), func(texts []string) error {
			if len(texts) != 1 || !strings.Contains(texts[0], "two") ||
				!strings.Contains(texts[0], "lines") {
				return fmt.Errorf("%q was passed on, and no warning of two lines", texts)
			}
			if strings.ContainsFunc(texts[0], unicode.IsControl) {
				return broken("the warning %q was passed on", texts[0])
			}
			return nil
		}),
	}
}

// warned returns a check that looks at what is passed on of a webhook's
// warnings.
func warned(
	sent faultserver.Text, look func(texts []string) error,
) func(context.Context, Side) error {
	return func(ctx context.Context, side Side) error {
		answer := faultserver.Review{Allowed: true, Fields: map[string]faultserver.Text{"warnings": sent}}
		st := &stage{phase: admission.Validating, webhooks: []webhook{hook()}, script: review(answer)}
		return play(ctx, side, st, func(s *scene) error {
			var h heard
			if o := s.send(warning.WithWarningRecorder(ctx, &h), pod(nil)); !o.allowed() {
				return fmt.Errorf("the request was to be allowed, but %s", o)
			}
			return look(h.all())
		})
	}
}

func annotations() Promise {
	return Promise{
		Name: "annotations",
		Says: "the plugin keeps 64 audit annotations of a response",
		Check: func(ctx context.Context, side Side) error {
			const most, sent = 64, 5000
			many := faultserver.Review{Allowed: true, Fields: map[string]faultserver.Text{
				"auditAnnotations": text("{", `"k{{i}}":"v"`, ",", sent, "}"),
			}}
			st := &stage{phase: admission.Validating, webhooks: []webhook{hook()}, script: review(many)}
			return play(ctx, side, st, func(s *scene) error {
				var noted *soakrequest.Attributes
				r := pod(nil)
				r.of = func(a apiadmission.Attributes, o apiadmission.ObjectInterfaces) (apiadmission.Attributes, apiadmission.ObjectInterfaces) {
					noted = &soakrequest.Attributes{Attributes: a}
					return noted, o
				}
				if o := s.send(ctx, r); !o.allowed() {
					return fmt.Errorf("the request was to be allowed, but %s", o)
				}
				if n := len(noted.Annotations()); n != most {
					return broken("%d of %d annotations were kept", n, sent)
				}
				return nil
			})
		},
	}
}

func statusCode() Promise {
	return Promise{
		Name: "status-code",
		Says: "a denial has a status code that an HTTP server can write, also if the webhook's is invalid",
		Check: func(ctx context.Context, side Side) error {
			st := &stage{phase: admission.Validating, webhooks: []webhook{hook()},
				script: denying(1200, faultserver.Plain("far out"))}
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
		Says: "the message of a denial has at most a few KiB",
		Check: func(ctx context.Context, side Side) error {
			const most = 8 << 10
			st := &stage{phase: admission.Validating, webhooks: []webhook{hook()},
				script: denying(403, text("", "x", "", mebi, ""))}
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
		Says: "no error about decoding a patched object quotes the object",
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
				var status apierrors.APIStatus
				if !errors.As(o.err, &status) {
					return fmt.Errorf("the error is no status: %w", o.err)
				}
				if strings.Contains(fmt.Sprintf("%v %+v", o.err, status.Status().Details), secret) {
					return broken("the error quotes the object: %v", o.err)
				}
				return nil
			})
		},
	}
}
