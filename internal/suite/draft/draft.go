package draft

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/offline/webhookconfig"
	"example.com/gatehouse/internal/suite/suitefile"
)

// Frame is a suite without its cases.
type Frame struct {
	// Name is the name of the folder of golden files. It is unique among the
	// suites of a folder.
	Name string
	// Configurations are paths relative to the folder of the suite.
	Configurations []string
	// Recursive says that the folders in these are read as well.
	Recursive bool
	// Described are objects that describe the cluster; see DescribesCluster.
	Described []*manifest.Document
	// Webhooks are the endpoints of webhooks.
	Webhooks []suitefile.Webhook
}

// Sample is a request with its response.
type Sample struct {
	// Document is an AdmissionRequest, an AdmissionReview, or an object that
	// was created.
	Document *manifest.Document
	// Path is its file, relative to the folder of the suite; empty if the file
	// holds other documents, too.
	Path string
	// Response is the response to the request.
	Response *admission.Response
}

// Draft is a generated suite.
type Draft struct {
	// Test is the suite.
	Test suitefile.AdmissionTest
	// Goldens are the golden files to write.
	Goldens []Golden
	// LeftOut has an error for each sample whose webhooks could not be called;
	// it makes no case.
	LeftOut []error
	// Secret says that the suite may have the data of a Secret, or a token.
	Secret bool

	// folder is the folder of the golden files.
	folder string
}

// Golden is a golden file to write.
type Golden struct {
	// Path is relative to the folder of the suite.
	Path string
	// Response has the object.
	Response *admission.Response
}

// Make makes a suite from samples. webhooks are all webhooks of the suite. The
// error has one line for each sample that cannot be a request.
func Make(f Frame, webhooks []*admission.Webhook, samples []Sample) (*Draft, error) {
	d := &Draft{Test: suitefile.AdmissionTest{Webhooks: f.Webhooks},
		folder: path.Join("golden", f.Name)}
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

// called returns an error for a webhook that could not be called.
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

// check returns an error for a sample that cannot be a request.
func (s *Sample) check() error {
	if s.isReview() && s.Path == "" {
		return errors.New("an AdmissionReview must be the only document of a file, because the suite names the file")
	}
	return nil
}

// isReview reports whether a sample can be a request only as a file.
func (s *Sample) isReview() bool {
	return requestfile.Is(s.Document.Kind) && s.Document.Kind.Kind == "AdmissionReview"
}

func (d *Draft) add(s *Sample, names *names) {
	c := suitefile.AdmissionTestCase{Name: names.forCase(s.Response), Request: s.request(),
		Expect: expected(s.Response, names)}
	if changed(s.Response) {
		c.Expect.Golden = path.Join(d.folder, names.forFile(c.Name)+".yaml")
		d.Goldens = append(d.Goldens, Golden{Path: c.Expect.Golden, Response: s.Response})
	}
	d.Test.Cases = append(d.Test.Cases, c)
	d.Secret = d.Secret || explain.SecretPaths(metav1.GroupVersionKind(s.Response.Request.Kind)) != nil
}

// request returns the request of a case.
func (s *Sample) request() json.RawMessage {
	if s.isReview() {
		return quoted(s.Path)
	}
	asked := requestfile.AdmissionRequest{Object: s.Document.JSON}
	if requestfile.Is(s.Document.Kind) {
		// The document has been decoded before.
		asked = requestfile.AdmissionRequest{}
		_ = json.Unmarshal(s.Document.JSON, &asked)
		asked.TypeMeta = metav1.TypeMeta{} // implied in a suite
	}
	text, err := json.Marshal(&asked)
	if err != nil {
		return s.Document.JSON // unreachable: it was JSON before
	}
	return text
}

// changed reports whether webhooks changed an admitted object.
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

// quoted returns a JSON string.
func quoted(text string) json.RawMessage {
	raw, _ := json.Marshal(text) // encoding a string cannot fail
	return raw
}

// head is the beginning of every draft.
const head = `# TODO: gatehouse test --init wrote this suite from the current results. Check that they are
# correct, shorten what the cases expect, and remove these lines.
`

// Text returns the suite in YAML.
func (d *Draft) Text() ([]byte, error) {
	text, err := suitefile.Marshal(&d.Test)
	if err != nil {
		return nil, fmt.Errorf("writing the suite: %w", err)
	}
	return append([]byte(head), text...), nil
}
