package snapshot

import (
	"context"
	"encoding/base64"
	"encoding/pem"
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var secrets = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}

// readSecrets reads the certificates of the Secrets that Config names.
func (r *reader) readSecrets(ctx context.Context) error {
	objects := map[identity][]byte{}
	for _, named := range r.config.Secrets {
		id := identity{named.Namespace, named.Name}
		t := target{GroupVersionResource: secrets, kind: "Secret", namespace: id.namespace, name: id.name}
		var s corev1.Secret
		err := r.get(ctx, t.path()+"/"+id.name, nil, &s)
		switch {
		case apierrors.IsForbidden(err):
			r.deny(need{GroupResource: secrets.GroupResource(), verb: "get", namespace: id.namespace, name: id.name}, err)
			continue
		case err != nil:
			return r.failed(ctx, "Secret "+id.String(), err)
		case s.Kind != "Secret" || s.Namespace != id.namespace || s.Name != id.name:
			return r.failed(ctx, "Secret "+id.String(), errors.New("the answer is another object: is this an API server?"))
		}
		object, lost := certificates(&s)
		for _, key := range lost {
			r.notice("Secret %s: %s has more than certificates: the rest is left out", id, key)
		}
		if objects[id], err = encode(object); err != nil {
			return err
		}
	}
	if len(objects) > 0 {
		r.snapshot.files["secrets.yaml"] = objects
	}
	return nil
}

// certificates returns a Secret with its certificates only: no keys, and no annotations,
// which may repeat them. The type is that of all Secrets, because one of certificates would
// need the key. lost are the entries that had something else as well.
func certificates(s *corev1.Secret) (object map[string]any, lost []string) {
	data := map[string]any{}
	for _, key := range []string{"ca.crt", corev1.TLSCertKey} {
		kept, all := onlyCertificates(s.Data[key])
		if len(kept) > 0 {
			data[key] = base64.StdEncoding.EncodeToString(kept)
		}
		if !all {
			lost = append(lost, key)
		}
	}
	labels := map[string]any{}
	for key, value := range s.Labels {
		labels[key] = value
	}
	metadata := map[string]any{"namespace": s.Namespace, "name": s.Name}
	if len(labels) > 0 {
		metadata["labels"] = labels
	}
	return map[string]any{
		"apiVersion": "v1", "kind": "Secret", "metadata": metadata,
		"type": string(corev1.SecretTypeOpaque), "data": data,
	}, lost
}

// onlyCertificates returns the certificates of a text in PEM, and whether it has no other
// blocks.
func onlyCertificates(text []byte) (kept []byte, all bool) {
	all = true
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			all = false
			continue
		}
		kept = append(kept, pem.EncodeToMemory(&pem.Block{Type: block.Type, Bytes: block.Bytes})...)
	}
	return kept, all
}
