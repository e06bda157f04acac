package report

import (
	"fmt"
	"io"
)

// WriteRequests writes the page that lists the last requests of a server and
// follows the list. Its script gets the list as JSON (package
// internal/apiserver/requests) from the address of the page, and opens a request
// at ADDRESS/ID. It returns the writer's error.
func WriteRequests(w io.Writer) error {
	page, err := requestsFiles().render(pageData{})
	if err != nil {
		return fmt.Errorf("cannot make the page of requests: %w", err)
	}
	_, err = w.Write(page)
	return err
}
