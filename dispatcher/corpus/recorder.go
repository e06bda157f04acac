package corpus

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/guard"
)

// RecorderConfig configures a Recorder.
type RecorderConfig struct {
	// Writer writes the entries. The Recorder closes it. Required.
	Writer *Writer
	// Options are those of FromResponse. Options.Source is required.
	Options Options
	// Problem receives an error of writing at most once a minute, for example
	// that the disk is full, and separately an error that the queue is full.
	// The Recorder calls it on its own goroutine or on that of the request. By
	// default the Recorder only counts errors.
	Problem func(error)
	// MaxQueue is the maximum number of requests that wait to be written. The
	// default is 256.
	MaxQueue int
}

// Recorder records the requests of a server. It never delays them: it creates
// and writes the entries on its own goroutine, and drops requests while too
// many wait. Entries become readable within a second.
//
//	w, err := corpus.Create("corpus", corpus.Compressed())
//	…
//	r := corpus.NewRecorder(corpus.RecorderConfig{
//		Writer: w, Options: corpus.Options{Source: corpus.FromPlugin},
//	})
//	defer r.Close()
//	plugin.Register(plugins, plugin.WithRecorder(r.Record))
type Recorder struct {
	config RecorderConfig
	queue  chan *admission.Response
	// end is closed by Close, and done when the goroutine has returned.
	end, done chan struct{}
	// closing guards closed, so that the goroutine writes all that Record has queued.
	closing sync.RWMutex
	closed  bool

	recorded, dropped, failed atomic.Int64
	// full and broken are when the problem was reported, in nanoseconds.
	full, broken atomic.Int64
	closeErr     error
}

// NewRecorder returns a Recorder. It panics if config.Writer is nil.
func NewRecorder(config RecorderConfig) *Recorder {
	if config.Writer == nil {
		panic("corpus: RecorderConfig.Writer is required")
	}
	if config.MaxQueue <= 0 {
		config.MaxQueue = 256
	}
	r := &Recorder{
		config: config, queue: make(chan *admission.Response, config.MaxQueue),
		end: make(chan struct{}), done: make(chan struct{}),
	}
	go r.run()
	return r
}

// Counts are the numbers of requests that a Recorder received.
type Counts struct {
	// Recorded counts written requests; in a compressed file, their frame may
	// have failed later. Dropped counts requests that were dropped because the
	// queue was full or the Recorder closed. Failed counts requests that could not be
	// encoded or written.
	Recorded, Dropped, Failed int64
}

// Counts returns the counts. They do not include requests that wait.
func (r *Recorder) Counts() Counts {
	return Counts{r.recorded.Load(), r.dropped.Load(), r.failed.Load()}
}

// errFull is the problem of a request that was left out.
var errFull = errors.New("requests arrive faster than they can be written: some are left out")

// Record records a request, and takes ownership of response. It returns at
// once, also after Close.
func (r *Recorder) Record(response *admission.Response) {
	r.closing.RLock()
	defer r.closing.RUnlock()
	if r.closed {
		r.dropped.Add(1)
		return
	}
	select {
	case r.queue <- response:
	default:
		r.dropped.Add(1)
		r.report(&r.full, errFull)
	}
}

// report reports an error unless one of its sort was reported within the last
// minute.
func (r *Recorder) report(last *atomic.Int64, err error) {
	now, before := time.Now().UnixNano(), last.Load()
	due := err != nil && time.Duration(now-before) >= time.Minute
	if r.config.Problem != nil && due && last.CompareAndSwap(before, now) {
		_ = guard.Do(func() { r.config.Problem(err) })
	}
}

// Close writes the requests that wait, and closes the Writer. The Recorder
// drops requests that arrive later.
func (r *Recorder) Close() error {
	r.closing.Lock()
	if !r.closed {
		r.closed = true
		close(r.end)
	}
	r.closing.Unlock()
	<-r.done
	return r.closeErr
}

func (r *Recorder) run() {
	defer close(r.done)
	flush := time.NewTicker(time.Second)
	defer flush.Stop()
	for {
		select {
		case response := <-r.queue:
			r.write(response)
		case <-flush.C:
			r.report(&r.broken, r.config.Writer.Flush())
		case <-r.end:
			for {
				select {
				case response := <-r.queue:
					r.write(response)
					continue
				default:
				}
				r.closeErr = r.config.Writer.Close()
				return
			}
		}
	}
}

// write writes an entry. The objects of a response may be of the embedder's types.
func (r *Recorder) write(response *admission.Response) {
	err := guard.Call(func() error {
		e, err := FromResponse(response, r.config.Options)
		if err != nil {
			return err
		}
		return r.config.Writer.Write(e)
	})
	if err == nil {
		r.recorded.Add(1)
		return
	}
	r.failed.Add(1)
	r.report(&r.broken, err)
}
