package declared

//go:generate go tool -modfile=../../../../tools/go.mod validation-gen --output-file=zz_generated.validations.go --go-header-file=/dev/null --readonly-pkg=k8s.io/apimachinery/pkg/api/resource,k8s.io/apimachinery/pkg/util/intstr,k8s.io/apimachinery/pkg/runtime,k8s.io/apimachinery/pkg/types,k8s.io/api/scheduling/v1alpha3,time ./apps ./autoscaling ./batch ./certificates ./core ./discovery ./flowcontrol ./meta ./networking ./node ./rbac ./resource ./storage
