// Package openapi contains the OpenAPI definitions of all types that this
// server serves. The API server publishes them, and server-side apply merges by
// them.
//
// openapi-gen generates them from the comments and markers of the API packages,
// at the version that tools/go.mod of this repository pins:
//
//	go generate ./examples/aggregated-apiserver/apis/openapi
package openapi

//go:generate go tool -modfile=../../../../tools/go.mod openapi-gen --go-header-file=/dev/null --output-dir=. --output-pkg=example.com/gatehouse/examples/aggregated-apiserver/apis/openapi --output-file=zz_generated.openapi.go --output-model-name-file=zz_generated.model_name.go --report-filename=/dev/null --readonly-pkg=k8s.io/api/autoscaling/v1 --readonly-pkg=k8s.io/apimachinery/pkg/apis/meta/v1 --readonly-pkg=k8s.io/apimachinery/pkg/runtime --readonly-pkg=k8s.io/apimachinery/pkg/version example.com/gatehouse/examples/aggregated-apiserver/apis/toys/v1 example.com/gatehouse/examples/aggregated-apiserver/apis/toys/v1alpha1 k8s.io/api/autoscaling/v1 k8s.io/apimachinery/pkg/apis/meta/v1 k8s.io/apimachinery/pkg/runtime k8s.io/apimachinery/pkg/version
