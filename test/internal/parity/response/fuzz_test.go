package response

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	webhookrequest "k8s.io/apiserver/pkg/admission/plugin/webhook/request"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/review"
)

// answeredUID is the uid of the review that is answered.
const answeredUID = "705ab4f5-6393-11e8-b7cc-42010a800002"

// FuzzResponse has both sides read any response to a webhook's call:
// kube-apiserver's with its REST client and the check of its dispatchers, ours
// with Decode and Verify. Either both take it, and then for the same, or both
// refuse it with the same error. Nothing is sent: the client's transport has
// the response already. Each response is read in all four ways, because the
// fuzzer's own work for a step is the greater part.
func FuzzResponse(f *testing.F) {
	for _, seed := range seeds() {
		f.Add(seed.status, seed.contentType, seed.retryAfter, []byte(seed.body))
	}
	codec, err := review.NewCodec()
	if err != nil {
		f.Fatal(err)
	}
	client := newReader(f)
	f.Fuzz(func(t *testing.T, status uint16, contentType, retryAfter string, body []byte) {
		r := response{status % 1000, contentType, retryAfter, string(body)}
		if r.status == http.StatusSwitchingProtocols {
			t.Skip("it has no body for gatehouse, which ends the call with its status")
		}
		for _, c := range []call{{true, true}, {true, false}, {false, true}, {false, false}} {
			got := r.read(codec, c)
			if strings.HasSuffix(got.Text, "excessive aliasing") {
				// It is refused before it is expanded, and therefore more
				// often.
				if !r.mayExpand() {
					t.Errorf("%+v is refused as if it had aliases", r)
				}
				continue
			}
			if diff := cmp.Diff(client.read(t, r, c), got); diff != "" {
				t.Errorf("%+v to %+v (-upstream +gatehouse):\n%s", r, c, diff)
			}
		}
	})
}

// call is what a response is for.
type call struct{ v1, mutating bool }

// response is what a webhook has answered.
type response struct {
	status                  uint16
	contentType, retryAfter string
	body                    string
}

// mayExpand reports whether the body may have aliases, by a naive look: it is
// no JSON object and has the characters.
func (r response) mayExpand() bool {
	return !strings.HasPrefix(strings.TrimLeft(r.body, " \t\r\n"), "{") && strings.Contains(r.body, "&") && strings.Contains(r.body, "*")
}

// content is the body as net/http hands it on: there are statuses that have
// none.
func (r response) content() []byte {
	if r.status < http.StatusOK || r.status == http.StatusNoContent || r.status == http.StatusNotModified {
		return nil
	}
	return []byte(r.body)
}

func (r response) header() http.Header {
	h := http.Header{}
	for name, value := range map[string]string{"Content-Type": r.contentType, "Retry-After": r.retryAfter} {
		if value != "" {
			h[name] = []string{value}
		}
	}
	return h
}

// reading is a side's result of decoding a response: an answer or an error,
// which may be a status.
type reading struct {
	Answer     *review.Response
	Type, Text string
	Status     metav1.Status
}

func failedReading(err error) reading {
	failed := reading{Type: fmt.Sprintf("%T", err), Text: err.Error()}
	if status, ok := err.(apierrors.APIStatus); ok {
		failed.Status = status.Status()
	}
	return failed
}

// read is gatehouse's way.
func (r response) read(codec *review.Codec, c call) reading {
	version, phase := review.V1beta1, admission.Validating
	if c.v1 {
		version = review.V1
	}
	if c.mutating {
		phase = admission.Mutating
	}
	decoded, err := codec.Decode(version, int(r.status), r.header(), r.content())
	if err != nil {
		return failedReading(err)
	}
	answer, err := review.Verify(answeredUID, phase, decoded)
	if err != nil {
		return failedReading(err)
	}
	return reading{Answer: answer}
}

// reader is upstream's client; every call gets the next response.
type reader struct {
	client *rest.RESTClient
	next   response
}

