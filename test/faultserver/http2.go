package faultserver

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

const (
	maxStreams    = 250   // at a time; what exceeds it is refused
	initialWindow = 65535 // until the client says otherwise
	frameSize     = 16384 // which every client has to accept
)

// http2Conn is a connection on which the client has chosen HTTP/2. Frames are
// read by one goroutine; every request has another one.
type http2Conn struct {
	link    *link
	framer  *http2.Framer
	encoder *hpack.Encoder // used by who holds link.writing, as the buffer is
	encoded bytes.Buffer
	newest  uint32        // stream, as the reading goroutine knows it
	dead    chan struct{} // closed when no frame will be read any more

	// mu guards what follows. Nothing blocks under it.
	mu      sync.Mutex
	streams map[uint32]*stream
	window  int64         // bytes that may be sent
	initial int64         // the same of a new stream
	changed chan struct{} // closed, and replaced, when anything above changes
}

func newHTTP2(l *link) *http2Conn {
	c := &http2Conn{
		link:    l,
		framer:  http2.NewFramer(l.conn, l.conn),
		dead:    make(chan struct{}),
		streams: map[uint32]*stream{},
		window:  initialWindow,
		initial: initialWindow,
		changed: make(chan struct{}),
	}
	c.encoder = hpack.NewEncoder(&c.encoded)
	c.framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	c.framer.MaxHeaderListSize = maxHead
	return c
}

// serve lives through the connection.
func (c *http2Conn) serve(after []Step) {
	defer close(c.dead)
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := io.ReadFull(
		c.link.conn,
		preface,
	); err != nil ||
		string(preface) != http2.ClientPreface {
		return
	}
	settings := func() error {
		return c.framer.WriteSettings(
			http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: maxStreams})
	}
	if c.exclusively(settings) != nil {
		return
	}
	if c.link.run(after, opening{bare{c.link}, c}) != nil {
		return
	}
	for {
		frame, err := c.framer.ReadFrame()
		var local http2.StreamError
		if errors.As(err, &local) {
			err = c.exclusively(func() error { return c.framer.WriteRSTStream(local.StreamID, local.Code) })
		} else if err == nil {
			err = c.take(frame)
		}
		if err != nil {
			return
		}
	}
}

// opening is an HTTP/2 connection before its first request.
type opening struct {
	bare
	conn *http2Conn
}

func (o opening) goAway(g *GoAway) error { return o.conn.goAway(g) }

// exclusively writes frames that must not be mixed with others.
func (c *http2Conn) exclusively(write func() error) error {
	select {
	case c.link.writing <- struct{}{}:
		defer func() { <-c.link.writing }()
		return write()
	case <-c.dead:
	case <-c.link.server.done:
	}
	return net.ErrClosed
}

func (c *http2Conn) take(frame http2.Frame) error {
	switch f := frame.(type) {
	case *http2.SettingsFrame:
		return c.takeSettings(f)
	case *http2.MetaHeadersFrame:
		return c.takeHeaders(f)
	case *http2.DataFrame:
		return c.takeData(f)
	case *http2.WindowUpdateFrame:
		c.grow(f.StreamID, int64(f.Increment))
	case *http2.RSTStreamFrame:
		if s := c.stream(f.StreamID); s != nil {
			c.forget(s)
			close(s.gone)
		}
	case *http2.PingFrame:
		if !f.IsAck() {
			return c.exclusively(func() error { return c.framer.WritePing(true, f.Data) })
		}
	}
	return nil
}

func (c *http2Conn) takeSettings(f *http2.SettingsFrame) error {
	if f.IsAck() {
		return nil
	}
	if size, ok := f.Value(http2.SettingInitialWindowSize); ok {
		c.change(func() {
			for _, s := range c.streams {
				s.window += int64(size) - c.initial
			}
			c.initial = int64(size)
		})
	}
	return c.exclusively(c.framer.WriteSettingsAck)
}

// takeHeaders starts a request. What are trailers of one has no consequence but
// that the request is complete.
func (c *http2Conn) takeHeaders(f *http2.MetaHeadersFrame) error {
	if s := c.stream(f.StreamID); s != nil {
		s.end(f.StreamEnded())
		return nil
	}
	if f.StreamID <= c.newest {
		return nil // trailers of what has been answered already
	}
	c.newest = f.StreamID
	s, steps := c.open(f)
	if s == nil {
		return c.exclusively(
			func() error { return c.framer.WriteRSTStream(f.StreamID, http2.ErrCodeRefusedStream) })
	}
	s.end(f.StreamEnded())
	c.link.server.spawn(func() { s.serve(steps) })
	return nil
}

// open numbers a request, if there is room for it.
func (c *http2Conn) open(f *http2.MetaHeadersFrame) (*stream, []Step) {
	c.mu.Lock()
	full := len(c.streams) >= maxStreams
	c.mu.Unlock()
	if full {
		return nil, nil
	}
	entry, steps := c.link.server.enter(c.link.number)
	s := &stream{
		conn: c, id: f.StreamID,
		entry:  entry,
		values: c.link.values(entry),
		ended:  make(chan struct{}),
		gone:   make(chan struct{}),
		deaf:   steps[0].Read == ReadNothing,
	}
	s.values.head, s.values.abandoned = requestOf(f), s.abandoned
	entry.head(s.values.head)
	c.change(func() {
		s.window = c.initial
		c.streams[s.id] = s
	})
	return s, steps
}

func requestOf(f *http2.MetaHeadersFrame) *http.Request {
	r := &http.Request{
		Proto:  "HTTP/2.0",
		Method: f.PseudoValue("method"),
		Host:   f.PseudoValue("authority"),
		Header: http.Header{},
	}
	var err error
	if r.URL, err = url.ParseRequestURI(f.PseudoValue("path")); err != nil {
		r.URL = &url.URL{}
	}
	for _, h := range f.RegularFields() {
		r.Header.Add(h.Name, h.Value)
	}
	return r
}

// takeData keeps a part of a body and allows the client as much again, unless
// nothing is to be read.
func (c *http2Conn) takeData(f *http2.DataFrame) error {
	size := f.Length
	s := c.stream(f.StreamID)
	if s != nil {
		_, _ = s.entry.Write(f.Data()) // which cannot fail
		s.end(f.StreamEnded())
		c.change(func() {})
	}
	if size == 0 {
		return nil
	}
	return c.exclusively(func() error {
		if s != nil && !s.deaf && !f.StreamEnded() {
			if err := c.framer.WriteWindowUpdate(s.id, size); err != nil {
				return err
			}
		}
		return c.framer.WriteWindowUpdate(0, size)
	})
}

// change changes what mu guards and wakes all goroutines that wait for it.
func (c *http2Conn) change(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do()
	close(c.changed)
	c.changed = make(chan struct{})
}

func (c *http2Conn) grow(id uint32, by int64) {
	c.change(func() {
		if id == 0 {
			c.window += by
		} else if s := c.streams[id]; s != nil {
			s.window += by
		}
	})
}

func (c *http2Conn) stream(id uint32) *stream {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.streams[id]
}

func (c *http2Conn) forget(s *stream) { c.change(func() { delete(c.streams, s.id) }) }

func (c *http2Conn) goAway(g *GoAway) error {
	code, err := parseCode(g.Code)
	if err != nil {
		return err
	}
	return c.exclusively(func() error { return c.framer.WriteGoAway(g.LastStream, code, nil) })
}
