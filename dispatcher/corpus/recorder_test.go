package corpus_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/collector"
	"example.com/gatehouse/dispatcher/corpus"
)

// admitted is the response to a request for a pod, with a User.
func admitted() *admission.Response {
	r := podRequest(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}})
	r.User = &authenticationv1.UserInfo{Username: "ann"}
	return &admission.Response{Request: r, Allowed: true}
}

func newRecorder(w *corpus.Writer, queue int, problem func(error)) *corpus.Recorder {
	return corpus.NewRecorder(corpus.RecorderConfig{
		Writer: w, Options: corpus.Options{Source: corpus.FromPlugin}, MaxQueue: queue, Problem: problem,
	})
}

// TestRecorderFlushes requires that compressed entries become readable while the
// server runs.
func TestRecorderFlushes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		r := newRecorder(create(t, folder, corpus.Compressed()), 0, nil)
		r.Record(admitted())
		synctest.Wait()
		if files := filesIn(t, folder); len(files) > 0 {
			t.Errorf("%v are readable before their frame ends", files)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if n := len(lines(outline(folder, folder))); n != 1 {
			t.Errorf("after a second %d entries are readable, want 1", n)
		}
		r.Record(admitted())
		if err := r.Close(); err != nil || r.Close() != nil {
			t.Error(err)
		}
		r.Record(admitted()) // is dropped
		if n := len(lines(outline(folder, folder))); n != 2 || r.Counts() != (corpus.Counts{Recorded: 2, Dropped: 1}) {
			t.Errorf("%d entries are readable, and the counts are %+v", n, r.Counts())
		}
	})
}

// TestRecorderDrops requires that a request never waits for the writer, and that
// what is left out is reported once and counted.
func TestRecorderDrops(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	stuck, free := make(chan struct{}), make(chan struct{})
	var problems []string
	r := newRecorder(create(t, folder), 1, func(err error) {
		if strings.Contains(err.Error(), "no request") {
			close(stuck)
			<-free
			return
		}
		problems = append(problems, err.Error())
	})
	r.Record(&admission.Response{})
	<-stuck
	for range 4 { // one waits in the queue
		r.Record(admitted())
	}
	close(free)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := r.Counts(), (corpus.Counts{Recorded: 1, Dropped: 3, Failed: 1}); got != want {
		t.Errorf("the counts are %+v, want %+v", got, want)
	}
	if len(problems) != 1 || !strings.Contains(problems[0], "faster than they can be written") {
		t.Errorf("the problems are %q", problems)
	}
}

// TestRecorderGoesOn requires one report of errors within a minute, and that
// recording goes on when it is possible again.
func TestRecorderGoesOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir() + "/corpus"
		var problems []string
		// Each entry has a file of its own.
		r := newRecorder(create(t, folder, corpus.RotateAt(1)), 0, func(err error) {
			problems = append(problems, err.Error())
			panic("boom")
		})
		step := func(change error, times int) {
			if change != nil {
				t.Error(change)
			}
			for range times {
				r.Record(admitted())
			}
			synctest.Wait()
		}
		block := func() error {
			return errors.Join(os.Rename(folder, folder+"2"), os.WriteFile(folder, nil, 0o600))
		}
		unblock := func() error { return errors.Join(os.Remove(folder), os.Rename(folder+"2", folder)) }
		step(nil, 1)
		step(block(), 2)
		step(unblock(), 1)
		time.Sleep(time.Minute)
		step(block(), 1)
		step(unblock(), 0)
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if got, want := r.Counts(), (corpus.Counts{Recorded: 2, Failed: 3}); got != want {
			t.Errorf("the counts are %+v, want %+v", got, want)
		}
		if len(problems) != 2 || !strings.Contains(problems[0], "not a directory") {
			t.Errorf("the problems are %q", problems)
		}
	})
}

// broken is an object whose JSON panics.
type broken struct{ corev1.Pod }

func (b *broken) DeepCopyObject() runtime.Object { return b }
func (*broken) MarshalJSON() ([]byte, error)     { panic("boom") }

// TestRecorderPanics requires that an object of the embedder's cannot end the
// server.
func TestRecorderPanics(t *testing.T) {
	t.Parallel()
	r := newRecorder(create(t, t.TempDir()), 0, nil)
	bad := admitted()
	bad.Request.Object = &broken{}
	r.Record(bad)
	r.Record(admitted())
	if err := r.Close(); err != nil || r.Counts() != (corpus.Counts{Recorded: 1, Failed: 1}) {
		t.Errorf("%v, the counts are %+v", err, r.Counts())
	}
}

// BenchmarkRecorder admits a pod by a webhook in the same process, with and
// without a recorder.
func BenchmarkRecorder(b *testing.B) {
	answer := webhook(func(*admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error) {
		return allow(`[{"op":"add","path":"/metadata/labels","value":{"by":"w"}}]`), nil
	})
	for name, recorded := range map[string]bool{"off": false, "on": true} {
		b.Run(name, func(b *testing.B) {
			var observer dispatcher.Recorder
			r := newRecorder(create(b, b.TempDir()), 0, nil)
			if recorded {
				observer = collector.New(collector.Config{Done: r.Record})
			}
			d := observedServer(b, answer, observer, recorded)
			pod := podRequest(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}})
			b.ReportAllocs()
			for b.Loop() {
				a := apiadmission.NewAttributesRecord(pod.Object.DeepCopyObject(), nil, pod.Kind, pod.Namespace, pod.Name, pod.Resource, "",
					apiadmission.Create, pod.Options, false, &user.DefaultInfo{Name: "ann"})
				if err := errors.Join(d.Mutating().Admit(b.Context(), a, builtIn()), d.Validating().Validate(b.Context(), a, builtIn())); err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			if err := r.Close(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(r.Counts().Dropped)/float64(b.N), "dropped/op")
		})
	}
}

// BenchmarkEntry makes the entry of a pod whose webhook has patched it, without
// writing it.
func BenchmarkEntry(b *testing.B) {
	d := server(b, func(*admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error) {
		return allow(`[{"op":"add","path":"/metadata/labels","value":{"by":"w"}}]`), nil
	})
	r := admit(b, d, podRequest(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}}))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := corpus.FromResponse(r, corpus.Options{Source: corpus.FromRun}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRead reads entries.
func BenchmarkRead(b *testing.B) {
	folder := b.TempDir()
	w, err := corpus.Create(folder)
	if err != nil {
		b.Fatal(err)
	}
	e, err := corpus.FromResponse(admitted(), corpus.Options{Source: corpus.FromRun})
	if err != nil {
		b.Fatal(err)
	}
	for range 1000 {
		if err := w.Write(e); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range corpus.Read(folder) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
