package serviceaccounts

import (
	"time"

	"github.com/golang-jwt/jwt/v5"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
)

// Reference names an object in a token.
type Reference struct {
	Name string    `json:"name,omitempty"`
	UID  types.UID `json:"uid,omitempty"`
}

// ReferTo returns a reference to an object.
func ReferTo(o metav1.Object) *Reference { return &Reference{o.GetName(), o.GetUID()} }

// Bound are the objects to which a token is bound; nil is none. With a Pod, the
// Node only records where the pod runs; the token is not bound to it.
type Bound struct {
	Pod    *Reference `json:"pod,omitempty"`
	Secret *Reference `json:"secret,omitempty"`
	Node   *Reference `json:"node,omitempty"`
}

// claims are those of kube-apiserver.
type claims struct {
	jwt.RegisteredClaims
	Kubernetes private `json:"kubernetes.io"`
}

type private struct {
	Namespace      string    `json:"namespace,omitempty"`
	ServiceAccount Reference `json:"serviceaccount"`
	Bound
	WarnAfter *jwt.NumericDate `json:"warnafter,omitempty"`
}

// Request describes the token to issue.
type Request struct {
	Account   metav1.Object
	Audiences []string
	Bound     Bound
	Lifetime  time.Duration
}

// The kubelet requests tokens with projectedLifetime. Such tokens are valid for
// a year, and record when they should have been replaced.
const (
	projectedLifetime = time.Hour + 7*time.Second
	extendedLifetime  = 365 * 24 * time.Hour
)

// Issue returns a token that is valid from now on, and its ID.
func (t *Tokens) Issue(r Request, now time.Time) (token, id string, err error) {
	id = string(uuid.NewUUID())
	c := claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer:    Issuer,
			Subject:   serviceaccount.MakeUsername(r.Account.GetNamespace(), r.Account.GetName()),
			Audience:  r.Audiences,
			IssuedAt:  jwt.NewNumericDate(now),
			NotBefore: jwt.NewNumericDate(now),
			ID:        id,
		},
		Kubernetes: private{
			Namespace:      r.Account.GetNamespace(),
			ServiceAccount: *ReferTo(r.Account),
			Bound:          r.Bound,
		},
	}
	lifetime := r.Lifetime
	if r.extended() {
		c.Kubernetes.WarnAfter = jwt.NewNumericDate(now.Add(lifetime))
		lifetime = extendedLifetime
	}
	c.ExpiresAt = jwt.NewNumericDate(now.Add(lifetime))
	token, err = t.sign(c)
	return token, id, err
}

func (r Request) extended() bool {
	for _, audience := range r.Audiences {
		if !Audiences().Has(audience) {
			return false
		}
	}
	return r.Bound.Pod != nil && r.Lifetime == projectedLifetime
}
