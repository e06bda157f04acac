package review

import (
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// Codec decodes the responses of webhooks. It is safe for concurrent use.
type Codec struct {
	decoder runtime.Decoder
}

// NewCodec returns a codec for both versions of AdmissionReview. It is costly;
// share the codec.
func NewCodec() (*Codec, error) {
	scheme := runtime.NewScheme()
	versions := runtime.NewSchemeBuilder(admissionv1beta1.AddToScheme, admissionv1.AddToScheme)
	if err := versions.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("building the scheme of AdmissionReview: %w", err)
	}
	return &Codec{decoder: serializer.NewCodecFactory(scheme).LegacyCodec(
		admissionv1beta1.SchemeGroupVersion, admissionv1.SchemeGroupVersion)}, nil
}

// Decode decodes an HTTP response into a review of the version in which the
// engine sent its review. It returns an error with the status for a status
// outside of 200…206 (S-241), and an error for a body that is empty, malformed
// or not a review (S-223…S-225).
func (c *Codec) Decode(
	v Version, status int, header http.Header, body []byte,
) (runtime.Object, error) {
	contentType := header.Get("Content-Type")
	if contentType == "" {
		contentType = runtime.ContentTypeJSON
	}
	// The media type does not select a decoder, but has to be valid (S-225).
	if contentType != runtime.ContentTypeJSON {
		if _, _, err := mime.ParseMediaType(contentType); err != nil {
			return nil, apierrors.NewInternalError(err)
		}
	}
	if status < http.StatusOK || status > http.StatusPartialContent {
		return nil, c.failure(status, header, body)
	}
	if len(body) == 0 {
		return nil, fmt.Errorf("0-length response with status code: %d and content type: %s",
			status, contentType)
	}
	if v == V1 {
		if scanned, ok := scan(body); ok {
			return scanned, nil
		}
	}
	if err := checkExpansion(body); err != nil {
		return nil, err
	}
	into := blankReview(v)
	out, _, err := c.decoder.Decode(body, nil, into)
	if err != nil {
		return nil, err
	}
	if s, ok := out.(*metav1.Status); ok && s.Status != metav1.StatusSuccess {
		return nil, apierrors.FromObject(s)
	}
	return into, nil
}

func blankReview(v Version) runtime.Object {
	if v == V1 {
		return &admissionv1.AdmissionReview{}
	}
	return &admissionv1beta1.AdmissionReview{}
}

// failure returns the error for a status other than success: the Status in the
// body, or, without one, a Status derived from the response (S-286).
func (c *Codec) failure(status int, header http.Header, body []byte) error {
	err := genericFailure(status, header, body)
	if !apierrors.IsUnexpectedServerError(err) || len(body) == 0 || checkExpansion(body) != nil {
		return err
	}
	// Without a version the body counts as v1.
	out, _, decodeErr := c.decoder.Decode(body, &schema.GroupVersionKind{Version: "v1"}, nil)
	if decodeErr != nil {
		return err
	}
	if s, ok := out.(*metav1.Status); ok && s.Status == metav1.StatusFailure {
		return apierrors.FromObject(s)
	}
	return err
}

func genericFailure(status int, header http.Header, body []byte) error {
	const maxText = 2048 // of a body that is not a Status
	if len(body) > maxText {
		body = body[:maxText]
	}
	message := "unknown"
	if isText(header) {
		message = strings.TrimSpace(string(body))
	}
	retryAfter, err := strconv.Atoi(header.Get("Retry-After"))
	if err != nil {
		retryAfter = 0
	}
	return apierrors.NewGenericServerResponse(
		status, http.MethodPost, schema.GroupResource{}, "", message, retryAfter, true)
}

func isText(header http.Header) bool {
	contentType := header.Get("Content-Type")
	if contentType == "" {
		return true
	}
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && strings.HasPrefix(media, "text/")
}