// newReader makes the client as apiserver's client manager does, but for the
// transport.
func newReader(f *testing.F) *reader {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{admissionv1beta1.AddToScheme, admissionv1.AddToScheme} {
		if err := add(scheme); err != nil {
			f.Fatal(err)
		}
	}
	codec := serializer.NewCodecFactory(scheme).LegacyCodec(admissionv1beta1.SchemeGroupVersion, admissionv1.SchemeGroupVersion)
	r := &reader{}
	client, err := rest.UnversionedRESTClientForConfigAndClient(&rest.Config{
		Host: "https://hook.example", QPS: -1, WarningHandler: rest.NoWarnings{},
		ContentConfig: rest.ContentConfig{
			ContentType:          runtime.ContentTypeJSON,
			NegotiatedSerializer: serializer.NegotiatedSerializerWrapper(runtime.SerializerInfo{Serializer: codec}),
		},
	}, &http.Client{Transport: r})
	if err != nil {
		f.Fatal(err)
	}
	r.client = client
	return r
}

// RoundTrip has the next response.
func (d *reader) RoundTrip(r *http.Request) (*http.Response, error) {
	content := d.next.content()
	return &http.Response{
		StatusCode: int(d.next.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: d.next.header(),
		Body: io.NopCloser(bytes.NewReader(content)), ContentLength: int64(len(content)), Request: r,
	}, nil
}

// read is upstream's way. Retries are left out, as they are by default.
func (d *reader) read(t *testing.T, r response, c call) reading {
	var into runtime.Object = &admissionv1beta1.AdmissionReview{}
	if c.v1 {
		into = &admissionv1.AdmissionReview{}
	}
	d.next = r
	if err := d.client.Post().MaxRetries(0).Body([]byte("{}")).Do(t.Context()).Into(into); err != nil {
		return failedReading(err)
	}
	answer, err := webhookrequest.VerifyAdmissionResponse(answeredUID, c.mutating, into)
	if err != nil {
		return failedReading(err)
	}
	return reading{Answer: &review.Response{
		Allowed: answer.Allowed, Result: answer.Result, Patch: answer.Patch, PatchType: answer.PatchType,
		Warnings: answer.Warnings, AuditAnnotations: answer.AuditAnnotations,
	}}
}

// seeds are responses of every kind that the two sides distinguish.
func seeds() []response {
	const (
		inJSON = "application/json"
		begin  = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"` + answeredUID + `",`
		old    = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1","response":{`
		status = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"no","details":{"causes":[{"field":"a"}]}}`
	)
	var all []response
	for _, rest := range []string{
		`"allowed":true}}`, `"allowed":true,"patchType":"JSONPatch","patch":"W10="}}`, `"allowed":true,"patch":"W10="}}`, `"allowed":true,"patchType":""}}`,
		`"allowed":false,"status":{"code":1200,"message":"no","reason":"Forbidden","details":{"retryAfterSeconds":7}}}}`,
		`"allowed":true,"warnings":["a","\u00e9\ud83d"],"auditAnnotations":{"k":"v"}}}`, `"allowed":"true"}}`, `"allowed":false,"allowed":true}}`,
		`"Allowed":true,"x":[{"y":null}]}}`, `"allowed":true}`, `"allowed":true}} {}`, `"allowed":true,"status":{"code":1e400}}}`, `"allowed":true,"patch":"?"}}`,
	} {
		all = append(all, response{200, inJSON, "", begin + rest}, response{206, "", "", old + rest})
	}
	for _, body := range []string{
		"", " ", "null", "{}", "[]", "<html>", "\xef\xbb\xbf" + begin + `"allowed":true}}`, "kind: AdmissionReview\napiVersion: admission.k8s.io/v1\nresponse: {uid: " + answeredUID + ", allowed: yes}",
		"a: &a [*a]", "---\n{}\n---\n{}", begin + `"allowed":true,"x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "}}", status, `{"status":"Success","kind":"Status","apiVersion":"v1"}`,
		`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"x"},"response":null}`, `{"response":{"allowed":true}}`, "k8s\x00\n\x00", "\xd9\xd9\xf7\xa0",
		`{"kind":"Pod","apiVersion":"v1"}`, `{"kind":"WatchEvent","apiVersion":"v1"}`,
	} {
		all = append(all, response{200, inJSON, "", body})
	}
	codes := []uint16{0, 99, 200, 204, 207, 304, 307, 400, 403, 404, 409, 429, 500, 503, 999}
	types := []string{inJSON, "", "text/html; charset=utf-8", "application/vnd.kubernetes.protobuf", "application/json; a", "/", "; a=b", "application/yaml"}
	for i, code := range codes {
		all = append(all, response{code, types[i%len(types)], "1", status}, response{code, types[(i+2)%len(types)], "-1", " gone \n"})
	}
	return all
}
