package faultserver

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"strconv"
)

// maxHead bounds what a client can make the server hold.
const maxHead = 1 << 20

// serveHTTP1 serves requests until the connection is of no more use.
func (l *link) serveHTTP1() {
	source := &io.LimitedReader{R: l.conn}
	reader := bufio.NewReader(source)
	for {
		source.N = maxHead
		first, err := reader.Peek(1)
		if err != nil {
			return
		}
		// An unexpected TLS handshake is ended here, because otherwise the result
		// would depend on whether it happens to contain a line feed.
		const handshake = 0x16
		if first[0] == handshake {
			l.close()
			return
		}
		x := newExchange(l, reader, source)
		if err := l.run(x.steps, x); err != nil {
			if !errors.Is(err, errOver) {
				l.close()
			}
			return
		}
		if !x.reusable() {
			l.close()
			return
		}
	}
}

// exchange is one request with its answer on HTTP/1.
type exchange struct {
	link   *link
	source *io.LimitedReader
	reader *bufio.Reader
	steps  []Step
	entry  *entry
	values *values

	head     *http.Request // nil as long as it has not been read
	complete bool          // the whole request has been read
	answered bool
	broken   bool // the client cannot tell where the answer ends
}

func newExchange(l *link, reader *bufio.Reader, source *io.LimitedReader) *exchange {
	x := &exchange{link: l, reader: reader, source: source}
	x.entry, x.steps = l.server.enter(l.number)
	x.values = l.values(x.entry)
	return x
}

// values returns what the answers to a request can be made from.
func (l *link) values(e *entry) *values {
	v := &values{body: e.body, scheme: l.scheme, abandoned: l.server.over}
	if l.server.other != nil {
		v.other = l.server.other.origin()
	}
	return v
}

// reusable reports whether another request can follow.
func (x *exchange) reusable() bool {
	return x.answered && x.complete && !x.broken && !x.head.Close
}

// read implements actor.
func (x *exchange) read(amount Read) error {
	if amount == ReadNothing {
		x.link.deaf = true
		return nil
	}
	if err := x.readHead(); err != nil {
		return fmt.Errorf("reading the request: %w", err)
	}
	var err error
	switch amount {
	case ReadHeaders:
	case ReadAll:
		_, err = io.Copy(x.entry, x.head.Body)
		x.complete = err == nil
	default:
		n, _ := strconv.ParseInt(string(amount), 10, 64) // Validate has seen it
		if _, err = io.CopyN(x.entry, x.head.Body, n); errors.Is(err, io.EOF) {
			err = nil
		}
	}
	if err != nil {
		return fmt.Errorf("reading the request: %w", err)
	}
	return nil
}

func (x *exchange) readHead() error {
	if x.head != nil {
		return nil
	}
	head, err := http.ReadRequest(x.reader)
	if err != nil {
		return err
	}
	const unlimited = 1<<63 - 1
	x.source.N = unlimited
	x.head, x.values.head = head, head
	x.entry.head(head)
	return nil
}

// write implements actor.
func (x *exchange) write(what *Write) error {
	x.broken = true
	return x.link.put(what, x.values.fill)
}

// interim implements actor.
func (x *exchange) interim(i *Interim) error {
	w := bufio.NewWriterSize(x.link.conn, block)
	for range max(1, i.Times) {
		fmt.Fprintf(w, "HTTP/1.1 %d %s\r\n", i.Code, reason(i.Code))
		if err := writeHeaders(w, i.Headers, x.values); err != nil {
			return err
		}
	}
	return w.Flush()
}

// answer implements actor.
func (x *exchange) answer(a *Answer) error {
	x.answered = true
	x.broken = x.broken || a.breaks()
	sleep := x.link.server.sleep
	if err := a.writeHead(a.HeadPace.at(x.link.conn, sleep), x.values); err != nil {
		return err
	}
	if a.framing() != FramingChunked {
		return a.writeBody(a.BodyPace.at(x.link.conn, sleep), x.values)
	}
	chunks := httputil.NewChunkedWriter(x.link.conn)
	if err := a.writeBody(a.BodyPace.at(chunks, sleep), x.values); err != nil {
		return err
	}
	if a.Unfinished || a.Stop != nil {
		return nil
	}
	if err := chunks.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(x.link.conn, "\r\n") // no trailers
	return err
}

// breaks reports whether no other answer can follow.
func (a *Answer) breaks() bool {
	return a.Stop != nil || a.Unfinished || a.Length != nil || a.framing() == FramingClose ||
		a.status() == http.StatusSwitchingProtocols
}

// writeBody writes the body up to where it is to stop. Small pieces are
// collected: one write for each would be one packet for each.
func (a *Answer) writeBody(w io.Writer, v *values) error {
	collected := bufio.NewWriterSize(w, block)
	var target io.Writer = collected
	if a.Stop != nil {
		target = &limiter{w: collected, left: *a.Stop}
	}
	if err := a.Body.write(target, v); err != nil && !errors.Is(err, errEnough) {
		return err
	}
	return collected.Flush()
}

func (x *exchange) hang() error { return x.link.hang() }

func (x *exchange) goAway(*GoAway) error { return bare{x.link}.goAway(nil) }

func (x *exchange) resetStream(string) error { return bare{x.link}.goAway(nil) }
