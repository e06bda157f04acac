package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Asked returns a digest of an AdmissionReview. Reviews with equal requests
// have the same digest. It ignores values that differ each time: the uid of the
// review and, if an object is created, the metadata that an API server sets
// (uid, creationTimestamp, generation, managedFields, and the name if it is
// generated). All other bytes of objects must be equal.
func Asked(review []byte) (string, error) {
	var compact, text bytes.Buffer
	if err := json.Compact(&compact, review); err != nil {
		return "", fmt.Errorf("reading the AdmissionReview: %w", err)
	}
	json.HTMLEscape(&text, compact.Bytes())
	root, err := object(text.Bytes())
	if err != nil {
		return "", fmt.Errorf("reading the AdmissionReview: %w", err)
	}
	request, err := object(valueOf(root, "request"))
	if err != nil {
		return "", fmt.Errorf("reading the AdmissionReview: request: %w", err)
	}
	if string(valueOf(request, "operation")) == `"CREATE"` && valueOf(request, "object") != nil {
		if request, err = withoutSystemFields(request); err != nil {
			return "", fmt.Errorf("reading the object of the AdmissionReview: %w", err)
		}
	}
	sum := sha256.Sum256(sorted(without(request, "uid")))
	return hex.EncodeToString(sum[:16]), nil
}

// object returns the fields of an object, and none of null.
func object(text []byte) ([]member, error) {
	if len(text) > 0 && text[0] != '{' && string(text) != "null" {
		return nil, errors.New("it is not an object")
	}
	return slices.Collect(members(text)), nil
}

func without(all []member, keys ...string) []member {
	return slices.DeleteFunc(all, func(m member) bool { return slices.Contains(keys, m.key) })
}

// withoutSystemFields removes what an API server sets in a new object between the
// phases. A review that was recorded in a server has it, and one of a replay not.
func withoutSystemFields(request []member) ([]member, error) {
	fields, err := object(valueOf(request, "object"))
	if err != nil {
		return nil, err
	}
	text := valueOf(fields, "metadata")
	if text == nil {
		return request, nil
	}
	metadata, err := object(text)
	if err != nil {
		return nil, fmt.Errorf("metadata: %w", err)
	}
	if valueOf(metadata, "generateName") != nil {
		metadata = without(metadata, "name")
		request = without(request, "name")
	}
	metadata = without(metadata, "uid", "creationTimestamp", "generation", "managedFields")
	set(fields, "metadata", sorted(metadata))
	set(request, "object", sorted(fields))
	return request, nil
}

// set sets the value of a key that the fields have.
func set(all []member, key string, value []byte) {
	for i := range all {
		if all[i].key == key {
			all[i].value = value
		}
	}
}
