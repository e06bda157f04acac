package review

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestDecodeLikeTheRESTClient sends every response of the tables to the client
// that kube-apiserver calls webhooks with. What becomes of it must be the same:
// the type and the text of the error, the status inside of it, the review.
func TestDecodeLikeTheRESTClient(t *testing.T) {
	t.Parallel()
	codec, upstream := newCodec(t), upstreamCodec(t)
	cases := allCases()
	if len(cases) < 40 {
		t.Fatalf("%d responses, want at least 40", len(cases))
	}
	testtable.Run(t, cases, func(t *testing.T, tc decodeCase) {
		server := httptest.NewServer(tc.response)
		defer server.Close()
		want := outcomeOf(throughClient(t, server, upstream, tc.version))
		got := outcomeOf(throughDecode(t, server, codec, tc.version))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("outcome (-client +ours):\n%s", diff)
		}
	})
}

// ServeHTTP answers with the response and nothing that it does not say.
func (r response) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header()["Content-Type"] = nil
	for key, values := range r.header() {
		w.Header()[key] = values
	}
	w.WriteHeader(r.status)
	_, _ = io.WriteString(w, r.body) // not allowed for some codes
}

// outcome is what a caller can observe of a result. The review is its text,
// because the types differ by version.
type outcome struct {
	Type, Text, Review string
	Status             metav1.Status
}

func outcomeOf(review runtime.Object, err error) outcome {
	if err == nil {
		return outcome{Review: fmt.Sprintf("%T %+v", review, review)}
	}
	o := outcome{Type: fmt.Sprintf("%T", err), Text: err.Error()}
	if status, ok := err.(apierrors.APIStatus); ok {
		o.Status = status.Status()
	}
	return o
}

// throughClient posts with client-go, without the retries that the caller of
// Decode is responsible for.
func throughClient(t *testing.T, server *httptest.Server, codec runtime.Codec, v Version) (runtime.Object, error) {
	t.Helper()
	config := &rest.Config{
		Host:           server.URL,
		QPS:            -1,
		WarningHandler: rest.NoWarnings{},
		ContentConfig: rest.ContentConfig{
			ContentType:          runtime.ContentTypeJSON,
			NegotiatedSerializer: serializer.NegotiatedSerializerWrapper(runtime.SerializerInfo{Serializer: codec}),
		},
	}
	client, err := rest.UnversionedRESTClientForConfigAndClient(config, server.Client())
	if err != nil {
		t.Fatal(err)
	}
	into := blankReview(v)
	return into, client.Post().MaxRetries(0).Body([]byte("{}")).Do(t.Context()).Into(into)
}

func throughDecode(t *testing.T, server *httptest.Server, codec *Codec, v Version) (runtime.Object, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, bytes.NewReader([]byte("{}")))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return codec.Decode(v, answer.StatusCode, answer.Header, body)
}
