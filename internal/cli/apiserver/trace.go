package apiserver

import (
	"fmt"
	"io"
	"sync"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/collector"
	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/apiserver"
	"example.com/gatehouse/internal/apiserver/requests"
	"example.com/gatehouse/internal/cli/serve/options"
)

// admission returns the admission chain, with an observer that fills log and
// prints explanations for --trace. recorder is nil without --record.
func (i *invocation) admission(
	log *requests.Log, recorder *corpus.Recorder,
) apiserver.Admission {
	t := &tracer{log: log, which: i.Trace, w: i.stderr}
	observer := collector.New(collector.Config{Done: t.done, OnlyCalled: true})
	options := []plugin.Option{plugin.WithTrace(), plugin.WithObserver(observer)}
	if recorder != nil {
		options = append(options, plugin.WithRecorder(recorder.Record))
	}
	return apiserver.DefaultAdmission(i.AdmissionConfig, options...)
}

// tracer prints explanations, one after the other.
type tracer struct {
	log *requests.Log
	// which is the value of --trace.
	which string
	mu    sync.Mutex
	w     io.Writer
}

// done keeps and explains a request.
func (t *tracer) done(r *admission.Response) {
	t.log.Add(r)
	if t.which == options.TraceNone || t.which == options.TraceDenied && r.Status == nil {
		return
	}
	text := explain.Response(r).String()
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintf(t.w, "%s\n", text)
}
