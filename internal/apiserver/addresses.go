package apiserver

import (
	"context"
	"fmt"
	"net/netip"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/util/dryrun"
)

// addressRange is where the addresses of services come from. Nobody is there.
const addressRange = "10.96.0.0/16"

// addresses gives services addresses, so that they look as in a cluster. One that a
// client asks for is given to it wherever it lies, unless another service has it.
type addresses struct {
	services *genericregistry.Store

	lock sync.Mutex
	// taken are all that services have; nil until the first service comes.
	taken map[string]bool
	last  netip.Addr
}

// giveAddresses has a storage of services give them addresses.
func giveAddresses(services *genericregistry.Store) {
	a := &addresses{services: services, last: netip.MustParsePrefix(addressRange).Addr().Next()}
	services.BeginCreate = func(ctx context.Context, object runtime.Object, options *metav1.CreateOptions) (genericregistry.FinishFunc, error) {
		return a.begin(ctx, object.(*corev1.Service), &corev1.Service{}, options.DryRun)
	}
	services.BeginUpdate = func(ctx context.Context, object, old runtime.Object, options *metav1.UpdateOptions) (genericregistry.FinishFunc, error) {
		service, before := object.(*corev1.Service), old.(*corev1.Service)
		inherit(&service.Spec, before.Spec)
		return a.begin(ctx, service, before, options.DryRun)
	}
	services.AfterDelete = func(object runtime.Object, options *metav1.DeleteOptions) {
		if !dryrun.IsDryRun(options.DryRun) {
			a.release(object.(*corev1.Service).Spec.ClusterIP)
		}
	}
}

// inherit lets a service keep its address if who replaces it says nothing of it.
func inherit(spec *corev1.ServiceSpec, old corev1.ServiceSpec) {
	if hasAddress(*spec) && hasAddress(old) && spec.ClusterIP == "" && len(spec.ClusterIPs) == 0 {
		spec.ClusterIP, spec.ClusterIPs = old.ClusterIP, old.ClusterIPs
	}
}

func hasAddress(spec corev1.ServiceSpec) bool { return spec.Type != corev1.ServiceTypeExternalName }

// begin gives the service what it needs, and returns what is to be done when it is
// known whether it was stored.
func (a *addresses) begin(ctx context.Context, service, old *corev1.Service, dryRun []string) (genericregistry.FinishFunc, error) {
	spec := &service.Spec
	if spec.ClusterIP == "" && len(spec.ClusterIPs) > 0 {
		spec.ClusterIP = spec.ClusterIPs[0]
	}
	before := old.Spec.ClusterIP
	if hasAddress(*spec) && (spec.ClusterIP == "" || spec.ClusterIP != before) {
		if err := a.take(ctx, service); err != nil {
			return nil, err
		}
	}
	if hasAddress(*spec) {
		look(spec)
	}
	after := spec.ClusterIP
	return func(_ context.Context, stored bool) {
		switch {
		case after == before:
		case stored && !dryrun.IsDryRun(dryRun):
			a.release(before)
		default:
			a.release(after)
		}
	}, nil
}

// look sets what goes with an address.
func look(spec *corev1.ServiceSpec) {
	if len(spec.ClusterIPs) == 0 {
		spec.ClusterIPs = []string{spec.ClusterIP}
	}
	if len(spec.IPFamilies) == 0 {
		spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
	}
	if spec.IPFamilyPolicy == nil {
		single := corev1.IPFamilyPolicySingleStack
		spec.IPFamilyPolicy = &single
	}
}

// take reserves the address that a service asks for, or a free one.
func (a *addresses) take(ctx context.Context, service *corev1.Service) error {
	a.lock.Lock()
	defer a.lock.Unlock()
	if err := a.load(ctx); err != nil {
		return err
	}
	spec := &service.Spec
	switch {
	case spec.ClusterIP == corev1.ClusterIPNone:
		return nil
	case spec.ClusterIP == "":
		free, ok := a.free()
		if !ok {
			return apierrors.NewInternalError(fmt.Errorf("failed to allocate a serviceIP: range is full"))
		}
		spec.ClusterIP = free
	case a.taken[spec.ClusterIP]:
		return apierrors.NewInvalid(corev1.SchemeGroupVersion.WithKind("Service").GroupKind(), service.Name, field.ErrorList{
			field.Invalid(field.NewPath("spec", "clusterIPs"), []string{spec.ClusterIP},
				fmt.Sprintf("failed to allocate IP %s: provided IP is already allocated", spec.ClusterIP)),
		})
	}
	a.taken[spec.ClusterIP] = true
	return nil
}

// load finds out which addresses are taken, once. The lock is held.
func (a *addresses) load(ctx context.Context) error {
	if a.taken != nil {
		return nil
	}
	everywhere := request.WithNamespace(ctx, metav1.NamespaceAll)
	found, err := a.services.List(everywhere, nil)
	if err != nil {
		return fmt.Errorf("finding out which addresses are taken: %w", err)
	}
	a.taken = map[string]bool{}
	for _, service := range found.(*corev1.ServiceList).Items {
		a.taken[service.Spec.ClusterIP] = true
	}
	return nil
}

// free returns the next address that is free, beginning again at the end of the
// range. The lock is held.
func (a *addresses) free() (string, bool) {
	within := netip.MustParsePrefix(addressRange)
	for range 1<<(32-within.Bits()) - 2 {
		if a.last = a.last.Next(); !within.Contains(a.last) {
			// The first is that of the range itself, the second is the API's.
			a.last = within.Addr().Next().Next()
		}
		if text := a.last.String(); !a.taken[text] {
			return text, true
		}
	}
	return "", false
}

func (a *addresses) release(address string) {
	a.lock.Lock()
	defer a.lock.Unlock()
	delete(a.taken, address)
}
