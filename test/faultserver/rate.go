package faultserver

import (
	"io"
	"time"
)

// paced writes at a pace.
type paced struct {
	w      io.Writer
	pace   Pace
	sleep  func(time.Duration) error
	offset int // of the next byte
}

// at returns a writer with that pace, or w itself without one.
func (p *Pace) at(w io.Writer, sleep func(time.Duration) error) io.Writer {
	if p == nil {
		return w
	}
	return &paced{w: w, pace: *p, sleep: sleep}
}

func (p *paced) Write(data []byte) (int, error) {
	written := 0
	for written < len(data) {
		n, pause := p.next(len(data) - written)
		if _, err := p.w.Write(data[written : written+n]); err != nil {
			return written, err
		}
		written += n
		p.offset += n
		if err := p.sleep(pause); err != nil {
			return written, err
		}
	}
	return written, nil
}

// ticks is how many times a second a rate writes, if it is large enough.
const ticks = 100

// next says how many of the bytes are written at once, and what follows.
func (p *paced) next(left int) (n int, pause time.Duration) {
	n = left
	if p.pace.Rate > 0 {
		n = min(n, max(1, p.pace.Rate/ticks))
	}
	split := false
	for _, offset := range p.pace.Split {
		if offset > p.offset && offset <= p.offset+n {
			n, split = offset-p.offset, true
			break
		}
	}
	if p.pace.Rate > 0 {
		pause = time.Second * time.Duration(n) / time.Duration(p.pace.Rate)
	}
	if split {
		pause += time.Duration(p.pace.Pause)
	}
	return n, pause
}
