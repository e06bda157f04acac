package serviceaccounts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	authenticationjwt "k8s.io/apiserver/pkg/authentication/token/jwt"
)

// leeway is how long a token is accepted after it expired, or after an object
// on which it depends began to be deleted. It is kube-apiserver's.
const leeway = time.Minute

// errInvalidated is the error for a token that is bound to an object that does
// not exist any more.
var errInvalidated = errors.New("service account token has been invalidated")

// AuthenticateToken implements authenticator.Token. Its errors are
// kube-apiserver's.
func (t *Tokens) AuthenticateToken(
	ctx context.Context, token string,
) (*authenticator.Response, bool, error) {
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodES256.Alg()}), jwt.WithLeeway(leeway))
	var unverified jwt.RegisteredClaims
	if _, _, err := parser.ParseUnverified(token, &unverified); err != nil {
		return nil, false, nil //nolint:nilerr // It is no token of this kind.
	}
	var info *serviceaccount.ServiceAccountInfo
	var audiences authenticator.Audiences
	var err error
	switch unverified.Issuer {
	case Issuer:
		info, audiences, err = t.authenticate(ctx, parser, token)
	case legacyIssuer:
		info, audiences, err = t.authenticateLegacy(ctx, parser, token)
	default:
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return &authenticator.Response{User: info.UserInfo(), Audiences: audiences}, true, nil
}

func (t *Tokens) authenticate(
	ctx context.Context, parser *jwt.Parser, token string,
) (*serviceaccount.ServiceAccountInfo, authenticator.Audiences, error) {
	var c claims
	if _, err := parser.ParseWithClaims(token, &c, t.publicKey); err != nil {
		return nil, nil, parseError(err)
	}
	audiences, err := acceptedAudiences(ctx, authenticator.Audiences(c.Audience))
	if err != nil {
		return nil, nil, err
	}
	k := c.Kubernetes
	if err := t.checkAccount(ctx, k.Namespace, k.ServiceAccount); err != nil {
		return nil, nil, err
	}
	if err := t.checkBound(ctx, k.Namespace, k.Bound); err != nil {
		return nil, nil, err
	}
	if k.WarnAfter != nil && time.Now().After(k.WarnAfter.Time) {
		audit.AddAuditAnnotation(ctx, "authentication.k8s.io/stale-token",
			fmt.Sprintf("subject: %s, seconds after warning threshold: %d",
				c.Subject, int(time.Since(k.WarnAfter.Time).Seconds())))
	}
	return k.info(c.ID), audiences, nil
}

// parseError returns kube-apiserver's error for a token that is not valid now,
// and others as they are.
func parseError(err error) error {
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return errors.New("service account token has expired")
	case errors.Is(err, jwt.ErrTokenNotValidYet):
		return errors.New("service account token is not valid yet")
	}
	return err
}

// acceptedAudiences returns those of a token's audiences that the request is
// for: by default those of this server.
func acceptedAudiences(
	ctx context.Context, offered authenticator.Audiences,
) (authenticator.Audiences, error) {
	requested, ok := authenticator.AudiencesFrom(ctx)
	if !ok {
		requested = Audiences()
	}
	accepted := offered.Intersect(requested)
	if len(accepted) == 0 {
		return nil, fmt.Errorf("token audiences %q is invalid for the target audiences %q",
			[]string(offered), []string(requested))
	}
	return accepted, nil
}

func (t *Tokens) checkAccount(ctx context.Context, namespace string, ref Reference) error {
	account, err := t.get(ctx, "serviceaccounts", namespace, ref.Name)
	switch {
	case err != nil:
		return err
	case account.GetUID() != ref.UID:
		return fmt.Errorf("service account UID (%s) does not match claim (%s)",
			account.GetUID(), ref.UID)
	case deleted(account):
		return fmt.Errorf("service account %s/%s has been deleted", namespace, ref.Name)
	}
	return nil
}

func (t *Tokens) checkBound(ctx context.Context, namespace string, b Bound) error {
	check := func(kind, namespace string, ref *Reference) error {
		if ref == nil {
			return nil
		}
		found, err := t.get(ctx, kind+"s", namespace, ref.Name)
		switch {
		case err != nil:
			return errInvalidated
		case found.GetUID() != ref.UID:
			return mismatch(kind, found.GetUID(), ref.UID)
		case deleted(found):
			return errInvalidated
		}
		return nil
	}
	node := b.Node
	if b.Pod != nil {
		node = nil
	}
	return errors.Join(check("secret", namespace, b.Secret), check("pod", namespace, b.Pod),
		check("node", "", node))
}

func mismatch(kind string, found, claimed types.UID) error {
	return fmt.Errorf("%s UID (%s) does not match service account %[1]s ref claim (%[3]s)",
		kind, found, claimed)
}

// deleted reports whether the deletion of an object began before the leeway.
func deleted(o metav1.Object) bool {
	at := o.GetDeletionTimestamp()
	return at != nil && time.Since(at.Time) > leeway
}

func (p private) info(id string) *serviceaccount.ServiceAccountInfo {
	info := &serviceaccount.ServiceAccountInfo{
		Namespace: p.Namespace, Name: p.ServiceAccount.Name, UID: string(p.ServiceAccount.UID),
		CredentialID: authenticationjwt.CredentialIDForJTI(id),
	}
	if p.Pod != nil {
		info.PodName, info.PodUID = p.Pod.Name, string(p.Pod.UID)
	}
	if p.Node != nil {
		info.NodeName, info.NodeUID = p.Node.Name, string(p.Node.UID)
	}
	return info
}
