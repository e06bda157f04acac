package dispatcher

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"

	"golang.org/x/net/http2"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/internal/engine/review"
)

// intake is the body of a response and its share of the budget, which is taken
// before the memory is.
type intake struct {
	limits *limits.Limits
	data   []byte
	held   int
}

// receive reads the body. Whoever gets it has to release it when it has been
// decoded; beside an error there is nothing to release.
//
// After "101 Switching Protocols" there is no body, only a connection that the
// webhook may keep open for as long as it likes.
func receive(ctx context.Context, response *http.Response, l *limits.Limits) (*intake, error) {
	in := &intake{limits: l}
	if response.StatusCode == http.StatusSwitchingProtocols {
		return in, nil
	}
	complete := false
	defer func() {
		if !complete { // after a panic, too
			in.release()
		}
	}()
	if err := in.readAll(ctx, response.Body); err != nil {
		return nil, err
	}
	complete = true
	return in, nil
}

// decode makes a review of the body and releases it.
func (in *intake) decode(ctx context.Context, codec *review.Codec, v review.Version, status int, header http.Header) (runtime.Object, error) {
	defer in.release()
	failpoint.Hit(ctx, failpoint.BeforeDecode)
	object, err := codec.Decode(v, status, header, in.data)
	failpoint.Hit(ctx, failpoint.AfterDecode)
	return object, err
}

// release gives the share of the budget back; the data is not to be used any
// longer.
func (in *intake) release() {
	in.limits.Budget.Release(in.held)
	if cap(in.data) == least {
		rooms.Put((*[least]byte)(in.data[:least]))
	}
	in.data, in.held = nil, 0
}

// rooms are for answers that are as short as most.
var rooms = sync.Pool{New: func() any { return new([least]byte) }}

// least is how much room every answer gets.
const least = 512

// readAll reads to the end or to the limit. What a Content-Length announces is
// not believed.
func (in *intake) readAll(ctx context.Context, body io.Reader) error {
	for {
		if len(in.data) > in.limits.ResponseBody {
			return fmt.Errorf("reading response body: %w", limits.Bytes("ResponseBody", in.limits.ResponseBody))
		}
		if len(in.data) == cap(in.data) {
			if err := in.grow(); err != nil {
				return fmt.Errorf("reading response body: %w", err)
			}
		}
		n, err := body.Read(in.data[len(in.data):cap(in.data)])
		in.data = in.data[:len(in.data)+n]
		if err == io.EOF && len(in.data) <= in.limits.ResponseBody {
			return nil
		}
		if err != nil && err != io.EOF {
			return broken(err)
		}
		failpoint.Hit(ctx, failpoint.MidBody)
	}
}

// uncounted is how much of each body is not taken from the budget, so that few
// large answers cannot refuse many that are as large as answers are.
const uncounted = 64 << 10

// grow doubles the room for the body, up to one byte beyond the limit: the one
// that shows that the body is too long. While it is moved, both rooms count.
func (in *intake) grow() error {
	if in.data == nil && in.limits.ResponseBody > least {
		in.data = rooms.Get().(*[least]byte)[:0]
		return nil
	}
	room := min(max(2*cap(in.data), least), in.limits.ResponseBody+1)
	share := max(room-uncounted, 0)
	if err := in.limits.Budget.Reserve(share); err != nil {
		return err
	}
	before := in.held
	in.data, in.held = append(make([]byte, 0, room), in.data...), before+share
	in.limits.Budget.Release(before)
	in.held = share
	return nil
}

// broken is the error for a body that could not be read to its end.
func broken(err error) error {
	if _, stream := err.(http2.StreamError); stream {
		return fmt.Errorf("stream error when reading response body, may be caused by closed connection. Please retry. Original error: %w", err)
	}
	return fmt.Errorf("unexpected error when reading response body. Please retry. Original error: %w", err)
}
