package review

import (
	"math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
)

// usual are answers as webhooks write them, by hand and with the Go types.
var usual = []string{
	`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"u","allowed":true}}` + "\n",
	`{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": {"uid": "u", "allowed": false,
	  "status": {"metadata": {}, "status": "Failure", "code": 403, "message": "nö", "reason": "Forbidden"}}}`,
	`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"u","allowed":true,"patchType":"JSONPatch","patch":"W10="}}`,
	`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"warnings":["a","b"],"auditAnnotations":{"k":"v","l":""},"allowed":true,"uid":"u"}}`,
	`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"warnings":[],"auditAnnotations":{},"allowed":true,"uid":"","patch":""}}`,
}

func TestUsualAnswersAreScanned(t *testing.T) {
	t.Parallel()
	for _, body := range usual {
		if !sameAsCodec(t, []byte(body)) {
			t.Errorf("%s is left to the codec", body)
		}
	}
}

// sameAsCodec reports whether the scanner reads a body, and fails the test if
// the codec reads something else.
func sameAsCodec(t *testing.T, body []byte) bool {
	t.Helper()
	scanned, ok := scan(body)
	if !ok {
		return false
	}
	codec, err := NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	into := &admissionv1.AdmissionReview{}
	if _, _, err := codec.decoder.Decode(body, nil, into); err != nil {
		t.Fatalf("%q: the codec says %v", body, err)
	}
	if diff := cmp.Diff(into, scanned); diff != "" {
		t.Fatalf("%q (-codec +scanned):\n%s", body, diff)
	}
	return true
}

// TestRandomAnswersAreScanned spoils usual answers in random places.
func TestRandomAnswersAreScanned(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(1))
	const pieces = `{}[]":,\ 0129truefalsnkdAR` + "\n\t\x00\xc3\xb6"
	scanned := 0
	for range 30_000 {
		body := []byte(usual[random.Intn(len(usual))])
		for range 1 + random.Intn(2) {
			at, c := random.Intn(len(body)), pieces[random.Intn(len(pieces))]
			switch random.Intn(3) {
			case 0:
				body[at] = c
			case 1:
				body = append(body[:at], body[at+1:]...)
			default:
				body = append(body[:at], append([]byte{c}, body[at:]...)...)
			}
		}
		if sameAsCodec(t, body) {
			scanned++
		}
	}
	if scanned < 500 {
		t.Errorf("only %d of the spoiled answers were read", scanned)
	}
}

func FuzzScan(f *testing.F) {
	for _, body := range usual {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) { sameAsCodec(t, body) })
}
