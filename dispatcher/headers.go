package dispatcher

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"sync/atomic"

	"example.com/gatehouse/admission/limits"
)

// headerMeter limits the size of all headers that a webhook sends before the
// body. The transport limits each response, including interim ones, separately.
type headerMeter struct {
	limits *limits.Limits
	// A goroutine of the transport adds interim responses.
	size, interim atomic.Int64
	trace         httptrace.ClientTrace
}

// watch returns a context under which interim responses are counted.
func (m *headerMeter) watch(ctx context.Context, l *limits.Limits) context.Context {
	m.limits = l
	m.trace.Got1xxResponse = m.countInterim
	return httptrace.WithClientTrace(ctx, &m.trace)
}

func (m *headerMeter) countInterim(_ int, header textproto.MIMEHeader) error {
	if n := m.limits.InterimResponses; m.interim.Add(1) > int64(n) {
		return fmt.Errorf("receiving interim responses: %w",
			&limits.Error{Field: "InterimResponses", Limit: n, Unit: "responses"})
	}
	return m.count(http.Header(header))
}

// count adds the headers of a response.
func (m *headerMeter) count(header http.Header) error {
	const punctuation = len(": \r\n")
	size := 0
	for name, values := range header {
		for _, value := range values {
			size += len(name) + len(value) + punctuation
		}
	}
	if n := m.limits.ResponseHeader; m.size.Add(int64(size)) > int64(n) {
		return fmt.Errorf("receiving response headers: %w", limits.Bytes("ResponseHeader", n))
	}
	return nil
}
