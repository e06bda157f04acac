package output

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
)

// Show admits the requests of a session and prints the visits. After all is
// printed it returns message.ErrDenied if a request was denied, or else
// message.ErrNotReached if the verdict of one is not known.
func Show(ctx context.Context, s *session.Session, p Printer) error {
	denied, undecided := false, false
	err := s.Admit(ctx, func(v *session.Result) error {
		if v.Undecided() {
			undecided = true
		} else if !v.Response.Allowed {
			denied = true
		}
		return p.Print(v)
	})
	if err != nil {
		return err
	}
	if err := p.End(); err != nil {
		return err
	}
	s.PrintRemarks()
	switch {
	case denied:
		return message.ErrDenied
	case undecided:
		return message.ErrNotReached
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
