package corpus

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/sets"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/session"
)

const logged = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1",` +
	`"kind":{"version":"v1","kind":"ConfigMap"},"resource":{"version":"v1","resource":"configmaps"},` +
	`"namespace":"shop","name":"a","operation":"CREATE","userInfo":{"username":"jane"},` +
	`"object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"shop"}}}}` + "\n"

// TestUnwritable: a corpus that cannot be written is no fault of the log.
func TestUnwritable(t *testing.T) {
	t.Parallel()
	writer, err := corpus.Create(t.TempDir())
	if err == nil {
		err = writer.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	o := session.NewOptions()
	o.Stderr = &stderr
	m := &maker{invocation: &invocation{Options: o}, writer: writer, seen: sets.New[string](),
		objects: kinds.New().ObjectInterfaces()}
	if err := m.addLog("hook.log", strings.NewReader(logged)); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("got %v, want that the writer is closed", err)
	}
	if m.added+m.broken > 0 || stderr.Len() > 0 {
		t.Errorf("%d added, %d broken and %q, want nothing", m.added, m.broken, &stderr)
	}
}
