package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Asked identifies the content of an AdmissionReview: two reviews with equal
// requests but for their uids have the same. The bytes of objects must be equal.
func Asked(review []byte) (string, error) {
	var r struct {
		Request map[string]json.RawMessage `json:"request"`
	}
	if err := json.Unmarshal(review, &r); err != nil {
		return "", fmt.Errorf("reading the AdmissionReview: %w", err)
	}
	delete(r.Request, "uid")
	text, err := json.Marshal(r.Request) // sorts the fields
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), nil
}
