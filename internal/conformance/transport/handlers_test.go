package transport

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
)

func unavailable(out http.ResponseWriter, _ *http.Request) {
	out.WriteHeader(http.StatusServiceUnavailable)
}

func denying() http.Handler {
	return probetest.Handler(func(_ probe.Review, response map[string]any) { response["allowed"] = false })
}

// when does something else with some requests.
func when(special func(*http.Request) bool, do http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if special(r) {
			do(out, r)
			return
		}
		probetest.Good().ServeHTTP(out, r)
	})
}

// timed does something else if it is told one timeout.
func timed(timeout string, do http.HandlerFunc) http.Handler {
	return when(func(r *http.Request) bool { return r.URL.Query().Get("timeout") == timeout }, do)
}

func without1() http.Handler {
	return when(func(r *http.Request) bool { return r.ProtoMajor == 1 }, unavailable)
}

func without2() http.Handler {
	return when(func(r *http.Request) bool { return r.ProtoMajor == 2 }, unavailable)
}

// breaking cuts the connection under the second review.
func breaking() http.Handler {
	var n atomic.Int64
	return when(func(*http.Request) bool { return n.Add(1) > 1 }, func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	})
}

func uidOf(uid string) http.Handler {
	return probetest.Handler(func(_ probe.Review, response map[string]any) { response["uid"] = uid })
}

// previous answers with the uid of the review before.
func previous() http.Handler {
	var last atomic.Value
	return probetest.Handler(func(review probe.Review, response map[string]any) {
		response["uid"], _ = last.Swap(review.UID()).(string)
	})
}

// sharing answers all reviews of a crowd with the uid of the first one.
func sharing() http.Handler {
	var mu sync.Mutex
	var shared any
	inCrowd := crowd()
	return probetest.Handler(func(review probe.Review, response map[string]any) {
		if !inCrowd(review) {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		shared = cmp.Or(shared, any(review.UID()))
		response["uid"] = shared
	})
}

// crowd returns a function that reports whether a review is one of a crowd: it
// has another uid than the first review, as those that are sent alone have not.
func crowd() func(probe.Review) bool {
	var mu sync.Mutex
	alone := map[string]string{}
	return func(review probe.Review) bool {
		mu.Lock()
		defer mu.Unlock()
		operation := review.Operation()
		alone[operation] = cmp.Or(alone[operation], review.UID())
		return alone[operation] != review.UID()
	}
}

// crowded does something else with the reviews of the first crowd, but the
// first few.
func crowded(few int64, do http.HandlerFunc) http.Handler {
	var n atomic.Int64
	inCrowd := crowd()
	return reading(func(review probe.Review) bool {
		if !inCrowd(review) {
			return false
		}
		i := n.Add(1)
		return i > few && i <= reviewsAtOnce
	}, do, probetest.Good())
}

// judging denies the reviews that denied selects, and says which they are.
func judging(denied func(probe.Review) bool) func(probe.Review, map[string]any) {
	return func(review probe.Review, response map[string]any) {
		response["allowed"] = !denied(review)
		if denied(review) {
			response["status"] = map[string]any{"code": 403, "message": review.Operation() + " is denied"}
		}
	}
}

// holding answers each review of a crowd as it should have answered the review
// before: what every package variable does that is read too late.
func holding(answer func(probe.Review, map[string]any)) http.Handler {
	var mu sync.Mutex
	var last probe.Review
	inCrowd := crowd()
	return probetest.Handler(func(review probe.Review, response map[string]any) {
		mu.Lock()
		defer mu.Unlock()
		if last == nil || !inCrowd(review) {
			last = review
		}
		answer(last, response)
		last = review
	})
}

// from does something else from the first review of a crowd on.
func from(do func(review probe.Review, response map[string]any)) http.Handler {
	var begun atomic.Bool
	inCrowd := crowd()
	return probetest.Handler(func(review probe.Review, response map[string]any) {
		if inCrowd(review) {
			begun.Store(true)
		}
		if begun.Load() {
			do(review, response)
		}
	})
}

// labelling patches the operation into a label.
func labelling(review probe.Review, response map[string]any) {
	response["patchType"] = "JSONPatch"
	response["patch"] = fmt.Appendf(nil, `[{"op":"add","path":"/metadata/labels/operation","value":%q}]`, review.Operation())
}

// shuffling sends the same operations in another order every few times.
func shuffling() http.Handler {
	var n atomic.Int64
	const one, other = `{"op":"add","path":"/metadata/labels/a","value":"a"}`, `{"op":"add","path":"/metadata/labels/b","value":"b"}`
	return probetest.Handler(func(_ probe.Review, response map[string]any) {
		response["patchType"], response["patch"] = "JSONPatch", []byte("["+one+","+other+"]")
		if n.Add(1)%4 == 0 {
			response["patch"] = []byte("[" + other + "," + one + "]")
		}
	})
}

// counting warns of something that is another thing each time.
func counting() http.Handler {
	var n atomic.Int64
	return probetest.Handler(func(_ probe.Review, response map[string]any) {
		response["warnings"] = []any{fmt.Sprint(n.Add(1))}
	})
}

// together answers when the whole crowd is there.
func together() http.Handler {
	var missing sync.WaitGroup
	missing.Add(reviewsAtOnce)
	return crowded(0, func(out http.ResponseWriter, r *http.Request) {
		missing.Done()
		missing.Wait()
		probetest.Good().ServeHTTP(out, r)
	})
}

// upTo reads no more than n bytes.
func upTo(n int64) http.Handler {
	return limited(n, func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusRequestEntityTooLarge) })
}

// upToOrNo reads no more than n bytes, and denies what has more.
func upToOrNo(n int64) http.Handler { return limited(n, no("too large")) }

// limited does something else if a body has more than n bytes.
func limited(n int64, do http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(out, r.Body, n))
		if err != nil {
			do(out, r)
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		probetest.Good().ServeHTTP(out, r)
	})
}

// no denies without looking, as libraries do with what they cannot read.
func no(message string) http.HandlerFunc {
	return func(out http.ResponseWriter, _ *http.Request) {
		probetest.Write(out, map[string]any{"response": map[string]any{
			"allowed": false, "status": map[string]any{"code": 413, "message": message},
		}})
	}
}

func busy(out http.ResponseWriter, r *http.Request) { no("busy")(out, r) }

// creationsDenied denies what is created, and leaves everything else to
// another.
func creationsDenied(next http.Handler) http.Handler {
	return reading(isCreate, no("not allowed"), next)
}

// unpadded denies objects with the annotation that makes them large.
func unpadded() http.Handler {
	return reading(func(review probe.Review) bool {
		_, found, _ := unstructured.NestedString(review.Object(), "metadata", "annotations", padding)
		return found
	}, no("not allowed"), probetest.Good())
}

func isCreate(review probe.Review) bool { return review.Operation() == "CREATE" }

// reading does something else with some reviews.
func reading(some func(probe.Review) bool, do http.HandlerFunc, next http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var review probe.Review
		r.Body = io.NopCloser(bytes.NewReader(body))
		if json.Unmarshal(body, &review) == nil && some(review) {
			do(out, r)
			return
		}
		next.ServeHTTP(out, r)
	})
}
