package output

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
)

// Show admits the requests of a session and prints the visits. It returns
// message.ErrDenied after all is printed if a request was denied.
func Show(ctx context.Context, s *session.Session, p Printer) error {
	denied := false
	err := s.Admit(ctx, func(v *session.Result) error {
		denied = denied || !v.Response.Allowed
		return p.Print(v)
	})
	if err != nil {
		return err
	}
	if err := p.End(); err != nil {
		return err
	}
	s.PrintRemarks()
	if denied {
		return message.ErrDenied
	}
	return nil
}

// Document returns a document of explanations.
func Document(items []*explain.Explanation) *explain.Document {
	return &explain.Document{
		TypeMeta: metav1.TypeMeta{APIVersion: explain.APIVersion, Kind: explain.Kind},
		Items:    append([]*explain.Explanation{}, items...),
	}
}
