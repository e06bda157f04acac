// Command corpora writes a corpus of any size, and the manifests of the cluster in
// which it was recorded, to measure replays with:
//
//	go run ./test/internal/corpora -n 1000000 -o /tmp/corpus -f /tmp/cluster.yaml
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/testutil/replaytest"
)

func main() {
	n := flag.Int("n", 1000, "number of `requests`")
	folder := flag.String("o", "", "`folder` of the corpus")
	manifests := flag.String("f", "", "`file` for the manifests")
	called := flag.Int("called", 5, "how many of the 20 webhooks and of the 20 policies see the requests")
	compressed := flag.Bool("zstd", false, "compress the corpus")
	flag.Parse()
	cluster := replaytest.Manifests(*called)
	err := os.WriteFile(*manifests, []byte(cluster), 0o600)
	if err == nil {
		err = write(context.Background(), cluster, *folder, *n, *compressed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "corpora:", err)
		os.Exit(1)
	}
}

func write(ctx context.Context, cluster, folder string, n int, compressed bool) error {
	entries, err := replaytest.Entries(ctx, cluster, n)
	if err != nil {
		return err
	}
	var options []corpus.WriterOption
	if compressed {
		options = append(options, corpus.Compressed())
	}
	w, err := corpus.Create(folder, options...)
	if err != nil {
		return err
	}
	for e := range entries {
		if err := w.Write(e); err != nil {
			return errors.Join(err, w.Close())
		}
	}
	return w.Close()
}
