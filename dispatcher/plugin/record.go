package plugin

import (
	"sync/atomic"

	corelisters "k8s.io/client-go/listers/core/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/collector"
)

// WithRecorder passes every request to record when it ends, as one
// admission.Response of both phases with a trace of each call. This includes
// requests that no webhook receives, that are denied, and whose webhooks fail.
// Use it with the method Record of a corpus.Recorder, which writes them to
// files.
//
// The plugins call record on the goroutine of the request or of another one,
// which waits for it, and on several goroutines at the same time. record owns
// the response. The plugins recover its panics. The labels of the response's
// namespace are those of the informer.
//
// It costs a copy of the objects of each request, before and after each phase,
// and the cost of WithTrace; docs/corpus.md has figures. You can combine it
// with WithObserver, whose observer then also receives the traces. See
// collector.Collector for how the phases are joined.
func WithRecorder(record func(*admission.Response)) Option {
	return func(o *options) { o.recording = &recording{record: record} }
}

// recording is what the plugins of WithRecorder share.
type recording struct {
	record func(*admission.Response)
	// namespaces is empty until the plugin for webhooks is initialized.
	namespaces atomic.Pointer[corelisters.NamespaceLister]
}

func (r *recording) follow(namespaces corelisters.NamespaceLister) {
	r.namespaces.Store(&namespaces)
}

// done passes a response on with the labels of its namespace.
func (r *recording) done(response *admission.Response) {
	if namespaces := r.namespaces.Load(); namespaces != nil && response.Request.Namespace != "" {
		namespace, err := (*namespaces).Get(response.Request.Namespace)
		if err == nil {
			response.NamespaceLabels = namespace.Labels
		}
	}
	r.record(response)
}

// observeRecording adds the observer of WithRecorder. It comes first, because a
// panic of an observer ends a record.
func (o *options) observeRecording() {
	if o.recording == nil {
		return
	}
	o.trace = true
	var recorder dispatcher.PolicyObserver = collector.New(collector.Config{Done: o.recording.done})
	if o.observer != nil {
		recorder = dispatcher.Observers(recorder, o.observer)
	}
	o.observer = recorder
}
