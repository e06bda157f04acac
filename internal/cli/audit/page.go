package audit

import (
	"fmt"
	"strings"

	"example.com/gatehouse/internal/auditlog/loops"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
)

// maxRequests limits the requests of the page that repeat loops, in bytes: later loops have
// none.
const maxRequests = 2 << 20

// maxObject limits the arguments of commands, in bytes: names of Kubernetes are shorter.
const maxObject = 1000

// pageLoop is a loop.
type pageLoop struct {
	Kind loops.Kind `json:"kind"`
	// Title says who works against whom, and Where in which objects.
	Title   string       `json:"title"`
	Where   string       `json:"where"`
	Webhook string       `json:"webhook"`
	Undoers []pageUndoer `json:"undoers,omitempty"`
	Paths   []string     `json:"paths"`
	Times   int          `json:"times"`
	// Rate is for example "720 an hour".
	Rate  string     `json:"rate"`
	First pageMoment `json:"first"`
	Last  pageMoment `json:"last"`
	// Show is the command that shows what happened to the object; empty if its name is not
	// known, or too long.
	Show string `json:"show,omitempty"`
	// Request is a document for gatehouse run; empty if there is none, or no room for it.
	Request string `json:"request,omitempty"`
}

// pageUndoer is a component that undoes changes.
type pageUndoer struct {
	Name  string `json:"name"`
	Times int    `json:"times"`
}

// pageMoment is a request of the log.
type pageMoment struct {
	Time    string `json:"time"`
	AuditID string `json:"auditID"`
}

// newPageLoops returns the loops, with their requests as far as there is room.
func newPageLoops(all []loops.Loop, logs []string) []pageLoop {
	out := []pageLoop{}
	size := 0
	for i := range all {
		l := newPageLoop(&all[i], logs)
		if all[i].Request != nil {
			text, err := command.Indented(all[i].Request)
			if size += len(text); err == nil && size <= maxRequests {
				l.Request = string(text)
			}
		}
		out = append(out, l)
	}
	return out
}

func newPageLoop(l *loops.Loop, logs []string) pageLoop {
	p := pageLoop{
		Kind: l.Kind, Title: cut(subject(l)), Where: cut(where(l)), Webhook: cut(l.Webhook),
		Paths: []string{}, Times: l.Times, Rate: rate(l.PerHour) + " an hour",
		First: newPageMoment(l.First), Last: newPageMoment(l.Last),
	}
	for _, u := range l.Undoers {
		p.Undoers = append(p.Undoers, pageUndoer{cut(writerName(u.User, u.Manager, u.Webhook)), u.Times})
	}
	for _, path := range l.Paths {
		p.Paths = append(p.Paths, cut(path))
	}
	if object := objectOf(l); object != "" && len(object) <= maxObject {
		p.Show = fmt.Sprintf("gatehouse audit %s --object %s", shellWords(logs), message.Quoted(object))
	}
	return p
}

func newPageMoment(m loops.Moment) pageMoment {
	return pageMoment{shownTime(m.Time), cut(m.AuditID)}
}

// shellWords returns arguments as a shell takes them; LOG... for many.
func shellWords(arguments []string) string {
	const most = 4
	if len(arguments) > most {
		return "LOG..."
	}
	var words []string
	for _, argument := range arguments {
		words = append(words, message.Quoted(argument))
	}
	return strings.Join(words, " ")
}

// often says how often a loop turned.
func (l *pageLoop) often() string {
	return fmt.Sprintf("%s, %s, from %s to %s",
		message.Count(l.Times, "time"), l.Rate, l.First.Time, l.Last.Time)
}
