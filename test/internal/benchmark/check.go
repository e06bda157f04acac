package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// observed is the result of a request.
type observed struct {
	err, status, object string
	// bodies are what webhooks received, by host and path.
	bodies map[string][]string
}

func (o *observed) calls() int {
	n := 0
	for _, bodies := range o.bodies {
		n += len(bodies)
	}
	return n
}

// parts returns the result by names for messages.
func (o *observed) parts() map[string]string {
	parts := map[string]string{"the error": o.err, "the status": o.status, "the object": o.object}
	for webhook, bodies := range o.bodies {
		for i, body := range bodies {
			parts[fmt.Sprintf("body %d for %s", i+1, webhook)] = body
		}
	}
	return parts
}

// difference returns the first difference of the sides, or "".
func difference(want, got map[string]string) string {
	names := maps.Clone(want)
	maps.Copy(names, got)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		inWant, wanted := want[name]
		inGot, there := got[name]
		switch {
		case !there:
			return name + " is upstream's only"
		case !wanted:
			return name + " is gatehouse's only"
		case inWant != inGot:
			return name + "\n" + excerpts(inWant, inGot)
		}
	}
	return ""
}

// excerpts shows two texts from a little before they part.
func excerpts(upstream, gatehouse string) string {
	const before, after = 40, 160
	at := 0
	for at < min(len(upstream), len(gatehouse)) && upstream[at] == gatehouse[at] {
		at++
	}
	cut := func(text string) string { return text[max(at-before, 0):min(at+after, len(text))] }
	return fmt.Sprintf("  from byte %d\n  upstream:  …%s\n  gatehouse: …%s", at,
		cut(upstream), cut(gatehouse))
}

// check has both sides serve the same requests and compares what they leave.
// The second one finds everything warm.
func (p *openWorkload) check(ctx context.Context) error {
	for _, which := range []string{"first", "second"} {
		want, err := p.lanes[upstream].observe(ctx)
		if err != nil {
			return err
		}
		got, err := p.lanes[gatehouse].observe(ctx)
		if err != nil {
			return err
		}
		if diff := difference(want.parts(), got.parts()); diff != "" {
			return fmt.Errorf("the sides differ in the %s request: %s", which, diff)
		}
		if calls, want := got.calls(), p.lanes[gatehouse].work.calls; calls != want {
			return fmt.Errorf("the request leads to %d calls, and the row is about %d", calls, want)
		}
		if got.err != "" {
			return errors.New("both sides refuse the request: " + got.err)
		}
	}
	return nil
}

// observe sends a new request through the side and returns the result.
func (l *lane) observe(ctx context.Context) (observed, error) {
	r := l.work.request()
	if err := l.recorder.record(); err != nil {
		return observed{}, err
	}
	refused := l.work.enter(ctx, l.chain, r)
	bodies, err := l.recorder.take()
	if err != nil {
		return observed{}, err
	}
	o := observed{bodies: bodies}
	if refused != nil {
		o.err = fmt.Sprintf("%T: %s", refused, refused)
		o.status, err = statusOf(refused)
	}
	object, marshalErr := json.Marshal(r.attributes.GetObject())
	o.object = string(object)
	return o, errors.Join(err, marshalErr)
}

func statusOf(refused error) (string, error) {
	var status apierrors.APIStatus
	if !errors.As(refused, &status) {
		return "", nil
	}
	content, err := json.Marshal(status.Status())
	return string(content), err
}
