package faultserver

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

func (a *Answer) status() int {
	if a.Status == 0 {
		return http.StatusOK
	}
	return a.Status
}

func (a *Answer) framing() Framing {
	if a.Framing == "" {
		return FramingLength
	}
	return a.Framing
}

// bodiless reports a status after which HTTP has no body.
func (a *Answer) bodiless() bool {
	s := a.status()
	return s >= 100 && s < 200 || s == http.StatusNoContent || s == http.StatusNotModified
}

// automatic returns the headers that the server adds by itself.
func (a *Answer) automatic(length int64) []Header {
	var headers []Header
	add := func(name, value string) {
		for _, h := range a.Headers {
			if strings.EqualFold(h.Name, name) {
				return
			}
		}
		headers = append(headers, Header{Name: name, Value: Plain(value)})
	}
	if a.Body != nil {
		add("Content-Type", "application/json")
		if a.Body.Gzip {
			add("Content-Encoding", "gzip")
		}
	}
	switch {
	case a.framing() == FramingChunked:
		add("Transfer-Encoding", "chunked")
	case a.framing() == FramingLength && !a.bodiless():
		add("Content-Length", strconv.FormatInt(length, 10))
	}
	return headers
}

// length is what Content-Length says. The body is made twice for that, because
// it may be too large to be kept.
func (a *Answer) length(v *values) (int64, error) {
	if a.Length != nil {
		return *a.Length, nil
	}
	if a.framing() != FramingLength {
		return 0, nil
	}
	count := &sink{abandoned: v.abandoned}
	err := a.Body.write(count, v)
	return count.n, err
}

// writeHead writes status line and headers.
func (a *Answer) writeHead(w io.Writer, v *values) error {
	length, err := a.length(v)
	if err != nil {
		return err
	}
	proto := a.Proto
	if proto == "" {
		proto = "HTTP/1.1"
	}
	head := bufio.NewWriterSize(w, block)
	// Go's clients want three digits, which are for the script to withhold.
	fmt.Fprintf(head, "%s %03d %s\r\n", proto, a.status(), reason(a.status()))
	if err := writeHeaders(head, append(a.automatic(length), a.Headers...), v); err != nil {
		return err
	}
	return head.Flush()
}

func reason(code int) string {
	if text := http.StatusText(code); text != "" {
		return text
	}
	return "Status"
}

// writeHeaders writes the lines, and the empty one after them.
func writeHeaders(w io.Writer, headers []Header, v *values) error {
	for _, h := range headers {
		if h.Value.empty() {
			continue
		}
		for range max(1, h.Times) {
			if _, err := io.WriteString(w, h.Name+": "); err != nil {
				return err
			}
			if err := h.Value.write(w, v.fill); err != nil {
				return err
			}
			if _, err := io.WriteString(w, "\r\n"); err != nil {
				return err
			}
		}
	}
	_, err := io.WriteString(w, "\r\n")
	return err
}
