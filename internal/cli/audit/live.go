package audit

import (
	"io"
	"slices"
	"time"

	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/loops"
	"example.com/gatehouse/internal/message"
)

// live says what is new while a log is followed. The nil live says nothing.
type live struct {
	out    io.Writer
	finder *loops.Finder
	// open are the webhooks that failed open.
	open map[openWebhook]bool
}

// openWebhook is a webhook as the annotation of a call that failed open names it.
type openWebhook struct {
	mutating            bool
	configuration, name string
}

const (
	// patience is how long an event waits for earlier ones of other servers.
	patience = 2 * time.Second
	// maxOpen bounds the webhooks that are kept.
	maxOpen = 10000
)

// newLive returns what is said about the events that the finder gets; nil unless standard
// input is read. It makes the reading pass events on soon.
func newLive(out io.Writer, f *loops.Finder, in *auditlog.Input) *live {
	if !slices.Contains(in.Paths, "-") {
		return nil
	}
	in.Patience = patience
	return &live{out, f, map[openWebhook]bool{}}
}

// add says what is new with an event.
func (l *live) add(e *auditlog.Event) {
	if l == nil {
		return
	}
	for i := range e.Calls {
		c := &e.Calls[i]
		key := openWebhook{c.Mutating, c.Configuration, c.Webhook}
		if !c.FailedOpen || l.open[key] || len(l.open) >= maxOpen {
			continue
		}
		l.open[key] = true
		message.Notice(l.out, "%s: webhook %s failed open: audit ID %s",
			shownTime(e.Time), webhookName(c), e.AuditID)
	}
	for _, loop := range l.finder.Fresh() {
		message.Notice(l.out, "%s: LOOP: %s, in %s %s: audit ID %s", shownTime(loop.Last.Time),
			subject(&loop), loop.Resource, objectName(loop.Namespace, loop.Name), loop.Last.AuditID)
	}
}

// webhookName returns the name of a webhook with its configuration, as far as the log has it.
func webhookName(c *auditlog.Call) string {
	if c.Configuration == "" {
		return c.Webhook
	}
	return c.Configuration + "/" + c.Webhook
}
