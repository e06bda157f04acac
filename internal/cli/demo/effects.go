package demo

import (
	"encoding/json"
	"fmt"
	"strings"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/session"
)

// effect is an effect of a webhook that the demo shows, by its headline.
type effect string

const (
	mutation     effect = "mutation"
	reinvocation effect = "reinvocation"
	denial       effect = "denial"
	failOpen     effect = "fail-open"
	warned       effect = "warning"
)

// allEffects returns the effects in the order of the output.
func allEffects() []effect { return []effect{mutation, reinvocation, denial, failOpen, warned} }

// effects maps each effect to a description of its first occurrence.
type effects map[effect]string

// addVisit adds the effects of a visit.
func (e effects) addVisit(v *session.Result) {
	name := v.Reference()
	for i := range v.Response.Calls {
		if seen, what := effectOf(&v.Response.Calls[i]); seen != "" {
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

// effectOf returns the effect of a call with its description, or "".
func effectOf(c *admission.Call) (effect, string) {
	switch {
	case c.Outcome == admission.FailedOpen:
		return failOpen, fmt.Sprintf("ignored, as failurePolicy says: %v", c.Err)
	case c.Changed && c.Round > 0:
		return reinvocation, fmt.Sprintf("%s was called again and changed %s", c.Webhook.Name,
			paths(c.Patch))
	case c.Changed:
		return mutation, fmt.Sprintf("%s changed %s", c.Webhook.Name, paths(c.Patch))
	}
	return "", ""
}

// paths returns the paths of a JSON patch.
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
