package session

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"example.com/gatehouse/internal/message"
)

// Digest identifies what decides how requests end: the documents that describe the
// cluster, static manifests, faults, which webhooks may be called, the CA, whether
// there are credentials, and the authorizer. It does not include the addresses of
// webhooks and the credentials, which may change. It reads the files again.
func (s *Session) Digest() (string, error) {
	sum := sha256.New()
	encoder := json.NewEncoder(sum)
	for d, err := range s.cluster.Documents() {
		if err != nil {
			return "", &message.InputError{Err: err}
		}
		if err := encoder.Encode(d.JSON); err != nil {
			return "", err
		}
	}
	o := s.options
	parts := []any{
		o.exact, o.authorizer, o.requestFlags.noDefaulting, o.Configurations,
		slices.Sorted(maps.Keys(s.access.Dialer.Routes)), o.Anywhere, s.access.CA,
		o.kubeconfigAuth != "", o.admissionConfig != "",
	}
	for _, w := range s.webhooks {
		if w.Static {
			parts = append(parts, w)
		}
	}
	for _, i := range s.injected.standIns {
		parts = append(parts, i.name, i.Fault.Name, i.Fault.Script)
	}
	if err := encoder.Encode(parts); err != nil {
		return "", fmt.Errorf("encoding the inputs: %w", err)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}
