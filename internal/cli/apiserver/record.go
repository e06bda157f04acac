package apiserver

import (
	"fmt"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/message"
)

// maxFile is the size of a file of the corpus, in bytes. Those that are full can
// be compressed or moved away while the server runs.
const maxFile = 256 << 20

// recorder returns the recorder of --record; nil without the flag.
func (i *invocation) recorder() (*corpus.Recorder, error) {
	if i.Recording.Folder == "" {
		return nil, nil
	}
	w, err := corpus.Create(i.Recording.Folder, corpus.RotateAt(maxFile))
	if err != nil {
		return nil, fmt.Errorf("--record: %w", err)
	}
	return corpus.NewRecorder(corpus.RecorderConfig{
		Writer:  w,
		Options: corpus.Options{Source: corpus.FromServe, Redact: i.Recording.Redact},
		Problem: func(err error) { message.Notice(i.stderr, "--record: %v", err) },
	}), nil
}

// stopRecording writes what is left, and says what is missing.
func (i *invocation) stopRecording(recorder *corpus.Recorder) error {
	if recorder == nil {
		return nil
	}
	err := recorder.Close()
	if counts := recorder.Counts(); counts.Dropped+counts.Failed > 0 {
		message.Notice(i.stderr, "--record: %d requests were recorded, %d left out, %d failed",
			counts.Recorded, counts.Dropped, counts.Failed)
	}
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	return nil
}
