package dispatcher

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"golang.org/x/net/http2"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/internal/engine/review"
)

// responseBody is the body of a response. It reserves memory in the budget
// before it allocates it.
type responseBody struct {
	limits *limits.Limits
	data   []byte
	// reserved is the number of bytes reserved in the budget.
	reserved int
}

// readBody reads the body of a response. The caller releases it; if there is an
// error, nothing is left to release.
//
// A response "101 Switching Protocols" has no body: what follows is a
// connection, which the webhook can keep open for any time.
func readBody(
	ctx context.Context, response *http.Response, l *limits.Limits,
) (*responseBody, error) {
	b := &responseBody{limits: l}
	if response.StatusCode == http.StatusSwitchingProtocols {
		return b, nil
	}
	complete := false
	defer func() {
		if !complete { // also after a panic
			b.release()
		}
	}()
	if err := b.readAll(ctx, response.Body); err != nil {
		return nil, err
	}
	complete = true
	return b, nil
}

// decode decodes the review in the body and releases the body.
func (b *responseBody) decode(
	ctx context.Context, codec *review.Codec, v review.Version, status int, header http.Header,
) (runtime.Object, error) {
	defer b.release()
	failpoint.Hit(ctx, failpoint.BeforeDecode)
	object, err := codec.Decode(v, status, header, b.data)
	failpoint.Hit(ctx, failpoint.AfterDecode)
	return object, err
}

// release returns the reserved bytes to the budget. The data must not be used
// any more.
func (b *responseBody) release() {
	b.limits.Budget.Release(b.reserved)
	b.data, b.reserved = nil, 0
}

// minBuffer is the size of the first buffer of a response.
const minBuffer = 512

// readAll reads to the end or to the limit. It ignores the Content-Length.
func (b *responseBody) readAll(ctx context.Context, body io.Reader) error {
	for {
		if len(b.data) > b.limits.ResponseBody {
			return fmt.Errorf("reading response body: %w",
				limits.Bytes("ResponseBody", b.limits.ResponseBody))
		}
		if len(b.data) == cap(b.data) {
			if err := b.grow(); err != nil {
				return fmt.Errorf("reading response body: %w", err)
			}
		}
		n, err := body.Read(b.data[len(b.data):cap(b.data)])
		b.data = b.data[:len(b.data)+n]
		if err == io.EOF && len(b.data) <= b.limits.ResponseBody {
			return nil
		}
		if err != nil && err != io.EOF {
			return readError(err)
		}
		failpoint.Hit(ctx, failpoint.MidBody)
	}
}

// freeAllowance is the number of bytes of each body that the budget does not
// count, so that a few large responses do not make all others fail.
const freeAllowance = 64 << 10

// grow doubles the buffer, up to one byte beyond the limit: the byte that shows
// that the body is too long. While the data is copied, the budget counts both
// buffers.
func (b *responseBody) grow() error {
	size := min(max(2*cap(b.data), minBuffer), b.limits.ResponseBody+1)
	share := max(size-freeAllowance, 0)
	if err := b.limits.Budget.Reserve(share); err != nil {
		return err
	}
	before := b.reserved
	b.data, b.reserved = append(make([]byte, 0, size), b.data...), before+share
	b.limits.Budget.Release(before)
	b.reserved = share
	return nil
}

// readError returns the error for a body that could not be read to its end.
func readError(err error) error {
	if _, stream := err.(http2.StreamError); stream {
		return fmt.Errorf("stream error when reading response body, may be caused by closed connection. Please retry. Original error: %w", err)
	}
	return fmt.Errorf(
		"unexpected error when reading response body. Please retry. Original error: %w", err)
}
