package review

import (
	"testing"

	"example.com/gatehouse/admission"
)

// FuzzDecode decodes arbitrary responses. The result is a review of the version
// of the request or an error, never both and never a panic; and verification
// accepts or rejects a decoded review without a panic.
func FuzzDecode(f *testing.F) {
	for _, tc := range allCases() {
		if len(tc.response.body) < 1024 { // long texts only slow the search down
			f.Add(tc.version == V1, tc.response.status, tc.response.contentType, tc.response.retryAfter, []byte(tc.response.body))
		}
	}
	codec := newCodec(f)
	f.Fuzz(func(t *testing.T, newer bool, status int, contentType, retryAfter string, body []byte) {
		version := V1beta1
		if newer {
			version = V1
		}
		r := response{status: status, contentType: contentType, retryAfter: retryAfter}
		review, err := codec.Decode(version, status, r.header(), body)
		if (review == nil) == (err == nil) {
			t.Fatalf("review %v with error %v, want exactly one of them", review, err)
		}
		if err != nil {
			return
		}
		for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
			if answer, err := Verify(uid, phase, review); (answer == nil) == (err == nil) {
				t.Errorf("%v: answer %v with error %v, want exactly one of them", phase, answer, err)
			}
		}
	})
}
