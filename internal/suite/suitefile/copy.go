package suitefile

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
)

// DeepCopyObject makes an AdmissionTest something that decoders can read.
func (t *AdmissionTest) DeepCopyObject() runtime.Object {
	c := *t
	c.Configurations = each(t.Configurations, cloneRaw)
	c.Namespaces = each(t.Namespaces, func(n Namespace) Namespace {
		n.Labels = maps.Clone(n.Labels)
		return n
	})
	c.Webhooks = each(t.Webhooks, func(w Webhook) Webhook {
		w.Exec = w.Exec.clone()
		return w
	})
	c.Defaults.UserInfo = t.Defaults.UserInfo.DeepCopy()
	c.Cases = each(t.Cases, func(from AdmissionTestCase) AdmissionTestCase {
		from.Request, from.Expect = bytes.Clone(from.Request), from.Expect.clone()
		return from
	})
	return &c
}

func (e *Exec) clone() *Exec {
	if e == nil {
		return nil
	}
	c := *e
	c.Command, c.Env = slices.Clone(e.Command), slices.Clone(e.Env)
	return &c
}

func (e Expect) clone() Expect {
	e.Allowed, e.Code, e.Reason, e.Message = clone(e.Allowed), clone(e.Code), clone(e.Reason), clone(e.Message)
	e.Warnings, e.Called, e.Rounds = slices.Clone(e.Warnings), slices.Clone(e.Called), clone(e.Rounds)
	e.Patch, e.Object = each(e.Patch, cloneRaw), bytes.Clone(e.Object)
	e.Webhooks = each(e.Webhooks, func(w ExpectWebhook) ExpectWebhook {
		w.Called, w.Why, w.Times = clone(w.Called), clone(w.Why), clone(w.Times)
		w.Patch, w.Warnings = each(w.Patch, cloneRaw), slices.Clone(w.Warnings)
		w.AuditAnnotations = cloneTexts(w.AuditAnnotations)
		return w
	})
	e.AuditAnnotations = cloneTexts(e.AuditAnnotations)
	return e
}

// clone copies what a pointer leads to.
func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

// each copies a list by its items. An empty list is not the same as none.
func each[T any](items []T, copied func(T) T) []T {
	c := slices.Clone(items)
	for i := range c {
		c[i] = copied(c[i])
	}
	return c
}

func cloneRaw(raw json.RawMessage) json.RawMessage { return bytes.Clone(raw) }

func cloneTexts(texts map[string]*string) map[string]*string {
	c := maps.Clone(texts)
	for key, text := range c {
		c[key] = clone(text)
	}
	return c
}
