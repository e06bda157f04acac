package draft

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/offline/webhookconfig"
	"example.com/gatehouse/internal/suite/suitefile"
)

// Frame is what a suite has beside its cases.
type Frame struct {
	// Name is what the folder of the golden files is called. Suites of one folder that
	// have names of their own do not meet there.
	Name string
	// Configurations are paths from the folder of the suite.
	Configurations []string
	// Described are objects that say what the cluster is like; see Describes.
	Described []*manifest.Document
	// Webhooks say where they are.
	Webhooks []suitefile.Webhook
}

// Sample is something that was asked for, and what came of it.
type Sample struct {
	// Document is an AdmissionRequest, an AdmissionReview, or an object that was created.
	Document *manifest.Document
	// Path leads to its file from the folder of the suite; "" if it does not stand alone
	// in one.
	Path string
	// Response is what came of it.
	Response *admission.Response
}

// Draft is a suite to begin with.
type Draft struct {
	// Test is the suite.
	Test suitefile.AdmissionTest
	// Goldens are the golden files that it names.
	Goldens []Golden
	// LeftOut has an error for each sample that is no case because a webhook could not be
	// called: nobody wants to expect that.
	LeftOut []error

	// folder is where the golden files are.
	folder string
}

// Golden is a golden file that is to be written.
type Golden struct {
	// Path leads to it from the folder of the suite.
	Path string
	// Response has the object.
	Response *admission.Response
}

// Make makes a suite of samples. The webhooks are all that there are. The error has one line
// for each sample that cannot be a request.
func Make(f Frame, webhooks []*admission.Webhook, samples []Sample) (*Draft, error) {
	d := &Draft{Test: suitefile.AdmissionTest{Webhooks: f.Webhooks}, folder: path.Join("golden", f.Name)}
	d.describe(&f)
	var problems []error
	names := newNames(webhooks)
	for i := range samples {
		s := &samples[i]
		if err := s.called(); err != nil {
			d.LeftOut = append(d.LeftOut, s.Document.Wrap("", err))
			continue
		}
		problems = append(problems, s.Document.Wrap("", s.check()))
		d.add(s, names)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return d, nil
}

// called reports a webhook that could not be called.
func (s *Sample) called() error {
	for i := range s.Response.Calls {
		c := &s.Response.Calls[i]
		switch c.Outcome {
		case admission.FailedOpen, admission.FailedClosed, admission.Canceled, admission.Panicked:
			return fmt.Errorf("%s could not be called: %w", webhookconfig.FullName(c.Webhook), c.Err)
		case admission.Allowed, admission.Rejected, admission.Internal:
		}
	}
	return nil
}

// check reports what cannot be a request.
func (s *Sample) check() error {
	if s.isReview() && s.Path == "" {
		return errors.New("an AdmissionReview has to stand alone in a file, which the suite can name")
	}
	return nil
}

// isReview reports whether a sample can be a request only as a file.
func (s *Sample) isReview() bool {
	return requestfile.Is(s.Document.Kind) && s.Document.Kind.Kind == "AdmissionReview"
}

func (d *Draft) add(s *Sample, names *names) {
	c := suitefile.AdmissionTestCase{Name: names.forCase(s.Response), Request: s.request(), Expect: expected(s.Response, names)}
	if changed(s.Response) {
		c.Expect.Golden = path.Join(d.folder, names.forFile(c.Name)+".yaml")
		d.Goldens = append(d.Goldens, Golden{Path: c.Expect.Golden, Response: s.Response})
	}
	d.Test.Cases = append(d.Test.Cases, c)
}

// request returns a sample as a case has it.
func (s *Sample) request() json.RawMessage {
	if s.isReview() {
		return quoted(s.Path)
	}
	asked := requestfile.AdmissionRequest{Object: s.Document.JSON}
	if requestfile.Is(s.Document.Kind) {
		// It has been read before, and more strictly.
		asked = requestfile.AdmissionRequest{}
		_ = json.Unmarshal(s.Document.JSON, &asked)
		asked.TypeMeta = metav1.TypeMeta{} // where it stands says what it is
	}
	text, err := json.Marshal(&asked)
	if err != nil {
		return s.Document.JSON // which was JSON before
	}
	return text
}

// changed reports whether webhooks have changed an object that was admitted.
func changed(r *admission.Response) bool {
	if !r.Allowed || r.Object == nil {
		return false
	}
	for i := range r.Calls {
		if r.Calls[i].Changed {
			return true
		}
	}
	return false
}

// quoted returns a text in JSON.
func quoted(text string) json.RawMessage {
	raw, _ := json.Marshal(text) // every text can be written
	return raw
}
