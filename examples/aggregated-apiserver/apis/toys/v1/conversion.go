package v1

import (
	"k8s.io/utils/ptr"

	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys"
)

// An absent number becomes 0, which is visible only without defaulting.

func toHub(in *Robot, out *toys.Robot) {
	out.ObjectMeta = in.ObjectMeta
	out.Spec = toys.RobotSpec{
		Model:    in.Spec.Model,
		Replicas: ptr.Deref(in.Spec.Replicas, 0),
		Parts: toys.ConvertAll(in.Spec.Parts, func(in *Part, out *toys.Part) {
			*out = toys.Part{Name: in.Name, Quantity: ptr.Deref(in.Quantity, 0)}
		}),
	}
	out.Status = toys.RobotStatus{
		Replicas:           in.Status.Replicas,
		ObservedGeneration: in.Status.ObservedGeneration,
	}
}

func fromHub(in *toys.Robot, out *Robot) {
	out.ObjectMeta = in.ObjectMeta
	out.Spec = RobotSpec{
		Model:    in.Spec.Model,
		Replicas: ptr.To(in.Spec.Replicas),
		Parts: toys.ConvertAll(in.Spec.Parts, func(in *toys.Part, out *Part) {
			*out = Part{Name: in.Name, Quantity: ptr.To(in.Quantity)}
		}),
	}
	out.Status = RobotStatus{
		Replicas:           in.Status.Replicas,
		ObservedGeneration: in.Status.ObservedGeneration,
	}
}

func listToHub(in *RobotList, out *toys.RobotList) {
	out.ListMeta = in.ListMeta
	out.Items = toys.ConvertAll(in.Items, toHub)
}

func listFromHub(in *toys.RobotList, out *RobotList) {
	out.ListMeta = in.ListMeta
	out.Items = toys.ConvertAll(in.Items, fromHub)
}
