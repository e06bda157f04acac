package serve_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
)

// killedObjects is the number of objects of each writer.
const killedObjects = 25

// absent is the value of an object that does not exist.
const absent = ""

// ledger has the values of objects that a server must have.
type ledger struct {
	lock sync.Mutex
	// values are the possible values by name; there are two after a write
	// without an answer, the new one last.
	values map[string][]string
	losses []string
	// acknowledged and unanswered are writes; done are the unanswered ones that
	// have happened, and compared is how many objects were compared in checks.
	acknowledged, unanswered, done, compared, checks int
	// next makes values unique.
	next int
}

func newLedger() *ledger {
	l := &ledger{values: map[string][]string{}}
	for writer := range killedWriters {
		for n := range killedObjects {
			l.values[killedName(writer, n)] = []string{absent}
		}
	}
	return l
}

func killedName(writer, n int) string { return fmt.Sprintf("killed-%d-%d", writer, n) }

func (l *ledger) report(format string, arguments ...any) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.losses = append(l.losses, fmt.Sprintf(format, arguments...))
}

func (l *ledger) wantNoLosses(t *testing.T) {
	t.Helper()
	l.lock.Lock()
	defer l.lock.Unlock()
	if len(l.losses) > 0 {
		t.Fatalf("after %d writes: %q", l.acknowledged, l.losses)
	}
}

// check compares all objects with the possible values, of which one remains.
func (l *ledger) check(ctx context.Context, client corev1client.ConfigMapInterface) error {
	list, err := client.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	found := map[string]string{}
	for _, o := range list.Items {
		found[o.Name] = o.Data["value"]
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	l.checks++
	for name, possible := range l.values {
		l.compared++
		value := found[name]
		if !slices.Contains(possible, value) {
			l.losses = append(l.losses, fmt.Sprintf("%s is %q, want %q", name, value, possible))
		}
		if len(possible) > 1 && value == possible[1] {
			l.done++
		}
		l.values[name] = []string{value}
	}
	return nil
}

// write creates, replaces and deletes the objects of a writer until a request
// fails.
func (l *ledger) write(
	ctx context.Context, client corev1client.ConfigMapInterface, writer int, random *rand.Rand,
) {
	for {
		name := killedName(writer, random.IntN(killedObjects))
		value := l.begin(name, random.IntN(3) == 0)
		if err := l.send(ctx, client, name, value); err != nil {
			return
		}
		l.acknowledge(name, value)
	}
}

// begin returns the new value of an object, and notes that it may have it. An
// object that exists may be deleted.
func (l *ledger) begin(name string, deletes bool) string {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.next++
	value := fmt.Sprint(l.next)
	if deletes && l.values[name][0] != absent {
		value = absent
	}
	l.unanswered++
	l.values[name] = append(l.values[name], value)
	return value
}

func (l *ledger) acknowledge(name, value string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.unanswered--
	l.acknowledged++
	l.values[name] = []string{value}
}

// send makes a request for a value. The server must not refuse it.
func (l *ledger) send(
	ctx context.Context, client corev1client.ConfigMapInterface, name, value string,
) error {
	l.lock.Lock()
	old := l.values[name][0]
	l.lock.Unlock()
	object := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"value": value},
	}
	var err error
	switch {
	case value == absent:
		err = client.Delete(ctx, name, metav1.DeleteOptions{})
	case old == absent:
		_, err = client.Create(ctx, object, metav1.CreateOptions{})
	default:
		_, err = client.Update(ctx, object, metav1.UpdateOptions{})
	}
	if apierrors.ReasonForError(err) != metav1.StatusReasonUnknown {
		l.report("writing %s: %v", name, err)
	}
	return err
}
