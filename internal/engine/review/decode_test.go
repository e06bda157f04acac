package review

import (
	"errors"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/testutil/testtable"
)

// response is what a webhook answers. An empty content type is no header.
type response struct {
	status      int
	contentType string
	body        string
	retryAfter  string
}

func (r response) header() http.Header {
	h := http.Header{}
	if r.contentType != "" {
		h.Set("Content-Type", r.contentType)
	}
	if r.retryAfter != "" {
		h.Set("Retry-After", r.retryAfter)
	}
	return h
}

// decodeCase is a response and its result: an error, whose code is 0 unless it
// is a status, or else a review that admits or has no response.
type decodeCase struct {
	row
	version  Version
	response response
	err      string
	code     int32
	absent   bool
}

const (
	asJSON = "application/json"
	good   = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"u","allowed":true}}`
)

// allCases are the rows of every table.
func allCases() []decodeCase {
	var all []decodeCase
	for _, cases := range [][]decodeCase{bodies(), contentTypes(), statuses(), failures()} {
		all = append(all, cases...)
	}
	return all
}

func TestDecode(t *testing.T) {
	t.Parallel()
	codec := newCodec(t)
	testtable.Run(t, allCases(), func(t *testing.T, tc decodeCase) {
		review, err := codec.Decode(tc.version, tc.response.status, tc.response.header(), []byte(tc.response.body))
		if diff := cmp.Diff(tc.err, testtable.Text(err)); diff != "" {
			t.Errorf("error (-want +got):\n%s", diff)
		}
		if code := codeOf(err); code != tc.code {
			t.Errorf("code %d, want %d", code, tc.code)
		}
		if (review == nil) != (err != nil) {
			t.Fatalf("review %v beside error %v", review, err)
		}
		if err == nil {
			checkReview(t, tc, review)
		}
	})
}

func checkReview(t *testing.T, tc decodeCase, review runtime.Object) {
	t.Helper()
	allowed, present := false, false
	switch r := review.(type) {
	case *admissionv1.AdmissionReview:
		if tc.version != V1 {
			t.Errorf("got %T for %s", review, tc.version)
		}
		if present = r.Response != nil; present {
			allowed = r.Response.Allowed
		}
	case *admissionv1beta1.AdmissionReview:
		if tc.version == V1 {
			t.Errorf("got %T for %s", review, tc.version)
		}
		if present = r.Response != nil; present {
			allowed = r.Response.Allowed
		}
	default:
		t.Fatalf("got a %T", review)
	}
	if present == tc.absent || allowed == tc.absent {
		t.Errorf("response present: %v, allowed: %v, want both or neither: %v", present, allowed, !tc.absent)
	}
}

func newCodec(t testing.TB) *Codec {
	t.Helper()
	codec, err := NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	return codec
}

// codeOf returns the code of an error that is a status itself; metrics look no
// deeper.
func codeOf(err error) int32 {
	status, ok := err.(apierrors.APIStatus)
	if !ok {
		return 0
	}
	return status.Status().Code
}

// An unstructured 500 keeps the whole error: the reason, the seconds to wait
// and the server's text.
func TestDecodeFailureDetails(t *testing.T) {
	t.Parallel()
	r := response{status: 503, contentType: "text/plain", body: " busy \n", retryAfter: "7"}
	_, err := newCodec(t).Decode(V1, r.status, r.header(), []byte(r.body))
	var status *apierrors.StatusError
	if !errors.As(err, &status) {
		t.Fatalf("error is a %T", err)
	}
	details := status.ErrStatus.Details
	if status.ErrStatus.Reason != "ServiceUnavailable" || details.RetryAfterSeconds != 7 || len(details.Causes) != 1 || details.Causes[0].Message != "busy" {
		t.Errorf("status %+v with details %+v", status.ErrStatus, details)
	}
}

// Informational codes end no exchange, so a server cannot be made to send them;
// should one get here, it is no success (S-286).
func TestDecodeInformationalStatus(t *testing.T) {
	t.Parallel()
	_, err := newCodec(t).Decode(V1, 199, http.Header{}, []byte(good))
	const want = "the server responded with the status code 199 but did not return more information"
	if testtable.Text(err) != want || codeOf(err) != 199 {
		t.Errorf("error %q with code %d, want %q", testtable.Text(err), codeOf(err), want)
	}
}
