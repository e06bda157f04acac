package serviceaccounts

import (
	"context"
	"errors"
	"fmt"

	"github.com/golang-jwt/jwt/v5"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
)

const legacyIssuer = "kubernetes/serviceaccount"

// legacyClaims are those of the token in a Secret. They have no audience and do
// not expire.
type legacyClaims struct {
	jwt.RegisteredClaims
	Namespace  string    `json:"kubernetes.io/serviceaccount/namespace"`
	SecretName string    `json:"kubernetes.io/serviceaccount/secret.name"`
	Name       string    `json:"kubernetes.io/serviceaccount/service-account.name"`
	UID        types.UID `json:"kubernetes.io/serviceaccount/service-account.uid"`
}

// issueLegacy returns the token for a Secret.
func (t *Tokens) issueLegacy(account metav1.Object, secret string) (string, error) {
	return t.sign(legacyClaims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer:  legacyIssuer,
			Subject: serviceaccount.MakeUsername(account.GetNamespace(), account.GetName()),
		},
		Namespace: account.GetNamespace(), SecretName: secret,
		Name: account.GetName(), UID: account.GetUID(),
	})
}

// authenticateLegacy accepts a token that is still in its Secret.
func (t *Tokens) authenticateLegacy(
	ctx context.Context, parser *jwt.Parser, token string,
) (*serviceaccount.ServiceAccountInfo, authenticator.Audiences, error) {
	var c legacyClaims
	if _, err := parser.ParseWithClaims(token, &c, t.publicKey); err != nil {
		return nil, nil, parseError(err)
	}
	audit.AddAuditAnnotation(ctx, "authentication.k8s.io/legacy-token", c.Subject)
	audiences, err := acceptedAudiences(ctx, Audiences())
	if err != nil {
		return nil, nil, err
	}
	found, err := t.get(ctx, "secrets", c.Namespace, c.SecretName)
	if err != nil || deleted(found) {
		return nil, nil, errInvalidated
	}
	if string(found.(*corev1.Secret).Data[corev1.ServiceAccountTokenKey]) != token {
		return nil, nil, errors.New("service account token does not match server's copy")
	}
	account := Reference{Name: c.Name, UID: c.UID}
	if err := t.checkAccount(ctx, c.Namespace, account); err != nil {
		return nil, nil, err
	}
	info := private{Namespace: c.Namespace, ServiceAccount: account}.info("")
	return info, audiences, nil
}

// Fill adds the token, and the other data that a client needs, to a Secret of
// type kubernetes.io/service-account-token. It replaces nothing. It does not
// change other Secrets, or a Secret whose service account does not exist. In a
// cluster, a controller does this.
func (t *Tokens) Fill(ctx context.Context, secret *corev1.Secret, ca []byte) error {
	name := secret.Annotations[corev1.ServiceAccountNameKey]
	if secret.Type != corev1.SecretTypeServiceAccountToken || name == "" {
		return nil
	}
	account, err := t.get(ctx, "serviceaccounts", secret.Namespace, name)
	if err != nil {
		return fmt.Errorf("the token of the secret %s: %w", secret.Name, err)
	}
	uid := secret.Annotations[corev1.ServiceAccountUIDKey]
	if uid != "" && uid != string(account.GetUID()) {
		return nil
	}
	token, err := t.issueLegacy(account, secret.Name)
	if err != nil {
		return err
	}
	secret.Annotations[corev1.ServiceAccountUIDKey] = string(account.GetUID())
	if secret.Data == nil {
		secret.Data = map[string][]byte{}
	}
	for key, value := range map[string]string{
		corev1.ServiceAccountTokenKey:     token,
		corev1.ServiceAccountNamespaceKey: secret.Namespace,
		corev1.ServiceAccountRootCAKey:    string(ca),
	} {
		if len(secret.Data[key]) == 0 {
			secret.Data[key] = []byte(value)
		}
	}
	return nil
}
