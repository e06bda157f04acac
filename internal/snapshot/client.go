package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/kubeclient"
)

const (
	// pageSize is how many objects an answer has. CustomResourceDefinitions are large.
	pageSize = 250
	// restarts is how often a list is read again that has expired in the middle, before it
	// is read in one answer, which cannot expire.
	restarts = 3
	// maxAnswer bounds an answer in bytes: a page of objects of 1 MiB.
	maxAnswer = pageSize << 20
)

// client reads from an API server, by GET only.
type client struct {
	rest rest.Interface
	http *http.Client
	// served has the resources of the group versions that were asked for.
	served map[schema.GroupVersion][]metav1.APIResource
}

func newClient(config *rest.Config, answerLimit int64) (*client, error) {
	// Warnings are dropped: older versions are read where there are no others.
	config, own, err := kubeclient.New(config, func(base http.RoundTripper) http.RoundTripper {
		return limited{base, answerLimit}
	})
	if err != nil {
		return nil, err
	}
	c, err := rest.UnversionedRESTClientForConfigAndClient(config, own)
	if err != nil {
		return nil, err
	}
	return &client{c, own, map[schema.GroupVersion][]metav1.APIResource{}}, nil
}

func (c *client) close() { c.http.CloseIdleConnections() }

// get reads a document. No error quotes it, because it may be a Secret.
func (c *client) get(ctx context.Context, path string, query url.Values, into any) error {
	request := c.rest.Get().AbsPath(path)
	for name, values := range query {
		request.Param(name, values[0])
	}
	contentType := ""
	result := request.Do(ctx).ContentType(&contentType)
	if err := result.Error(); err != nil {
		return err
	}
	if media, _, err := mime.ParseMediaType(contentType); err != nil || media != "application/json" {
		return fmt.Errorf("the answer is %q and not application/json: is this an API server?", contentType)
	}
	text, err := result.Raw()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return errors.New("the answer is not the JSON of an API server")
	}
	return nil
}

// resources returns the resources of a group version; none if the server does not serve
// it.
func (c *client) resources(
	ctx context.Context, gv schema.GroupVersion,
) ([]metav1.APIResource, error) {
	if known, ok := c.served[gv]; ok {
		return known, nil
	}
	var list metav1.APIResourceList
	err := c.get(ctx, root(gv), nil, &list)
	switch {
	case apierrors.IsNotFound(err):
	case err != nil:
		return nil, err
	case list.Kind != "APIResourceList":
		return nil, fmt.Errorf("the answer is a %q and not an APIResourceList: is this an API server?", list.Kind)
	}
	c.served[gv] = list.APIResources
	return list.APIResources, nil
}

func root(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return "/api/" + gv.Version
	}
	return "/apis/" + gv.String()
}

// target is a collection of objects, or a part of it.
type target struct {
	schema.GroupVersionResource
	kind string
	// namespace is empty for all namespaces, and for what is in none.
	namespace string
	// name and selector restrict the objects; empty if they do not.
	name, selector string
}

func (t *target) path() string {
	path := root(t.GroupVersion())
	if t.namespace != "" {
		path += "/namespaces/" + t.namespace
	}
	return path + "/" + t.Resource
}

// list is a page of objects.
type list struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        metav1.ListMeta  `json:"metadata"`
	Items           []map[string]any `json:"items"`
}

// list reads a collection in pages. It begins anew if the collection has changed too much
// in the meantime, and calls begin first each time.
func (c *client) list(
	ctx context.Context, t *target, begin func(), page func([]map[string]any) error,
) error {
	for range restarts {
		begin()
		err := c.pages(ctx, t, pageSize, page)
		if !apierrors.IsResourceExpired(err) && !apierrors.IsGone(err) {
			return err
		}
	}
	begin()
	return c.pages(ctx, t, 0, page)
}

// pages reads the pages of a collection. A size of 0 stands for a single page.
func (c *client) pages(
	ctx context.Context, t *target, size int, page func([]map[string]any) error,
) error {
	query := url.Values{}
	if size > 0 {
		query.Set("limit", strconv.Itoa(size))
	}
	if t.name != "" {
		query.Set("fieldSelector", "metadata.name="+t.name)
	}
	if t.selector != "" {
		query.Set("labelSelector", t.selector)
	}
	for {
		var l list
		if err := c.get(ctx, t.path(), query, &l); err != nil {
			return err
		}
		if l.Kind != t.kind+"List" {
			return fmt.Errorf("the answer is a %q and not a %sList: is this an API server?", l.Kind, t.kind)
		}
		if err := page(l.Items); err != nil {
			return err
		}
		switch l.Metadata.Continue {
		case "":
			return nil
		case query.Get("continue"):
			return errors.New("the answer is the same page again")
		}
		query.Set("continue", l.Metadata.Continue)
	}
}

// limited bounds answers, also those of errors. They may be compressed.
type limited struct {
	base  http.RoundTripper
	bytes int64
}

// RoundTrip implements http.RoundTripper.
func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.base.RoundTrip(r)
	if err == nil {
		answer.Body = &limitedBody{answer.Body, l.bytes, l.bytes}
	}
	return answer, err
}

type limitedBody struct {
	io.ReadCloser
	left, limit int64
}

// Read fails when the limit is exceeded.
func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, &tooLargeError{b.limit}
	}
	return n, err
}

type tooLargeError struct{ limit int64 }

// Error returns the limit.
func (e *tooLargeError) Error() string {
	return fmt.Sprintf("the answer is larger than %d MiB", e.limit>>20)
}

// plain returns an error of the API server or of the connection in one line, without what
// clients add to it.
func plain(err error) error {
	var tooLarge *tooLargeError
	if errors.As(err, &tooLarge) {
		return tooLarge
	}
	return errors.New(cut(strings.Join(strings.Fields(err.Error()), " ")))
}

// longest is how long the text of an error may be, which the server writes.
const longest = 1000

func cut(text string) string {
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
