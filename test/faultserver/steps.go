package faultserver

import (
	"errors"
	"fmt"
	"time"
)

// errOver says that a step has ended the connection, or is the last that it
// will see.
var errOver = errors.New("the script has ended the connection")

// errUnfit is in errors of steps that the connection has no notion of.
var errUnfit = errors.New("that cannot be done here")

// actor does the steps that depend on the protocol and on how far it has got.
type actor interface {
	read(Read) error
	write(*Write) error
	interim(*Interim) error
	answer(*Answer) error
	hang() error
	goAway(*GoAway) error
	resetStream(code string) error
}

// run does the steps one after the other. The error says that the connection
// is of no more use; it is errOver if that was the script's idea.
func (l *link) run(steps []Step, on actor) error {
	for _, step := range steps {
		err := l.do(step, on)
		if errors.Is(err, errUnfit) {
			l.server.problem(fmt.Sprintf("%s: %v", step.kinds()[0], err))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *link) do(step Step, on actor) error {
	switch {
	case step.Sleep > 0:
		return l.server.sleep(time.Duration(step.Sleep))
	case step.Read != "":
		return on.read(step.Read)
	case step.Write != nil:
		return on.write(step.Write)
	case step.Interim != nil:
		return on.interim(step.Interim)
	case step.Answer != nil:
		return on.answer(step.Answer)
	case step.Hang:
		return on.hang()
	case step.GoAway != nil:
		return on.goAway(step.GoAway)
	case step.ResetStream != "":
		return on.resetStream(step.ResetStream)
	case step.HalfClose:
		return l.halfClose()
	case step.Close:
		l.close()
	case step.Cut:
		l.cut()
	case step.Reset:
		l.reset()
	}
	return errOver
}

// put writes bytes as they are.
func (l *link) put(what *Write, fill expand) error {
	w := what.Pace.at(l.conn, l.server.sleep)
	if what.Bytes != nil {
		_, err := w.Write(what.Bytes)
		return err
	}
	return what.Text.write(w, fill)
}

// bare is a connection on which no request has arrived.
type bare struct{ link *link }

func (b bare) read(Read) error {
	b.link.deaf = true // nothing else can be said so early
	return nil
}

func (b bare) write(what *Write) error {
	v := &values{body: func() []byte { return nil }}
	return b.link.put(what, v.fill)
}

func (b bare) hang() error            { return b.link.hang() }
func (b bare) interim(*Interim) error { return errUnfit }
func (b bare) answer(*Answer) error   { return errUnfit }
func (b bare) goAway(*GoAway) error {
	return fmt.Errorf("%w: the client did not choose HTTP/2", errUnfit)
}
func (b bare) resetStream(string) error { return errUnfit }
