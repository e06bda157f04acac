package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/transport"

	"example.com/gatehouse/internal/engine/guard"
)

const (
	// certificateCheck is how long a renewed client certificate may go unnoticed if
	// no connection is opened. client-go reads token files at this interval, and
	// certificates every five minutes.
	certificateCheck = time.Minute
	// certificateRetry is when files that could not be read are read again. They may
	// be in the middle of a renewal.
	certificateRetry = time.Second
	// certificateWait is how long a call waits for the files, whose volume may hang.
	// It can do with the certificate that was read before.
	certificateWait = 100 * time.Millisecond
)

// clientCertificate is the client certificate of an endpoint, in two files. Each
// handshake reads them. The connections of an endpoint all show the certificate
// that the files had when the endpoint was created: when they have another one,
// the client replaces the endpoint.
//
// client-go watches such files on a goroutine that ends when the garbage
// collector finds its transport, which is later than closing the endpoint. It
// then closes all connections, and the calls on them fail.
type clientCertificate struct {
	certFile, keyFile string
	// cert and key are what the files contained first.
	cert, key []byte
	// renewed never becomes false again.
	renewed atomic.Bool

	// mu is held while the files are read without a handshake.
	mu sync.Mutex
	// next is when that happens next. Guarded by mu.
	next time.Time
}

// newClientCertificate makes TLS read the files of a client certificate, if c
// has any, at each handshake. A missing file is an error of the endpoint, a file
// without a certificate one of the handshake, both with client-go's texts. As in
// client-go, data takes precedence over files.
func newClientCertificate(c *transport.TLSConfig) (*clientCertificate, error) {
	if c.CertFile == "" || c.KeyFile == "" || len(c.CertData) > 0 || len(c.KeyData) > 0 {
		return nil, nil
	}
	files := &clientCertificate{
		certFile: c.CertFile, keyFile: c.KeyFile, next: time.Now().Add(certificateCheck),
	}
	var err error
	if files.cert, files.key, err = files.read(); err != nil {
		return nil, err
	}
	c.CertFile, c.KeyFile = "", ""
	c.GetCertHolder = &transport.GetCertHolder{GetCert: files.load}
	return files, nil
}

func (c *clientCertificate) read() (cert, key []byte, err error) {
	if cert, err = os.ReadFile(c.certFile); err != nil {
		return nil, nil, err
	}
	key, err = os.ReadFile(c.keyFile)
	return cert, key, err
}

// load returns the certificate that the files contain now. One that has been
// written in part is an error.
func (c *clientCertificate) load() (*tls.Certificate, error) {
	cert, key, err := c.read()
	if err != nil {
		return nil, markLocal(err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, markLocal(err)
	}
	if !bytes.Equal(cert, c.cert) || !bytes.Equal(key, c.key) {
		c.renewed.Store(true)
	}
	return &pair, nil
}

// wasRenewed reports whether the files contain another certificate than at
// first. It reads them if the last time is certificateCheck ago, or
// certificateRetry if they could not be read. Meanwhile, and if that takes longer
// than certificateWait or ctx, the first certificate remains in use.
func (c *clientCertificate) wasRenewed(ctx context.Context) bool {
	if c == nil {
		return false
	}
	if c.renewed.Load() || !c.mu.TryLock() {
		return c.renewed.Load()
	}
	if time.Now().Before(c.next) {
		c.mu.Unlock()
		return c.renewed.Load()
	}
	ctx, cancel := context.WithTimeout(ctx, certificateWait)
	defer cancel()
	_, _ = guard.Detached(ctx, func() (*tls.Certificate, error) {
		defer c.mu.Unlock()
		certificate, err := c.load()
		wait := certificateCheck
		if err != nil {
			wait = certificateRetry
		}
		c.next = time.Now().Add(wait)
		return certificate, err
	}, nil)
	return c.renewed.Load()
}
