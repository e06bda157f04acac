package faultserver

import (
	"errors"
	"io"
	"net"
	"strconv"

	"golang.org/x/net/http2"
)

// stream is one request with its answer on HTTP/2.
type stream struct {
	conn   *http2Conn
	id     uint32
	entry  *entry
	values *values
	ended  chan struct{} // closed when the whole request has arrived
	gone   chan struct{} // closed when the client has lost interest
	deaf   bool          // the client may not send more than it may anyway

	window   int64 // guarded by conn.mu
	answered bool
}

// end notes that the request is complete, if it is.
func (s *stream) end(complete bool) {
	if !complete {
		return
	}
	select {
	case <-s.ended: // a client that ends twice
	default:
		close(s.ended)
	}
}

// serve does the steps. A request that gets no answer is cancelled in the end,
// as a connection of HTTP/1 is closed.
func (s *stream) serve(steps []Step) {
	defer s.conn.forget(s)
	err := s.conn.link.run(steps, s)
	if errors.Is(err, errUnfit) || err == nil && !s.answered {
		_ = s.reset(http2.ErrCodeCancel) // the connection may be over
	}
}

// read implements actor. Frames are read all the time; this waits for them.
func (s *stream) read(amount Read) error {
	switch amount {
	case ReadNothing, ReadHeaders:
		return nil
	case ReadAll:
		return s.wait(s.ended)
	}
	n, _ := strconv.ParseInt(string(amount), 10, 64) // Validate has seen it
	for {
		s.conn.mu.Lock()
		changed := s.conn.changed
		s.conn.mu.Unlock()
		if s.received() >= n {
			return nil
		}
		select {
		case <-s.ended:
			return nil
		default:
		}
		if err := s.wait(changed); err != nil {
			return err
		}
	}
}

func (s *stream) received() int64 {
	s.entry.server.mu.Lock()
	defer s.entry.server.mu.Unlock()
	return s.entry.copy.Bytes
}

// wait returns when the channel is closed, or with an error that it is of no
// use to wait any longer.
func (s *stream) wait(until <-chan struct{}) error {
	select {
	case <-until:
		return nil
	case <-s.gone:
	case <-s.conn.dead:
	case <-s.conn.link.server.done:
	}
	return net.ErrClosed
}

// abandoned returns why no client waits for this stream any more.
func (s *stream) abandoned() error {
	select {
	case <-s.gone:
	case <-s.conn.dead:
	case <-s.conn.link.server.done:
	default:
		return nil
	}
	return net.ErrClosed
}

// write implements actor: the bytes go between the frames.
func (s *stream) write(what *Write) error {
	s.answered = true
	return s.conn.exclusively(func() error { return s.conn.link.put(what, s.values.fill) })
}

// interim implements actor.
func (s *stream) interim(i *Interim) error {
	for range max(1, i.Times) {
		if err := s.abandoned(); err != nil {
			return err
		}
		if err := s.sendHeaders(i.Code, i.Headers, false); err != nil {
			return err
		}
	}
	return nil
}

// answer implements actor.
func (s *stream) answer(a *Answer) error {
	s.answered = true
	length, err := a.length(s.values)
	if err != nil {
		return err
	}
	open := a.Unfinished || a.Stop != nil
	headers := append(a.automatic(length), a.Headers...)
	if a.Body == nil {
		return s.sendHeaders(a.status(), headers, !open)
	}
	if err := s.sendHeaders(a.status(), headers, false); err != nil {
		return err
	}
	if err := a.writeBody(a.BodyPace.at(dataWriter{s}, s.conn.link.server.sleep),
		s.values); err != nil || open {
		return err
	}
	return s.conn.exclusively(func() error { return s.conn.framer.WriteData(s.id, true, nil) })
}

// dataWriter sends a body as fast as the client allows.
type dataWriter struct{ stream *stream }

func (d dataWriter) Write(p []byte) (int, error) {
	c := d.stream.conn
	for written := 0; written < len(p); {
		n, err := d.stream.reserve(int64(len(p) - written))
		if err != nil {
			return written, err
		}
		part := p[written : written+int(n)]
		if err := c.exclusively(
			func() error { return c.framer.WriteData(d.stream.id, false, part) }); err != nil {
			return written, err
		}
		written += int(n)
	}
	return len(p), nil
}

var _ io.Writer = dataWriter{}

// reserve waits until something may be sent, and says how much.
func (s *stream) reserve(want int64) (int64, error) {
	c := s.conn
	for {
		c.mu.Lock()
		n := min(want, frameSize, c.window, s.window)
		if n > 0 {
			c.window -= n
			s.window -= n
		}
		changed := c.changed
		c.mu.Unlock()
		if n > 0 {
			return n, nil
		}
		if err := s.wait(changed); err != nil {
			return 0, err
		}
	}
}

// hang implements actor.
func (s *stream) hang() error {
	if err := s.wait(nil); err != nil {
		return errOver
	}
	return nil
}

func (s *stream) goAway(g *GoAway) error { return s.conn.goAway(g) }

// resetStream implements actor.
func (s *stream) resetStream(name string) error {
	code, err := parseCode(name)
	if err != nil {
		return err
	}
	if err := s.reset(code); err != nil {
		return err
	}
	return errOver
}

func (s *stream) reset(code http2.ErrCode) error {
	return s.conn.exclusively(func() error { return s.conn.framer.WriteRSTStream(s.id, code) })
}
