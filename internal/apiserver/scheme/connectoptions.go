package scheme

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
)

// addConnectOptions adds the conversions from url.Values to the options of
// CONNECT requests, which are their object in admission.
func addConnectOptions(scheme *runtime.Scheme) error {
	return errors.Join(
		addQuery(scheme, func(q query, o *corev1.PodExecOptions) {
			o.Stdin, o.Stdout = q.bool("stdin"), q.bool("stdout")
			o.Stderr, o.TTY = q.bool("stderr"), q.bool("tty")
			o.Container, o.Command = q.string("container"), q.values["command"]
		}),
		addQuery(scheme, func(q query, o *corev1.PodAttachOptions) {
			o.Stdin, o.Stdout = q.bool("stdin"), q.bool("stdout")
			o.Stderr, o.TTY = q.bool("stderr"), q.bool("tty")
			o.Container = q.string("container")
		}),
		addQuery(scheme, func(q query, o *corev1.PodPortForwardOptions) { o.Ports = q.int32s("ports") }),
		addQuery(scheme, func(q query, o *corev1.PodProxyOptions) { o.Path = q.string("path") }),
		addQuery(scheme, func(q query, o *corev1.ServiceProxyOptions) { o.Path = q.string("path") }),
		addQuery(scheme, func(q query, o *corev1.NodeProxyOptions) { o.Path = q.string("path") }),
	)
}

func addQuery[T any, P object[T]](scheme *runtime.Scheme, decode func(query, P)) error {
	convert := func(from, to any, _ conversion.Scope) error {
		var err error
		decode(query{*from.(*url.Values), &err}, to.(P))
		return err
	}
	return scheme.AddConversionFunc((*url.Values)(nil), P(nil), convert)
}

// query decodes query parameters. Missing parameters have the zero value. err
// is set if a value is malformed.
type query struct {
	values url.Values
	err    *error
}

func (q query) string(key string) string { return q.values.Get(key) }

// Compat: every value but "0" and "false" is true, even the empty one of
// "tty=".
func (q query) bool(key string) bool {
	values := q.values[key]
	return len(values) > 0 && values[0] != "0" && !strings.EqualFold(values[0], "false")
}

func (q query) int32s(key string) []int32 {
	var numbers []int32
	for _, value := range q.values[key] {
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			*q.err = fmt.Errorf("parsing %s: %w", key, err)
			return nil
		}
		numbers = append(numbers, int32(n))
	}
	return numbers
}
