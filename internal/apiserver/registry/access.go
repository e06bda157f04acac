package registry

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"

	"example.com/gatehouse/internal/apiserver/auth"
	"example.com/gatehouse/internal/apiserver/rbac"
	"example.com/gatehouse/internal/apiserver/serviceaccounts"
)

// Access is the part of the storage that authenticates and authorizes clients.
type Access struct {
	// Tokens issues the tokens of service accounts.
	Tokens *serviceaccounts.Tokens
	// CA is the CA bundle for clients, in PEM. Secrets with tokens contain it.
	CA []byte
	// DefaultAccounts makes the server create the service account "default" in
	// each namespace. In a cluster, a controller does this.
	DefaultAccounts bool
	// Authenticator and Authorizer answer reviews.
	Authenticator authenticator.Request
	Authorizer    auth.Authorizer
	// Roles are the roles to enforce; nil enforces none.
	Roles *rbac.Resolver
}

// attach connects the storage of groups, which is not installed yet. The end of
// ctx does not interrupt later writes of the storage.
func (a Access) attach(ctx context.Context, groups []*genericapiserver.APIGroupInfo) {
	ctx = context.WithoutCancel(ctx)
	if a.Roles != nil {
		attachRoles(groups, rbac.Guard{Resolver: a.Roles, Authorizer: a.Authorizer})
	}
	get := objectGetter(groups)
	a.Tokens.Attach(get)
	core := groups[groupIndex(groups, "")].VersionedResourcesStorageMap["v1"]
	core["serviceaccounts/token"] = tokenREST{get, a.Tokens}
	secrets := core["secrets"].(resourceREST)
	secrets.AfterCreate = func(o runtime.Object, options *metav1.CreateOptions) {
		secret := o.(*corev1.Secret)
		if secret.Type == corev1.SecretTypeServiceAccountToken && len(options.DryRun) == 0 {
			logged(a.fillSecret(ctx, secrets, secret))
		}
	}
	if a.DefaultAccounts {
		accounts := core["serviceaccounts"].(resourceREST)
		core["namespaces"].(namespaceREST).rest.AfterCreate =
			func(o runtime.Object, options *metav1.CreateOptions) {
				if len(options.DryRun) == 0 {
					logged(createDefaultAccount(ctx, accounts, o))
				}
			}
	}
}

// logged logs an error of a function whose caller cannot return it.
func logged(err error) {
	if err != nil {
		utilruntime.HandleError(err)
	}
}

func objectGetter(groups []*genericapiserver.APIGroupInfo) serviceaccounts.Getter {
	return func(ctx context.Context, resource, namespace, name string) (metav1.Object, error) {
		store := storageOf(groups, "", "v1", resource).(rest.Getter)
		// An error names the resource of the request.
		ctx = request.WithRequestInfo(ctx, &request.RequestInfo{
			IsResourceRequest: true, Verb: "get", APIVersion: "v1",
			Namespace: namespace, Resource: resource, Name: name,
		})
		o, err := store.Get(request.WithNamespace(ctx, namespace), name, &metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		return accessor(o), nil
	}
}

// fillSecret adds a token to a new secret and updates created, which the client
// receives. Like the controller of a cluster it writes the secret again, but
// without admission.
func (a Access) fillSecret(
	ctx context.Context, store resourceREST, created *corev1.Secret,
) error {
	ctx, cancel := context.WithTimeout(ctx, createTimeout)
	defer cancel()
	ctx = request.WithNamespace(ctx, created.Namespace)
	fill := func(ctx context.Context, _, old runtime.Object) (runtime.Object, error) {
		secret := old.(*corev1.Secret).DeepCopy()
		return secret, a.Tokens.Fill(ctx, secret, a.CA)
	}
	filled, _, err := store.Update(ctx, created.Name, rest.DefaultUpdatedObjectInfo(nil, fill),
		rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, false, &metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	*created = *filled.(*corev1.Secret)
	return nil
}

func createDefaultAccount(
	ctx context.Context, accounts rest.Creater, namespace runtime.Object,
) error {
	ctx, cancel := context.WithTimeout(ctx, createTimeout)
	defer cancel()
	meta := metav1.ObjectMeta{Namespace: accessor(namespace).GetName(), Name: "default"}
	err := createIfMissing(ctx, accounts, &corev1.ServiceAccount{ObjectMeta: meta})
	if err != nil {
		return fmt.Errorf("creating the service account default in %s: %w", meta.Namespace, err)
	}
	return nil
}

// createDefaultAccounts creates the service accounts "default" of the namespaces
// in an old database.
func (a Access) createDefaultAccounts(
	ctx context.Context, groups []*genericapiserver.APIGroupInfo,
) error {
	if !a.DefaultAccounts {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	stored, err := storageOf(groups, "", "v1", "namespaces").(rest.Lister).List(ctx, nil)
	if err != nil {
		return fmt.Errorf("listing the namespaces: %w", err)
	}
	accounts := storageOf(groups, "", "v1", "serviceaccounts").(rest.Creater)
	for _, namespace := range stored.(*corev1.NamespaceList).Items {
		if namespace.DeletionTimestamp != nil {
			continue
		}
		if err := createDefaultAccount(ctx, accounts, &namespace); err != nil {
			return err
		}
	}
	return nil
}
