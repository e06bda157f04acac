package requests

import (
	"errors"
	"fmt"

	"example.com/gatehouse/admission/request"
)

// blame says in the author's words where an error of package request happened, and
// what was attempted.
func (o *order) blame(err error) error {
	var fault *request.ArgumentError
	if !errors.As(err, &fault) {
		return o.from.Wrap("", err)
	}
	return o.wrong(fault.Argument, "%s", fault.Reason)
}

// wrong is an error about an argument.
func (o *order) wrong(argument, format string, args ...any) error {
	at := o.words(o, argument)
	return at.document.Wrap(at.field, fmt.Errorf("making a request to %s %s: %s: "+format,
		append([]any{o.operation, o.path(), at.word}, args...)...))
}

// path returns for example "deployments.apps/scale".
func (o *order) path() string { return pathText(o.at) }

func pathText(at request.Endpoint) string {
	text := at.Resource.GroupResource().String()
	if at.Subresource != "" {
		text += "/" + at.Subresource
	}
	return text
}
