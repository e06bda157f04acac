package demo

import (
	"encoding/json"
	"fmt"
	"strings"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/session"
)

// effect is something that the demo is to show.
type effect uint8

const (
	mutation effect = 1 + iota
	reinvocation
	denial
	failOpen
	warned
)

// allEffects returns them in the order in which they are shown.
func allEffects() []effect { return []effect{mutation, reinvocation, denial, failOpen, warned} }

// String returns the headline.
func (e effect) String() string {
	switch e {
	case mutation:
		return "mutation"
	case reinvocation:
		return "reinvocation"
	case denial:
		return "denial"
	case failOpen:
		return "fail-open"
	case warned:
		return "warning"
	}
	return "unknown"
}

// effects are those that were seen, each with where it was seen first.
type effects map[effect]string

// look finds effects in what happened to an object. Everything that it says is
// taken from there.
func (e effects) look(v *session.Visit) {
	name := v.Reference()
	for i := range v.Response.Calls {
		if seen, what := effectOf(&v.Response.Calls[i]); seen != 0 {
			e.add(seen, name, what)
		}
	}
	if !v.Response.Allowed {
		e.add(denial, name, v.Response.Status.Message)
	}
	for _, w := range v.Response.Warnings {
		e.add(warned, name, w)
	}
}

func (e effects) add(seen effect, name, what string) {
	if _, known := e[seen]; !known {
		e[seen] = name + ": " + what
	}
}

// effectOf returns the effect of a call and how to put it, or zero.
func effectOf(c *admission.Call) (effect, string) {
	switch {
	case c.Outcome == admission.FailedOpen:
		return failOpen, fmt.Sprintf("ignored, as failurePolicy says: %v", c.Err)
	case c.Changed && c.Round > 0:
		return reinvocation, fmt.Sprintf("%s was called again and changed %s", c.Webhook.Name, paths(c.Patch))
	case c.Changed:
		return mutation, fmt.Sprintf("%s changed %s", c.Webhook.Name, paths(c.Patch))
	}
	return 0, ""
}

// paths returns what a JSON patch touches, in a few words.
func paths(patch json.RawMessage) string {
	var operations []struct{ Path string }
	if err := json.Unmarshal(patch, &operations); err != nil {
		return "the object"
	}
	touched := make([]string, len(operations))
	for i, o := range operations {
		touched[i] = o.Path
	}
	return strings.Join(touched, ", ")
}
