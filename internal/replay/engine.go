package replay

import (
	"context"
	"crypto/sha256"
	"sync/atomic"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/dispatcher/policy"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
)

// Options are the inputs of an Engine.
type Options struct {
	// Session describes the cluster, and how webhooks are called: -f, --resolve,
	// --inject and the like. New sets Optional, Stub and Namespaces. Required.
	Session *session.Options
	// RecordedAnswers makes webhooks answer as the entries say, unless
	// Session.Resolve has their address. By default they are called.
	RecordedAnswers bool
	// RecordedNamespaces prefers the labels of namespaces in the entries to those
	// in the inputs. By default it is the other way round, so that a Namespace with
	// other labels can be tried.
	RecordedNamespaces bool
	// Cluster has the Services that webhooks are called by, unless Session.Resolve has
	// their addresses. All requests are dry runs then. By default webhooks are called as
	// Session says, and requests are what they are. RecordedAnswers must not be set.
	Cluster Cluster
	// Unexplained says that no result is explained, which saves time: the values of
	// the expressions of policies are not kept.
	Unexplained bool
}

// Engine admits entries. It is safe for concurrent use. The caller must close it.
type Engine struct {
	session     *session.Session
	cluster     Cluster // nil for none
	unexplained bool
}

// New returns an Engine. The errors are those of session.Prepare, or a
// message.InputError about webhooks that must not be called in a cluster.
func New(o *Options) (*Engine, error) {
	s := *o.Session
	s.Optional = true
	s.Namespaces = session.NamespacesOf(recordedNamespace, o.RecordedNamespaces)
	if o.RecordedAnswers {
		s.Stub = recordedAnswer
	}
	if o.Cluster != nil {
		s.Forward, s.Stub = o.Cluster.Dial, refuseConnect
	}
	prepared, err := session.Prepare(&s)
	if err != nil {
		return nil, err
	}
	e := &Engine{prepared, o.Cluster, o.Unexplained}
	if o.Cluster != nil {
		if err := checkSideEffects(prepared.All()); err != nil {
			e.Close()
			return nil, err
		}
	}
	return e, nil
}

// Session returns the session that admits the requests.
func (e *Engine) Session() *session.Session { return e.session }

// Close closes connections and stops fault servers.
func (e *Engine) Close() { e.session.Close() }

// visit is an entry that is admitted. It is in the context.
type visit struct {
	entry *corpus.Entry
	// request is that of the review.
	request *admission.Request
	// answered are the calls with recorded answers.
	answered answered
	// refused is why a webhook must not be called; nil if all may.
	refused atomic.Pointer[refusedError]
}

type visitKey struct{}

// visitOf returns the visit in the context of a call.
func visitOf(ctx context.Context) *visit {
	v, _ := ctx.Value(visitKey{}).(*visit)
	return v
}

// Admit admits the request of an entry, which it does not change. The second result
// is for explanations; it is nil if the request could not be simulated, which is no
// error: Result.Error says why. The error is that of ctx or of the cluster.
func (e *Engine) Admit(
	ctx context.Context, entry *corpus.Entry,
) (*Result, *session.Result, error) {
	v := &visit{entry: entry}
	var admitted *session.Result
	err := guard.Call(func() (err error) {
		if v.request, err = request.FromReview(entry.Review, e.session.Objects()); err != nil {
			return err
		}
		v.request.NameSuffix = nameSuffix(entry.ID)
		if e.cluster != nil {
			makeDryRun(v.request)
		}
		running := context.WithValue(ctx, visitKey{}, v)
		if e.unexplained {
			running = policy.WithoutValues(running)
		}
		admitted, err = e.session.AdmitRequest(running, v.request)
		return err
	})
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err() // only that denied the request
	case e.cluster != nil && e.cluster.Err() != nil:
		return nil, nil, &message.InputError{Err: e.cluster.Err()} // likewise
	case v.refused.Load() != nil:
		return failed(entry, v.refused.Load()), nil, nil
	case err != nil:
		return failed(entry, err), nil, nil
	}
	result, err := v.result(admitted)
	if err != nil {
		return failed(entry, err), nil, nil
	}
	return result, admitted, nil
}

// nameSuffix returns the five characters that end a generated name. An API server
// draws them from the same ones.
func nameSuffix(id string) string {
	const characters = "bcdfghjklmnpqrstvwxz2456789"
	sum := sha256.Sum256([]byte(id))
	suffix := make([]byte, 5)
	for i := range suffix {
		suffix[i] = characters[int(sum[i])%len(characters)]
	}
	return string(suffix)
}
