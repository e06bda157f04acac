package declared

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/internal/apiserver/validation/declared/apps"
	"example.com/gatehouse/internal/apiserver/validation/declared/autoscaling"
	"example.com/gatehouse/internal/apiserver/validation/declared/batch"
	"example.com/gatehouse/internal/apiserver/validation/declared/certificates"
	"example.com/gatehouse/internal/apiserver/validation/declared/core"
	"example.com/gatehouse/internal/apiserver/validation/declared/discovery"
	"example.com/gatehouse/internal/apiserver/validation/declared/flowcontrol"
	"example.com/gatehouse/internal/apiserver/validation/declared/networking"
	"example.com/gatehouse/internal/apiserver/validation/declared/node"
	"example.com/gatehouse/internal/apiserver/validation/declared/rbac"
	"example.com/gatehouse/internal/apiserver/validation/declared/resource"
	"example.com/gatehouse/internal/apiserver/validation/declared/storage"
)

// Validate validates an object of a preferred version: a new object or, if old
// is not nil, the update of old. Objects without declared validation are valid.
func Validate(ctx context.Context, object, old runtime.Object) field.ErrorList {
	if old == nil {
		return registered().Validate(ctx, gates(), object)
	}
	return registered().ValidateUpdate(ctx, gates(), object, old)
}

// gates are the feature gates that the tags name. They are on: where a gate that
// is off forbids a field, kube-apiserver drops the field before.
func gates() map[string]bool {
	return map[string]bool{
		"DRAPartitionableDevicesType":                  true,
		"HPAScaleToZero":                               true,
		"InPlacePodVerticalScalingSchedulerPreemption": true,
		"WorkloadWithJob":                              true,
	}
}

// registered returns the validation functions by Go type.
var registered = sync.OnceValue(func() *runtime.Scheme {
	s := runtime.NewScheme()
	err := errors.Join(
		apps.RegisterValidations(s), autoscaling.RegisterValidations(s),
		batch.RegisterValidations(s), certificates.RegisterValidations(s),
		core.RegisterValidations(s), discovery.RegisterValidations(s),
		flowcontrol.RegisterValidations(s), networking.RegisterValidations(s),
		node.RegisterValidations(s), rbac.RegisterValidations(s),
		resource.RegisterValidations(s), storage.RegisterValidations(s))
	if err != nil {
		panic(fmt.Sprintf("registering generated functions: %v", err))
	}
	return s
})
