package doctor

import (
	"bytes"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/lint/doctor"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// Report is the document that `gatehouse doctor -o json` prints, which
// docs/schemas/doctorreport.v1alpha1.json describes.
type Report struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind DoctorReport.
	metav1.TypeMeta `json:",inline"`
	// Webhooks are the webhooks, in the order of the files.
	Webhooks []Webhook `json:"webhooks"`
	// Problems and Unknown count the checks that are not ok.
	Problems int `json:"problems"`
	Unknown  int `json:"unknown"`
}

// Webhook has the checks of a webhook.
type Webhook struct {
	// Name is CONFIGURATION/NAME, Phase mutating or validating.
	Name  string `json:"name"`
	Phase string `json:"phase"`
	// File and Line are where it is written.
	File   string         `json:"file"`
	Line   int            `json:"line"`
	Checks []doctor.Check `json:"checks"`
}

func newReport(all []doctor.Diagnosis) *Report {
	r := &Report{TypeMeta: metav1.TypeMeta{APIVersion: "gatehouse/v1alpha1", Kind: "DoctorReport"}}
	for _, d := range all {
		w := d.Webhook
		at := w.Document.At(w.Field)
		r.Webhooks = append(r.Webhooks, Webhook{
			Name: webhookconfig.FullName(w.Webhook), Phase: w.Phase.String(),
			File: at.File, Line: at.Line, Checks: d.Checks,
		})
		for _, c := range d.Checks {
			switch c.Status {
			case doctor.Problem:
				r.Problems++
			case doctor.Unknown:
				r.Unknown++
			}
		}
	}
	return r
}

// text returns the report as text, with a line for each check and one for each remedy.
func (r *Report) text() []byte {
	var out bytes.Buffer
	for _, w := range r.Webhooks {
		fmt.Fprintf(&out, "%s webhook %s (%s, line %d)\n", w.Phase, message.Escaped(w.Name), message.Escaped(w.File), w.Line)
		for _, c := range w.Checks {
			fmt.Fprintf(&out, "  %-9s  %-11s  %s\n", c.Status, c.Name, message.Escaped(c.Message))
			if c.Remedy != "" {
				fmt.Fprintf(&out, "  %-9s  %-11s  hint: %s\n", "", "", message.Escaped(c.Remedy))
			}
		}
	}
	fmt.Fprintf(&out, "%s: %s, %d not known\n", message.Count(len(r.Webhooks), "webhook"),
		message.Count(r.Problems, "problem"), r.Unknown)
	return out.Bytes()
}
