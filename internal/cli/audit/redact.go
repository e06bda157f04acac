package audit

import (
	"encoding/json"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/auditlog/loops"
)

// redactLoops hides the values at the paths in the requests of loops.
func redactLoops(all []loops.Loop, paths []explain.Path) error {
	if len(paths) == 0 {
		return nil
	}
	for i := range all {
		if all[i].Request == nil {
			continue
		}
		clean, err := redacted(*all[i].Request, paths)
		if err != nil {
			return err
		}
		all[i].Request = clean
	}
	return nil
}

// reviewed is the part of an AdmissionReview that has the objects of a request.
type reviewed struct {
	Request struct {
		Object    json.RawMessage `json:"object,omitempty"`
		OldObject json.RawMessage `json:"oldObject,omitempty"`
	} `json:"request"`
}

// response is the part of an AdmissionResponse that has a JSON patch.
type response struct {
	Patch []byte `json:"patch"`
}

// redacted returns a request that is redacted as an entry of a corpus is.
func redacted(r loops.Request, paths []explain.Path) (*loops.Request, error) {
	var review reviewed
	review.Request.Object, review.Request.OldObject = r.Object, r.OldObject
	text, err := json.Marshal(review)
	if err != nil {
		return nil, err
	}
	entry := corpus.Entry{Review: text, Verdict: &corpus.Verdict{}}
	isList := r.Patch != nil && r.Patch.Content[0] == '['
	if isList {
		answer, err := json.Marshal(response{r.Patch.Content})
		if err != nil {
			return nil, err
		}
		entry.Answers = []corpus.Answer{{Response: answer}}
	} else if r.Patch != nil {
		entry.Verdict.Object = r.Patch.Content
	}
	entry.Redact(paths...)
	var clean reviewed // the objects of review are those of the event, which has other loops
	if err := json.Unmarshal(entry.Review, &clean); err != nil {
		return nil, err
	}
	r.Object, r.OldObject = clean.Request.Object, clean.Request.OldObject
	if r.Patch == nil {
		return &r, nil
	}
	patch := *r.Patch
	if patch.Content = entry.Verdict.Object; isList {
		var answer response
		if err := json.Unmarshal(entry.Answers[0].Response, &answer); err != nil {
			return nil, err
		}
		patch.Content = answer.Patch
	}
	r.Patch = &patch
	return &r, nil
}
