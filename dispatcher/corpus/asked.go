package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Asked identifies the content of an AdmissionReview: two reviews with equal
// requests have the same. What differs each time is left out: the uid of the
// review, and of an object that is created the metadata that an API server sets
// (uid, creationTimestamp, generation, managedFields, and the name if it is
// generated). All other bytes of objects must be equal.
func Asked(review []byte) (string, error) {
	var r struct {
		Request map[string]json.RawMessage `json:"request"`
	}
	if err := json.Unmarshal(review, &r); err != nil {
		return "", fmt.Errorf("reading the AdmissionReview: %w", err)
	}
	delete(r.Request, "uid")
	if string(r.Request["operation"]) == `"CREATE"` && len(r.Request["object"]) > 0 {
		if err := withoutSystemFields(r.Request); err != nil {
			return "", fmt.Errorf("reading the object of the AdmissionReview: %w", err)
		}
	}
	text, err := json.Marshal(r.Request) // sorts the fields
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), nil
}

// withoutSystemFields removes what an API server sets in a new object between the
// phases. A review that was recorded in a server has it, and one of a replay not.
func withoutSystemFields(request map[string]json.RawMessage) error {
	var object, metadata map[string]json.RawMessage
	if err := json.Unmarshal(request["object"], &object); err != nil {
		return err
	}
	if object["metadata"] == nil {
		return nil
	}
	if err := json.Unmarshal(object["metadata"], &metadata); err != nil {
		return err
	}
	for _, field := range []string{"uid", "creationTimestamp", "generation", "managedFields"} {
		delete(metadata, field)
	}
	if metadata["generateName"] != nil {
		delete(metadata, "name")
		delete(request, "name")
	}
	var err error
	if object["metadata"], err = json.Marshal(metadata); err != nil {
		return err
	}
	request["object"], err = json.Marshal(object)
	return err
}
