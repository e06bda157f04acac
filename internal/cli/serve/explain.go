package serve

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
func (o *options) admission() apiserver.Admission {
	if !o.explain {
		return apiserver.DefaultAdmission(o.admissionConfig)
	}
	p := &explanations{w: o.stderr}
	return apiserver.DefaultAdmission(o.admissionConfig, plugin.WithTrace(),
		plugin.WithObserver(collector.New(collector.Config{Done: p.print})))
}

// explanations prints explanations, one after the other.
type explanations struct {
	mu sync.Mutex
	w  io.Writer
}

// print explains a request that a webhook has received or that was denied.
func (p *explanations) print(r *admission.Response) {
	if r.Status == nil && len(r.Calls) == 0 {
		return
	}
	text := explain.Response(r).String()
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.w, "%s\n", text)
}
