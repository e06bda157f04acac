package main

import (
	"context"
	"os/exec"
	"strings"
	"time"
)

// stages maps a package prefix to the stage of a simulation that its time
// counts for. The innermost frame of a known package decides, so that JSON
// encoding counts for the stage that encodes.
func stages() map[string]string {
	const module = "example.com/gatehouse/"
	return map[string]string{
		module + "matching.":               "matching",
		module + "internal/cel.":           "matching",
		module + "internal/engine/review.": "encoding",
		module + "internal/engine/patch.":  "patching",
		module + "dispatcher/client.":      "calling",
		"main.(*handler).":                 "calling",
		module + "dispatcher.":             "dispatching",
		module + "reinvocation.":           "dispatching",
		"runtime.gcBgMarkWorker":           "collecting",
		"runtime.bgsweep":                  "collecting",
		"runtime.bgscavenge":               "collecting",
	}
}

const otherStage = "other"

// split returns the shares of the stages in a CPU profile, in percent; nothing
// if there is no go command to read it.
func split(ctx context.Context, profile string) map[string]float64 {
	traces, err := exec.CommandContext(ctx, "go", "tool", "pprof", "-traces", profile).Output()
	if err != nil {
		return nil
	}
	return shares(string(traces))
}

// shares reads what pprof -traces writes: blocks between lines of dashes, with
// the time before the innermost frame and one frame on a line.
func shares(traces string) map[string]float64 {
	const separator = "-----------+"
	spent, total := map[string]time.Duration{}, time.Duration(0)
	for block := range strings.SplitSeq(traces, separator) {
		took, frames := parseTrace(block)
		if took > 0 {
			spent[stageOf(frames)] += took
			total += took
		}
	}
	percent := map[string]float64{}
	for stage, took := range spent {
		percent[stage] = 100 * float64(took) / float64(total)
	}
	return percent
}

// parseTrace reads one block. What is no trace takes no time.
func parseTrace(block string) (time.Duration, []string) {
	var took time.Duration
	var frames []string
	for line := range strings.Lines(block) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0:
		case took == 0 && len(fields) > 1:
			// Labels and the head of the output have no duration there.
			if d, err := time.ParseDuration(fields[0]); err == nil {
				took, frames = d, []string{fields[1]}
			}
		case took > 0:
			frames = append(frames, fields[0])
		}
	}
	return took, frames
}

// stageOf looks at frames from the innermost on.
func stageOf(frames []string) string {
	known := stages()
	for _, frame := range frames {
		for prefix, stage := range known {
			if strings.HasPrefix(frame, prefix) {
				return stage
			}
		}
	}
	return otherStage
}
