//go:build failpoints

package failpoint

import (
	"context"
	"net/http/httptrace"
)

// Hook is what happens at the points that a request comes to. The webhook is named
// at those from BeforeMatch to AfterRecord, and "" at the others.
type Hook func(webhook string, p Point)

// With returns a context under which points lead to a hook.
func With(ctx context.Context, hook Hook) context.Context {
	return context.WithValue(ctx, key{}, &visit{hook: hook})
}

// key is where a context keeps its *visit.
type key struct{}

// visit is a hook and the webhook that the request is at.
type visit struct {
	hook    Hook
	webhook string
}

// Hit says that the request of a context has come to a point.
func Hit(ctx context.Context, p Point) {
	if v, ok := ctx.Value(key{}).(*visit); ok {
		v.hook(v.webhook, p)
	}
}

// Visit returns a context of which points know that they are reached for a webhook.
// It has net/http report, too.
func Visit(ctx context.Context, webhook string) context.Context {
	v, ok := ctx.Value(key{}).(*visit)
	if !ok {
		return ctx
	}
	ctx = context.WithValue(ctx, key{}, &visit{hook: v.hook, webhook: webhook})
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:      func(httptrace.GotConnInfo) { v.hook(webhook, Connected) },
		WroteRequest: func(httptrace.WroteRequestInfo) { v.hook(webhook, RequestWritten) },
	})
}
