package client

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/transport"
	"k8s.io/klog/v2"

	"example.com/gatehouse/internal/testutil/testtable"
)

type quietRow struct {
	row
	config transport.Config
}

// TestQuietTransport compares chains with client-go's, which log at this
// verbosity. The test is not parallel, because klog is global.
func TestQuietTransport(t *testing.T) {
	defer klog.CaptureState().Restore()
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	if err := flags.Set("v", "6"); err != nil {
		t.Fatal(err)
	}
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("t"), 0o600); err != nil {
		t.Fatal(err)
	}
	someone := transport.ImpersonationConfig{UserName: "kim"}
	wrap := func(next http.RoundTripper) http.RoundTripper { return gunzipTransport{wrapper{next}} }
	rows := []quietRow{
		{row{"nothing", "a webhook without credentials"}, transport.Config{}},
		{row{"token", "these layers are outside the logging one"}, transport.Config{BearerToken: "t", UserAgent: "a", Impersonate: someone}},
		{row{"token file", "the file is read repeatedly"}, transport.Config{BearerTokenFile: token}},
		{row{"no token file", "an error when the chain is built"}, transport.Config{BearerTokenFile: token + "x"}},
		{row{"password", "basic authentication"}, transport.Config{Username: "kim", Password: "p", WrapTransport: wrap}},
		{row{"both", "only one of them is permitted"}, transport.Config{Username: "kim", BearerToken: "t"}},
		{row{"groups", "impersonation has several parts"}, transport.Config{Impersonate: transport.ImpersonationConfig{Groups: []string{"g"}}}},
		{row{"UID", "likewise"}, transport.Config{Impersonate: transport.ImpersonationConfig{UID: "u"}}},
		{row{"extra", "likewise"}, transport.Config{Impersonate: transport.ImpersonationConfig{Extra: map[string][]string{"a": nil}}}},
		{row{"transport", "a transport of the embedder"}, transport.Config{Transport: roundTrip(nil), WrapTransport: wrap, UserAgent: "a"}},
		{row{"bad authority", "an error of the inner layers"}, transport.Config{TLS: transport.TLSConfig{CAData: []byte("x")}, UserAgent: "a"}},
	}
	for _, r := range testtable.Checked(t, rows) {
		t.Run(r.Name(), func(t *testing.T) { checkQuietTransport(t, &r.config) })
	}
}

func checkQuietTransport(t *testing.T, config *transport.Config) {
	t.Helper()
	upstream, upstreamErr := transport.New(config)
	got, err := newQuietTransport(config)
	logs := fmt.Sprint(reflect.TypeOf(transport.NewDebuggingRoundTripper(nil)))
	before := layers(upstream)
	want := slices.DeleteFunc(slices.Clone(before), func(layer string) bool { return layer == logs })
	if upstreamErr == nil && len(want) != len(before)-1 {
		t.Errorf("client-go does not log: its chain is %q", before)
	}
	if diff := cmp.Diff(want, layers(got)); diff != "" || testtable.Text(err) != testtable.Text(upstreamErr) {
		t.Errorf("error %v, want %v; chain (-want +got):\n%s", err, upstreamErr, diff)
	}
}

// layers returns the types of the round trippers of a chain, the outermost
// first.
func layers(rt http.RoundTripper) []string {
	var types []string
	for rt != nil {
		types = append(types, fmt.Sprintf("%T", rt))
		wrapper, ok := rt.(utilnet.RoundTripperWrapper)
		if !ok {
			break
		}
		rt = wrapper.WrappedRoundTripper()
	}
	return types
}
