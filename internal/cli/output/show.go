package output

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
)

// Show takes everything through the webhooks and prints it, which is what a session is
// for. It returns message.ErrDenied if something was denied, after all has been printed.
func Show(ctx context.Context, s *session.Session, p Printer) error {
	denied := false
	err := s.Admit(ctx, func(v *session.Visit) error {
		denied = denied || !v.Response.Allowed
		return p.Print(v)
	})
	if err != nil {
		return err
	}
	if err := p.End(); err != nil {
		return err
	}
	s.Tell()
	if denied {
		return message.ErrDenied
	}
	return nil
}

// Document puts explanations together.
func Document(items []*explain.Explanation) *explain.Document {
	return &explain.Document{
		TypeMeta: metav1.TypeMeta{APIVersion: explain.APIVersion, Kind: explain.Kind},
		Items:    append([]*explain.Explanation{}, items...),
	}
}
