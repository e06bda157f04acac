package promise

import (
	"context"
	"fmt"
	"strings"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/faultserver"
)

const mebi = 1 << 20

func endlessBody() Promise {
	return Promise{
		Name: "endless-body",
		Says: "the plugin reads a response without end up to a limit, not until the timeout",
		Check: func(ctx context.Context, side Side) error {
			st := &stage{
				phase: admission.Validating, webhooks: []webhook{hook()},
				script: answer(faultserver.Answer{
					Framing: faultserver.FramingChunked,
					Body:    &faultserver.Body{Review: &faultserver.Review{Allowed: true}, Endless: true},
				}),
				connections: connections{mostRead: 16 * mebi},
			}
			return play(ctx, side, st, func(s *scene) error {
				o := s.send(ctx, pod(nil))
				if read := s.connections.read.Load(); read > s.connections.mostRead {
					return broken("%d MiB of an endless body had been read when the connection was cut", read/mebi)
				}
				return o.failed()
			})
		},
	}
}

func gzipBomb() Promise {
	return Promise{
		Name: "gzip-bomb",
		Says: "the limit applies to the size of the decompressed response",
		Check: func(ctx context.Context, side Side) error {
			const size = 16 * mebi
			st := &stage{
				phase: admission.Validating, webhooks: []webhook{hook()},
				script: answer(faultserver.Answer{
					Body: &faultserver.Body{Review: &faultserver.Review{Allowed: true}, Pad: size, Gzip: true},
				}),
			}
			return play(ctx, side, st, func(s *scene) error {
				o := s.send(ctx, pod(nil))
				if o.allowed() {
					return broken("%d KiB were decompressed to %d MiB, read and believed",
						s.connections.read.Load()>>10, size/mebi)
				}
				return o.failed()
			})
		},
	}
}

func headers() Promise {
	return Promise{
		Name: "headers",
		Says: "the plugin reads at most 64 KiB of headers and eight interim responses",
		Check: func(ctx context.Context, side Side) error {
			st := &stage{
				phase: admission.Validating, webhooks: []webhook{hook()},
				script: faultserver.Script{Requests: [][]faultserver.Step{
					{allowing(70)},
					{{Interim: &faultserver.Interim{Code: 103, Times: 7, Headers: filler(8)}}, allowing(14)},
					{{Interim: &faultserver.Interim{Code: 103, Times: 100}}, allowing(0)},
				}},
			}
			return play(ctx, side, st, func(s *scene) error {
				var believed []string
				for _, what := range []string{"70 KB of headers", "14 KB after 56 KB of seven interim responses", "100 interim responses"} {
					o := s.send(ctx, pod(nil))
					if o.allowed() {
						believed = append(believed, what)
					} else if err := o.failed(); err != nil {
						return fmt.Errorf("%s: %w", what, err)
					}
				}
				if len(believed) > 0 {
					return broken("an answer was believed after %s", strings.Join(believed, ", and after "))
				}
				return nil
			})
		},
	}
}

// allowing is an answer that allows, with so many KB of headers.
func allowing(kilo int) faultserver.Step {
	return faultserver.Step{Answer: &faultserver.Answer{
		Headers: filler(kilo), Body: &faultserver.Body{Review: &faultserver.Review{Allowed: true}},
	}}
}

// filler is so many KB of headers.
func filler(kilo int) []faultserver.Header {
	if kilo == 0 {
		return nil
	}
	return []faultserver.Header{{Name: "X-Filler", Value: text("", "x", "", 1000, ""), Times: kilo}}
}
