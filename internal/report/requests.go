package report

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
)

// WriteRequests writes the page that lists the last requests of a server and
// follows the list. Its script gets the list as JSON (package
// internal/apiserver/requests) from the address of the page, and opens a request
// at ADDRESS/ID. It returns the writer's error.
func WriteRequests(w io.Writer) error {
	a, err := readAssets(requestsFiles())
	if err != nil {
		return fmt.Errorf("cannot make the page of requests: %w", err)
	}
	var page bytes.Buffer
	err = a.page.Execute(&page, pageData{
		Policy: a.contentSecurityPolicy(),
		Style:  template.CSS(a.style),
		Script: template.JS(a.script),
	})
	if err != nil {
		return fmt.Errorf("cannot make the page of requests: %w", err)
	}
	_, err = page.WriteTo(w)
	return err
}
