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

// headerMeter adds up what a webhook sends before its body. The transport has a
// limit of its own, but per response and of unknown size.
type headerMeter struct {
	limits *limits.Limits
	// Interim responses arrive on a goroutine of the transport.
	size, interim atomic.Int64
	trace         httptrace.ClientTrace
}

// watch returns a context under which interim responses are counted.
func (m *headerMeter) watch(ctx context.Context) context.Context {
	m.trace.Got1xxResponse = m.addInterim
	return httptrace.WithClientTrace(ctx, &m.trace)
}

func (m *headerMeter) addInterim(_ int, header textproto.MIMEHeader) error {
	if n := m.limits.InterimResponses; m.interim.Add(1) > int64(n) {
		return fmt.Errorf("receiving interim responses: %w", &limits.Error{Field: "InterimResponses", Limit: n, Unit: "responses"})
	}
	return m.add(http.Header(header))
}

// add adds the headers of a response.
func (m *headerMeter) add(header http.Header) error {
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
