package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// bareRow shows how much of B7/100 is the network's: the same review, which is
// made once, sent by a client that does nothing else.
func bareRow() row {
	const workers = 100
	return row{
		name: "B7/bare", headline: throughput,
		what: fmt.Sprintf("the review of B7/%d, sent as it is by net/http and %d clients at a time",
			workers, workers),
		open: func(ctx context.Context, s *settings) (*bench, error) { return openBare(ctx, s, workers) },
	}
}

func openBare(ctx context.Context, s *settings, workers int) (*bench, error) {
	backend, err := startProcess(ctx)
	if err != nil {
		return nil, err
	}
	body, err := reviewFor(ctx, backend)
	if err != nil {
		backend.close()
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(backend.Bundle)
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots,
			ServerName: "hook-0." + serviceNamespace + ".svc"},
		MaxIdleConnsPerHost: workers, WriteBufferSize: 16 << 10,
	}
	send := func() error {
		r, err := http.NewRequestWithContext(
			ctx,
			http.MethodPost,
			"https://"+backend.Address+"/0",
			bytes.NewReader(body),
		)
		if err != nil {
			return err
		}
		response, err := transport.RoundTrip(r)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		_, err = io.Copy(io.Discard, response.Body)
		return err
	}
	measure := func(context.Context) (sample, error) {
		cpu := cpuTime()
		d, err := drive(workers, s.window, func(int, int) error { return send() })
		cpu = cpuTime() - cpu
		if err != nil {
			return sample{}, err
		}
		n := len(d.latencies)
		return sample{
			n,
			map[unit]float64{
				timePerOp: float64(
					d.elapsed,
				) / float64(
					n,
				),
				throughput: d.throughput(),
				cpuPerOp:   float64(cpu) / float64(n),
			},
		}, nil
	}
	return alone(measure, func() { transport.CloseIdleConnections(); backend.close() }), nil
}

// reviewFor returns the review that gatehouse sends for a pod.
func reviewFor(ctx context.Context, backend *process) ([]byte, error) {
	w := forPods(validatingWebhooks(1, 1, inService(backend.Bundle)), 1)
	p, err := w.openWith(
		ctx,
		func() (route, bodyRecorder) { return route{address: backend.Address}, backend },
	)
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := backend.record(); err != nil {
		return nil, err
	}
	if err := p.lanes[gatehouse].serve(ctx, w.request()); err != nil {
		return nil, err
	}
	taken, err := backend.take()
	for _, bodies := range taken {
		// The uid is the only thing that is not kept; the answer has to fit it.
		return []byte(strings.ReplaceAll(bodies[0], "UID", strings.Repeat("0", uidSize))), err
	}
	return nil, fmt.Errorf("no review was sent: %w", err)
}
