package request_test

import (
	"fmt"
	"log"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission/request"
)

// A deployment is scaled from one replica to three.
func ExampleUpdate() {
	endpoint := request.Endpoint{
		Resource:    appsv1.SchemeGroupVersion.WithResource("deployments"),
		Kind:        appsv1.SchemeGroupVersion.WithKind("Deployment"),
		Namespaced:  true,
		Subresource: "scale",
	}
	to := func(replicas int32) *autoscalingv1.Scale {
		return &autoscalingv1.Scale{
			ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"},
			Spec:       autoscalingv1.ScaleSpec{Replicas: replicas},
		}
	}
	r, err := request.Update(endpoint, to(1), to(3), request.By{User: authenticationv1.UserInfo{Username: "ann"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Operation, r.Resource.Resource, r.Subresource, r.Namespace, r.Name, r.Kind)
	// Output: UPDATE deployments scale shop web autoscaling/v1, Kind=Scale
}
