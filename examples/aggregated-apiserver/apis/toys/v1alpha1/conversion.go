package v1alpha1

import (
	"k8s.io/utils/ptr"

	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys"
)

// An absent number becomes 0, which is visible only without defaulting.

func toHub(in *Robot, out *toys.Robot) {
	out.ObjectMeta = in.ObjectMeta
	out.Spec = toys.RobotSpec{
		Model:    in.Spec.Type,
		Replicas: ptr.Deref(in.Spec.Count, 0),
		Parts: toys.ConvertAll(in.Spec.Pieces, func(in *Piece, out *toys.Part) {
			*out = toys.Part{Name: in.Name, Quantity: ptr.Deref(in.Count, 0)}
		}),
	}
	out.Status = toys.RobotStatus{
		Replicas:           in.Status.Built,
		ObservedGeneration: in.Status.ObservedGeneration,
	}
}

func fromHub(in *toys.Robot, out *Robot) {
	out.ObjectMeta = in.ObjectMeta
	out.Spec = RobotSpec{
		Type:  in.Spec.Model,
		Count: ptr.To(in.Spec.Replicas),
		Pieces: toys.ConvertAll(in.Spec.Parts, func(in *toys.Part, out *Piece) {
			*out = Piece{Name: in.Name, Count: ptr.To(in.Quantity)}
		}),
	}
	out.Status = RobotStatus{
		Built:              in.Status.Replicas,
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
