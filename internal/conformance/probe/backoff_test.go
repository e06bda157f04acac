package probe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

type moodCase struct {
	testtable.Row
	exchanges []*Exchange
	// want is why it is over; empty if it is not.
	want string
}

func TestMood(t *testing.T) {
	t.Parallel()
	answer, page := &Exchange{Status: 200}, &Exchange{Status: 500}
	late, half := &Exchange{Err: context.DeadlineExceeded}, &Exchange{Status: 200, Err: &timeoutError{}}
	refused := &Exchange{Err: &net.OpError{Op: "dial", Err: errors.New("refused")}}
	cutOff := &Exchange{Err: io.ErrUnexpectedEOF}
	plain := &Exchange{Err: fmt.Errorf("sending: %w", http.ErrSchemeMismatch)}
	times := func(n int, x *Exchange) []*Exchange { return slices.Repeat([]*Exchange{x}, n) }
	testtable.Run(t, []moodCase{
		{testtable.Row{"nothing", "nothing was asked"}, nil, ""},
		{testtable.Row{"answers", "all is well"}, times(100, answer), ""},
		{testtable.Row{"refused", "no server listens"}, []*Exchange{refused}, "it cannot be reached: dial: refused"},
		{testtable.Row{"refused later", "it may be back soon"}, []*Exchange{page, refused}, ""},
		{testtable.Row{"cut off", "a webhook that panics each time is there"}, times(100, cutOff), ""},
		{testtable.Row{"never", "hours could pass"}, times(3, late), "it cannot be reached: context deadline exceeded"},
		{testtable.Row{"not yet", "it may have been starting"}, times(2, late), ""},
		{testtable.Row{"half an answer", "what follows the header may take as long"}, times(3, half), "it cannot be reached: no answer within 0s"},
		{testtable.Row{"sometimes late", "it does answer"}, append(times(9, late)[:2], answer, late, late, answer), ""},
		{testtable.Row{"late too often", "each time takes its timeout"}, append([]*Exchange{answer}, times(10, late)...), "it was late 10 times: context deadline exceeded"},
		{testtable.Row{"plain", "all that follows would say the same"}, []*Exchange{plain}, "it serves plain HTTP, and kube-apiserver calls webhooks over HTTPS only"},
	}, func(t *testing.T, tc moodCase) {
		var w Webhook
		for _, x := range tc.exchanges {
			w.record(x)
		}
		if got := testtable.Text(w.Unreachable); got != tc.want {
			t.Errorf("it is over because %q, want %q", got, tc.want)
		}
	})
}
