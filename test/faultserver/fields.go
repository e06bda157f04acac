package faultserver

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// maxFields bounds the values of a head, each counted once: HPACK wants every
// value as a whole.
const maxFields = 16 << 20

// field is a header as HTTP/2 has it, that many times.
type field struct {
	name, value string
	times       int
}

// fields makes a head, as far as HTTP/2 has a place for it.
func (s *stream) fields(status int, headers []Header) ([]field, error) {
	all := []field{{":status", strconv.Itoa(status), 1}}
	left := int64(maxFields)
	for _, h := range headers {
		name := strings.ToLower(h.Name)
		if h.Value.empty() || perConnection(name) {
			continue
		}
		value, err := h.Value.string(s.values.fill, left)
		if err != nil {
			return nil, fmt.Errorf("%w: in HTTP/2 the values of a head can have %d bytes", errUnfit, maxFields)
		}
		left -= int64(len(value))
		all = append(all, field{name, value, max(1, h.Times)})
	}
	return all, nil
}

// perConnection reports headers that HTTP/2 has no place for.
func perConnection(name string) bool {
	return slices.Contains([]string{"connection", "keep-alive", "transfer-encoding", "upgrade"}, name)
}

// sendHeaders sends a head. If it is the last thing to be sent, it says so.
func (s *stream) sendHeaders(status int, headers []Header, last bool) error {
	fields, err := s.fields(status, headers)
	if err != nil {
		return err
	}
	return s.conn.exclusively(func() error {
		s.conn.encoded.Reset()
		h := headWriter{stream: s, last: last}
		for _, f := range fields {
			for range f.times {
				if err := h.add(f.name, f.value); err != nil {
					return err
				}
			}
		}
		return h.send(true)
	})
}

// headWriter sends a head in as many frames as it takes, each as soon as it is
// full: a header may be repeated without end.
type headWriter struct {
	stream *stream
	last   bool
	begun  bool // continuations follow
}

func (h *headWriter) add(name, value string) error {
	c := h.stream.conn
	_ = c.encoder.WriteField(hpack.HeaderField{Name: name, Value: value}) // to a buffer
	for c.encoded.Len() > frameSize {
		if err := h.send(false); err != nil {
			return err
		}
	}
	return nil
}

func (h *headWriter) send(end bool) error {
	c := h.stream.conn
	part := c.encoded.Next(frameSize)
	if h.begun {
		return c.framer.WriteContinuation(h.stream.id, end, part)
	}
	h.begun = true
	return c.framer.WriteHeaders(http2.HeadersFrameParam{
		StreamID: h.stream.id, BlockFragment: part, EndStream: h.last, EndHeaders: end,
	})
}
