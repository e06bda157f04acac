package backend

import (
	"crypto/tls"
	"slices"
	"sync"

	"example.com/gatehouse/internal/certs"
)

// keys are the authorities that have signed, and will sign, the server's
// certificates.
type keys struct {
	mu sync.Mutex
	// trusted are the authorities that configurations trust: one, or in between
	// two.
	trusted []*certs.Authority
	issuer  *certs.Issuer
}

// next makes a new authority and has it trusted.
func (k *keys) next() error {
	authority, err := certs.NewAuthority("soak")
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trusted = append(k.trusted, authority)
	return nil
}

// use has the newest authority sign from now on.
func (k *keys) use() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.issuer = k.trusted[len(k.trusted)-1].Issuer()
}

// retire trusts the newest authority alone.
func (k *keys) retire() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trusted = slices.Clone(k.trusted[len(k.trusted)-1:])
}

// bundle returns the authorities that are trusted.
func (k *keys) bundle() []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	var bundle []byte
	for _, authority := range k.trusted {
		bundle = append(bundle, authority.Bundle()...)
	}
	return bundle
}

func (k *keys) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	k.mu.Lock()
	issuer := k.issuer
	k.mu.Unlock()
	return issuer.Certificate(hello)
}

// Announce has configurations trust a new authority besides the one in use.
func (b *Backend) Announce() error { return b.keys.next() }

// Switch has the server use the new authority for connections from now on.
func (b *Backend) Switch() { b.keys.use() }

// Retire has configurations no longer trust the authority that was in use
// before.
func (b *Backend) Retire() { b.keys.retire() }
