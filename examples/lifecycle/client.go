package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

// client asks a backend, such as the API server or a registry.
type client struct{ address string }

// consult asks the backend, unless there is none.
func (c *client) consult(ctx context.Context) error {
	if c.address == "" {
		return nil
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.address+"/", nil)
	if err != nil {
		return fmt.Errorf("asking the backend: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("asking the backend: %w", err)
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}
