package etcd_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"

	"example.com/gatehouse/internal/apiserver/etcd"
	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

func TestMain(m *testing.M) { leaktest.Main(m) }

func start(t *testing.T, folder string) *etcd.Server {
	t.Helper()
	server, err := etcd.Start(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, server) })
	return server
}

func stop(t *testing.T, server *etcd.Server) {
	t.Helper()
	if err := server.Stop(); err != nil {
		t.Error(err)
	}
}

func connect(t *testing.T, server *etcd.Server) *clientv3.Client {
	t.Helper()
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{server.Endpoint()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// value returns what a server has under the key that put writes; "" is nothing.
func value(t *testing.T, server *etcd.Server) string {
	t.Helper()
	answer, err := connect(t, server).Get(t.Context(), "key")
	if err != nil {
		t.Fatal(err)
	}
	if len(answer.Kvs) == 0 {
		return ""
	}
	return string(answer.Kvs[0].Value)
}

func put(t *testing.T, server *etcd.Server, value string) {
	t.Helper()
	if _, err := connect(t, server).Put(t.Context(), "key", value); err != nil {
		t.Fatal(err)
	}
}

func TestServersAreApart(t *testing.T) {
	t.Parallel()
	a, b := start(t, ""), start(t, "")
	put(t, a, "a")
	put(t, b, "b")
	if got := value(t, a) + value(t, b); got != "ab" {
		t.Errorf("got %q, want %q", got, "ab")
	}
}

func TestDataOutlivesTheServer(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "not", "there", "yet")
	first := start(t, folder)
	put(t, first, "kept")
	stop(t, first)
	if got := value(t, start(t, folder)); got != "kept" {
		t.Errorf("got %q, want %q", got, "kept")
	}
}

func TestTemporaryFilesAreRemoved(t *testing.T) {
	t.Parallel()
	server := start(t, "")
	folder := filepath.Dir(strings.TrimPrefix(server.Endpoint(), "unix://"))
	info, err := os.Stat(folder)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != 0o700 {
		t.Errorf("the sockets' folder has mode %o, want 700", got)
	}
	stop(t, server)
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("%s is still there after Stop: %v", folder, err)
	}
}

func TestStartErrors(t *testing.T) {
	t.Parallel()
	t.Run("in use", func(t *testing.T) {
		t.Parallel()
		folder := t.TempDir()
		start(t, folder)
		rejected(t, t.Context(), folder, "the data in "+folder+" is in use by another server")
	})
	t.Run("file in the way", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		rejected(t, t.Context(), filepath.Join(file, "data"), "creating the data folder")
	})
	t.Run("context has ended", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(os.ErrDeadlineExceeded)
		rejected(t, ctx, "", os.ErrDeadlineExceeded.Error())
	})
}

// TestDamage: Start detects damaged data before etcd would end the process.
func TestDamage(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		file   string
		damage func(content []byte) []byte
		want   string
	}
	const database, log = "member/snap/db", "member/wal/0000000000000000-0000000000000000.wal"
	garbage := func(from, to int) func([]byte) []byte {
		return func(content []byte) []byte {
			for i := range content[from:to] {
				content[from+i] = byte(i*i>>3 + 1)
			}
			return content
		}
	}
	testtable.Run(t, []test{
		{row{"no database", "something else has been put there"}, database, garbage(0, 20000), "opening FILE: invalid database"},
		{row{"pages", "the first ones look well"}, database, garbage(2*4096, 20*4096), "FILE is damaged: assertion failed: Page expected to be: "},
		{row{"cut", "a disk was full"}, database, func(content []byte) []byte { return content[:12000] }, "FILE is damaged: 12000 of "},
		{row{"garbage in the log", "it is read next"}, log, garbage(0, 40000), "member/wal is damaged: "},
		{row{"amid the log", "the checksum is wrong"}, log, garbage(60, 80), "member/wal is damaged: "},
		{row{"empty log", "it has to begin with something"}, log, func([]byte) []byte { return nil }, "member/wal is damaged: "},
	}, func(t *testing.T, r test) {
		folder := t.TempDir()
		first := start(t, folder)
		put(t, first, "kept")
		stop(t, first)
		file := filepath.Join(folder, filepath.FromSlash(r.file))
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, r.damage(content), 0o600); err != nil {
			t.Fatal(err)
		}
		rejected(t, t.Context(), folder, strings.ReplaceAll(r.want, "FILE", file))
	})
}

func rejected(t *testing.T, ctx context.Context, folder, want string) {
	t.Helper()
	server, err := etcd.Start(ctx, folder)
	if err == nil {
		stop(t, server)
		t.Fatal("it has started")
	}
	if !strings.HasPrefix(err.Error(), "starting etcd: ") || !strings.Contains(err.Error(), want) {
		t.Errorf("got %q, want one that contains %q", err, want)
	}
}
