package serviceaccounts

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/golang-jwt/jwt/v5"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/client-go/util/keyutil"

	"example.com/gatehouse/internal/filereplace"
)

// Issuer is the issuer in every token, as in clusters of kubeadm and kind. The
// address of the server would change with each start.
const Issuer = "https://kubernetes.default.svc.cluster.local"

// Audiences are the audiences of the server, and the default audiences of a
// token.
func Audiences() authenticator.Audiences { return authenticator.Audiences{Issuer} }

// Getter returns the stored object on which a token depends. Namespace is ""
// for nodes.
type Getter func(ctx context.Context, resource, namespace, name string) (metav1.Object, error)

// Tokens issues and authenticates tokens.
type Tokens struct {
	key   *ecdsa.PrivateKey
	keyID string
	get   Getter
}

// keyFile is the name of the file with the signing key.
const keyFile = "service-account.key"

// Open returns Tokens with a signing key. If folder is "", the key is new.
// Otherwise Open reads the key from the folder, or creates it there. Only the
// owner can read the file.
func Open(folder string) (*Tokens, error) {
	text, err := keyText(folder)
	if err != nil {
		return nil, err
	}
	parsed, err := keyutil.ParsePrivateKeyPEM(text)
	key, ok := parsed.(*ecdsa.PrivateKey)
	if err != nil || !ok || key.Curve != elliptic.P256() {
		return nil, fmt.Errorf("%s: want a private ECDSA key on the curve P-256, in PEM: "+
			"remove the file to have one created", filepath.Join(folder, keyFile))
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return nil, fmt.Errorf("encoding the key of service accounts: %w", err)
	}
	sum := sha256.Sum256(public)
	return &Tokens{key: key, keyID: base64.RawURLEncoding.EncodeToString(sum[:])}, nil
}

func keyText(folder string) ([]byte, error) {
	path := filepath.Join(folder, keyFile)
	if folder != "" {
		text, err := os.ReadFile(path)
		if !errors.Is(err, fs.ErrNotExist) {
			return text, err
		}
	}
	text, err := keyutil.MakeEllipticPrivateKeyPEM()
	if err != nil {
		return nil, fmt.Errorf("generating the key of service accounts: %w", err)
	}
	if folder != "" {
		if err := filereplace.Write(path, text, 0o600); err != nil {
			return nil, fmt.Errorf("keeping the key of service accounts: %w", err)
		}
	}
	return text, nil
}

// Attach sets the source of objects. It must be called before a token is
// authenticated.
func (t *Tokens) Attach(get Getter) { t.get = get }

func (t *Tokens) sign(c jwt.Claims) (string, error) {
	token := jwt.NewWithClaims(jwt.SigningMethodES256, c)
	token.Header = map[string]any{"alg": jwt.SigningMethodES256.Alg(), "kid": t.keyID}
	text, err := token.SignedString(t.key)
	if err != nil {
		return "", fmt.Errorf("failed to generate token: %w", err)
	}
	return text, nil
}

// publicKey is a jwt.Keyfunc.
func (t *Tokens) publicKey(token *jwt.Token) (any, error) {
	if id, _ := token.Header["kid"].(string); id != "" && id != t.keyID {
		return nil, errors.New("invalid signature, no keys found")
	}
	return t.key.Public(), nil
}
