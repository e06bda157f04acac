package serviceaccounts

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/golang-jwt/jwt/v5"
)

// The paths of the documents, as in kube-apiserver.
const (
	ConfigPath = "/.well-known/openid-configuration"
	KeysPath   = "/openid/v1/jwks"
)

// Documents returns the handler for ConfigPath and KeysPath. server is the URL
// under which clients reach the server.
func (t *Tokens) Documents(server string) (http.Handler, error) {
	config, err := json.Marshal(map[string]any{
		"issuer": Issuer, "jwks_uri": server + KeysPath,
		"response_types_supported":              []string{"id_token"},
		"subject_types_supported":               []string{"public"},
		"id_token_signing_alg_values_supported": []string{jwt.SigningMethodES256.Alg()},
	})
	if err != nil {
		return nil, fmt.Errorf("encoding the OpenID configuration: %w", err)
	}
	keys, err := t.keySet()
	if err != nil {
		return nil, fmt.Errorf("encoding the OpenID keys: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET "+ConfigPath, document("application/json", config))
	mux.Handle("GET "+KeysPath, document("application/jwk-set+json", keys))
	return mux, nil
}

// keySet returns the public key as a JSON Web Key Set (RFC 7517).
func (t *Tokens) keySet() ([]byte, error) {
	point, err := t.key.PublicKey.Bytes()
	if err != nil {
		return nil, err
	}
	// 4, which means that both coordinates follow.
	x, y := point[1:1+len(point)/2], point[1+len(point)/2:]
	encode := base64.RawURLEncoding.EncodeToString
	return json.Marshal(map[string]any{"keys": []map[string]string{{
		"use": "sig", "kty": "EC", "kid": t.keyID, "crv": "P-256",
		"alg": jwt.SigningMethodES256.Alg(), "x": encode(x), "y": encode(y),
	}}})
}

func document(contentType string, text []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Cache-Control", "public, max-age=3600")
		_, _ = w.Write(text) // fails only if the client disconnected
	}
}
