//go:build failpoints

package failpoint

import (
	"context"
	"net/http/httptrace"
)

// Hook is called at each point that a request reaches. webhook is the name of
// the webhook from BeforeMatch to AfterRecord, and empty at the other points.
type Hook func(webhook string, p Point)

// With returns a context with a hook.
func With(ctx context.Context, hook Hook) context.Context {
	return context.WithValue(ctx, key{}, &visit{hook: hook})
}

// key is the key of a context's *visit.
type key struct{}

// visit is a hook and the name of the current webhook.
type visit struct {
	hook    Hook
	webhook string
}

// Hit calls the hook of the context, if it has one.
func Hit(ctx context.Context, p Point) {
	if v, ok := ctx.Value(key{}).(*visit); ok {
		v.hook(v.webhook, p)
	}
}

// Visit returns a context with the name of the webhook, which also makes
// net/http report its points.
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
