package review

import (
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// panickingObject panics when it is encoded.
type panickingObject struct{ runtime.Object }

func (panickingObject) MarshalJSON() ([]byte, error) { panic("boom") }

// panickingAttributes panic when the user is read.
type panickingAttributes struct{ apiadmission.Attributes }

func (panickingAttributes) GetUserInfo() user.Info { panic("boom") }

// TestPanicsAreErrors requires every review to fail with the panic and its
// stack.
func TestPanicsAreErrors(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		attributes apiadmission.Attributes
		object     runtime.Object
	}
	plain := bodyCase{}.attributes()
	testtable.Run(t, []test{
		{testtable.Row{"object", "its encoder is the embedder's code"}, plain, panickingObject{}},
		{testtable.Row{"user", "the attributes are the embedder's code"}, panickingAttributes{plain}, nil},
	}, func(t *testing.T, tc test) {
		b, object := &Builder{Attributes: tc.attributes}, Encode(tc.object)
		for range 2 {
			var panicked *admission.PanicError
			_, err := body(b, V1, uid, admission.Target{}, object, nil)
			if !errors.As(err, &panicked) || panicked.Value != "boom" || len(panicked.Stack) == 0 {
				t.Errorf("error %v, want the panic and its stack", err)
			}
		}
	})
}
