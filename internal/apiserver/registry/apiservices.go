package registry

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-aggregator/pkg/apis/apiregistration"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	"k8s.io/kube-aggregator/pkg/apis/apiregistration/v1/helper"
	apiregistrationvalidation "k8s.io/kube-aggregator/pkg/apis/apiregistration/validation"
)

// prepareAPIServiceForCreate makes an APIService without a service available, as
// kube-apiserver does. The server forwards no requests to the others.
func prepareAPIServiceForCreate(o runtime.Object) {
	s := o.(*apiregistrationv1.APIService)
	s.Status = apiregistrationv1.APIServiceStatus{}
	if s.Spec.Service == nil {
		helper.SetAPIServiceCondition(s, helper.NewLocalAvailableAPIServiceCondition())
	}
}

// validateAPIService is a Resource.validateAll: kube-aggregator's, on its
// internal type.
func validateAPIService(ctx context.Context, object, old runtime.Object) field.ErrorList {
	now, err := internalAPIService(object)
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	if old == nil {
		return apiregistrationvalidation.ValidateAPIService(ctx, now)
	}
	before, err := internalAPIService(old)
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	return apiregistrationvalidation.ValidateAPIServiceUpdate(ctx, now, before)
}

func internalAPIService(o runtime.Object) (*apiregistration.APIService, error) {
	out := &apiregistration.APIService{}
	return out, apiregistrationv1.Convert_v1_APIService_To_apiregistration_APIService(
		o.(*apiregistrationv1.APIService), out, nil)
}
