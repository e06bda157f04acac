package requests

import (
	"errors"
	"fmt"

	"example.com/gatehouse/admission/request"
)

// blame adds the position to an error of package request, with the author's
// name for the argument.
func (o *draft) blame(err error) error {
	var fault *request.ArgumentError
	if !errors.As(err, &fault) {
		return o.from.Wrap("", err)
	}
	return o.wrong(fault.Argument, "%s", fault.Reason)
}

// wrong makes an error about an argument.
func (o *draft) wrong(argument, format string, args ...any) error {
	at := o.names(o, argument)
	return at.document.Wrap(at.field, fmt.Errorf("making a request to %s %s: %s: "+format,
		append([]any{o.operation, o.path(), at.name}, args...)...))
}

// path returns for example "deployments.apps/scale".
func (o *draft) path() string { return pathText(o.at) }

func pathText(at request.Endpoint) string {
	text := at.Resource.GroupResource().String()
	if at.Subresource != "" {
		text += "/" + at.Subresource
	}
	return text
}
