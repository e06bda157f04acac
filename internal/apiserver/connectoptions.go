package apiserver

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
)

// addConnectOptions teaches a scheme to read the queries of CONNECT requests,
// which are what admission sees of them.
func addConnectOptions(scheme *runtime.Scheme) error {
	for _, add := range []func(*runtime.Scheme) error{
		reading(func(q query, o *corev1.PodExecOptions) {
			o.Stdin, o.Stdout, o.Stderr, o.TTY = q.yes("stdin"), q.yes("stdout"), q.yes("stderr"), q.yes("tty")
			o.Container, o.Command = q.text("container"), q.values["command"]
		}),
		reading(func(q query, o *corev1.PodAttachOptions) {
			o.Stdin, o.Stdout, o.Stderr, o.TTY = q.yes("stdin"), q.yes("stdout"), q.yes("stderr"), q.yes("tty")
			o.Container = q.text("container")
		}),
		reading(func(q query, o *corev1.PodPortForwardOptions) { o.Ports = q.numbers("ports") }),
		reading(func(q query, o *corev1.PodProxyOptions) { o.Path = q.text("path") }),
		reading(func(q query, o *corev1.ServiceProxyOptions) { o.Path = q.text("path") }),
		reading(func(q query, o *corev1.NodeProxyOptions) { o.Path = q.text("path") }),
	} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	return nil
}

func reading[T any, P object[T]](read func(query, P)) func(*runtime.Scheme) error {
	return func(scheme *runtime.Scheme) error {
		return scheme.AddConversionFunc((*url.Values)(nil), P(nil), func(from, to any, _ conversion.Scope) error {
			var wrong error
			read(query{*from.(*url.Values), &wrong}, to.(P))
			return wrong
		})
	}
}

// query reads parameters, each of which may be missing. wrong is the last that
// could not be read.
type query struct {
	values url.Values
	wrong  *error
}

func (q query) text(key string) string { return q.values.Get(key) }

// Compat: whatever is not clearly a no is a yes, even nothing after "tty=".
func (q query) yes(key string) bool {
	values := q.values[key]
	return len(values) > 0 && values[0] != "0" && !strings.EqualFold(values[0], "false")
}

func (q query) numbers(key string) []int32 {
	var numbers []int32
	for _, value := range q.values[key] {
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			*q.wrong = fmt.Errorf("reading %s: %w", key, err)
			return nil
		}
		numbers = append(numbers, int32(n))
	}
	return numbers
}
