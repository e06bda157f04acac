package apiserver

import (
	"fmt"
	"io"
	"sync"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/collector"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/apiserver"
)

// admission returns the admission chain, with an observer for --explain.
func (i *invocation) admission() apiserver.Admission {
	if !i.Explain {
		return apiserver.DefaultAdmission(i.AdmissionConfig)
	}
	e := &explanations{w: i.stderr}
	return apiserver.DefaultAdmission(i.AdmissionConfig, plugin.WithTrace(),
		plugin.WithObserver(collector.New(collector.Config{Done: e.print})))
}

// explanations prints explanations, one after the other.
type explanations struct {
	mu sync.Mutex
	w  io.Writer
}

// print explains a request that a webhook has received or that was denied.
func (e *explanations) print(r *admission.Response) {
	if r.Status == nil && len(r.Calls) == 0 {
		return
	}
	text := explain.Response(r).String()
	e.mu.Lock()
	defer e.mu.Unlock()
	fmt.Fprintf(e.w, "%s\n", text)
}
