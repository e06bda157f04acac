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

// Codec decodes what webhooks answer.
type Codec struct {
	decoder runtime.Decoder
}

// NewCodec returns a codec that knows AdmissionReview in both versions. It is
// costly to make and meant to be shared.
func NewCodec() (*Codec, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{admissionv1beta1.AddToScheme, admissionv1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("building the scheme of AdmissionReview: %w", err)
		}
	}
	return &Codec{decoder: serializer.NewCodecFactory(scheme).LegacyCodec(
		admissionv1beta1.SchemeGroupVersion, admissionv1.SchemeGroupVersion)}, nil
}

// Decode reads an HTTP response into a review of the version that was asked
// for. A status outside of 200…206 is an error that carries it (S-241); so is a
// body that is empty, broken or something else than a review (S-223…S-225).
func (c *Codec) Decode(v Version, status int, header http.Header, body []byte) (runtime.Object, error) {
	contentType := header.Get("Content-Type")
	if contentType == "" {
		contentType = runtime.ContentTypeJSON
	}
	// The media type does not choose a decoder, but it has to be one (S-225).
	if contentType != runtime.ContentTypeJSON {
		if _, _, err := mime.ParseMediaType(contentType); err != nil {
			return nil, apierrors.NewInternalError(err)
		}
	}
	if status < http.StatusOK || status > http.StatusPartialContent {
		return nil, c.failure(status, header, body)
	}
	if len(body) == 0 {
		return nil, fmt.Errorf("0-length response with status code: %d and content type: %s", status, contentType)
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

// failure is the error for a status that is none of success: the Status in the
// body if there is one, or else one made of what the response says (S-286).
func (c *Codec) failure(status int, header http.Header, body []byte) error {
	err := genericFailure(status, header, body)
	if !apierrors.IsUnexpectedServerError(err) || len(body) == 0 || checkExpansion(body) != nil {
		return err
	}
	// A server that leaves out the version means v1.
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
	const maxText = 2048 // of an answer that is not structured
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
	return apierrors.NewGenericServerResponse(status, http.MethodPost, schema.GroupResource{}, "", message, retryAfter, true)
}

func isText(header http.Header) bool {
	contentType := header.Get("Content-Type")
	if contentType == "" {
		return true
	}
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && strings.HasPrefix(media, "text/")
}
