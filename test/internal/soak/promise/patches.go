package promise

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/faultserver"
)

// deadly are patches that make the usual library of JSON patches panic, each at
// another place in it.
var deadly = [...]string{
	`[{"op":"add","path":"/x","value":[null]},{"op":"test","path":"/x","value":[1]}]`,
	`[{"op":"add","path":"/x","value":[1]},{"op":"test","path":"/x","value":[null]}]`,
	`[{"op":"test","path":""}]`,
	`[{"op":"add","path":"/x","value":[[]]},{"op":"test","path":"/x","value":[null]}]`,
	`[{"op":"replace","path":""}]`,
	`[{"op":"add","path":"/x","value":null},{"op":"copy","from":"/x","path":"/y"},{"op":"add","path":"/y/z","value":1}]`,
	`[{"op":"add","path":"/x","value":null},{"op":"copy","from":"/x","path":"/y"},{"op":"replace","path":"/y/z","value":1}]`,
}

func patchPanics() Promise {
	return Promise{
		Name: "patch-panics",
		Says: "no patch makes the plugin panic",
		Check: func(ctx context.Context, side Side) error {
			st := &stage{phase: admission.Mutating, webhooks: []webhook{hook()}}
			for _, patch := range deadly {
				st.script.Requests = append(st.script.Requests, patching(faultserver.Plain(patch)).Requests...)
			}
			return play(ctx, side, st, func(s *scene) error {
				var dead []string
				for _, patch := range deadly {
					o := s.send(ctx, pod(nil))
					if o.panicked != nil {
						dead = append(dead, fmt.Sprintf("%s: %v", patch, o.panicked))
					} else if err := o.failed(); err != nil {
						return fmt.Errorf("%s: %w", patch, err)
					}
				}
				if len(dead) > 0 {
					return broken("%d of %d patches had a panic leave the plugin:\n%s", len(dead), len(deadly),
						strings.Join(dead, "\n"))
				}
				return nil
			})
		},
	}
}

func copyBomb() Promise {
	return Promise{
		Name: "copy-bomb",
		Says: "a patch cannot make a large object of a small one by repeated copy operations",
		Check: func(ctx context.Context, side Side) error {
			bomb := faultserver.Text{
				{
					Repeat: `[{"op":"add","path":"/bomb","value":{"a":"`,
				},
				{Repeat: "x", Times: 1000},
				{Repeat: `"}}`},
				{Repeat: `,{"op":"copy","from":"/bomb","path":"/bomb/c{{i}}"}`, Times: 12},
				{Repeat: "]"},
			}
			st := &stage{phase: admission.Mutating, webhooks: []webhook{hook()}, script: patching(bomb)}
			return play(ctx, side, st, func(s *scene) error {
				r := widget()
				o := s.send(ctx, r)
				content, err := r.object.(*unstructured.Unstructured).MarshalJSON()
				if err != nil {
					return err
				}
				if o.allowed() {
					return broken("13 operations made an object of %d KiB", len(content)>>10)
				}
				return o.failed()
			})
		},
	}
}

func patchDeadline() Promise {
	return Promise{
		Name: "patch-deadline",
		Says: "a call's timeout includes the time to apply its patch",
		Check: func(ctx context.Context, side Side) error {
			operations := text(
				"[", `{"op":"add","path":"/metadata/labels","value":{"n":"{{i}}"}}`, ",", 1000, "]")
			st := &stage{phase: admission.Mutating, webhooks: []webhook{hook(seconds(1))},
				script: patching(operations)}
			return play(ctx, side, st, func(s *scene) error {
				release := make(chan struct{})
				s.release = append(s.release, func() { close(release) })
				r := pod(nil)
				r.of = func(a apiadmission.Attributes, o apiadmission.ObjectInterfaces) (apiadmission.Attributes, apiadmission.ObjectInterfaces) {
					return a, host{
						ObjectInterfaces: o,
						creater:          &slowCreater{ObjectCreater: o.GetObjectCreater(), release: release},
					}
				}
				o := s.sendFor(ctx, unbearable, r)
				if o.hung {
					return broken(
						"with a timeout of 1 s, the request had not returned after %s of patching", unbearable)
				}
				return o.failed()
			})
		},
	}
}

// host is a host's interfaces with some of them replaced; nil is none.
type host struct {
	apiadmission.ObjectInterfaces
	creater   runtime.ObjectCreater
	defaulter runtime.ObjectDefaulter
	convertor runtime.ObjectConvertor
}

// GetObjectCreater implements apiadmission.ObjectInterfaces.
func (h host) GetObjectCreater() runtime.ObjectCreater {
	if h.creater != nil {
		return h.creater
	}
	return h.ObjectInterfaces.GetObjectCreater()
}

// GetObjectDefaulter implements apiadmission.ObjectInterfaces.
func (h host) GetObjectDefaulter() runtime.ObjectDefaulter {
	if h.defaulter != nil {
		return h.defaulter
	}
	return h.ObjectInterfaces.GetObjectDefaulter()
}

// GetObjectConvertor implements apiadmission.ObjectInterfaces.
func (h host) GetObjectConvertor() runtime.ObjectConvertor {
	if h.convertor != nil {
		return h.convertor
	}
	return h.ObjectInterfaces.GetObjectConvertor()
}

// slowCreater makes a patch take long: only the object that the webhook is
// shown is made at once.
type slowCreater struct {
	runtime.ObjectCreater
	release chan struct{}
	made    atomic.Int32
}

// New implements runtime.ObjectCreater.
func (c *slowCreater) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	if c.made.Add(1) > 1 {
		<-c.release
	}
	return c.ObjectCreater.New(kind)
}
