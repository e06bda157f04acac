package main

import "regexp"

// stage is a target of make and the lines of its output that are figures.
type stage struct {
	name      string
	arguments []string // of make
	figures   *regexp.Regexp
}

// stages are in the order in which they run: the quick ones first.
func stages() []stage {
	compared := regexp.MustCompile(`: scenarios \d+, differences \d+|requests with|^catalogue:|^faults \d+|^timeout accuracy|^allocated in|^types:|^concurrent`)
	soaked := regexp.MustCompile(`^(duration|requests|calls|faults|lost|changes|peak|slope|after Close|violations|unexpected|latency|callers|memory limit|servers)\b|^ +\S+( +[\d.ms-]+){4,}$|late`)
	return []stage{
		{"cover", []string{"cover"}, regexp.MustCompile(`^\S+ [\d.]+%$`)},
		{"promises", []string{"promises"}, regexp.MustCompile(`^(---|ok|FAIL)|\d+ of \d+`)},
		{"life", []string{"life"}, regexp.MustCompile(`\[rapid\] OK|wrong answers`)},
		{"kills", []string{"kills"}, regexp.MustCompile(`killed \d+ times`)},
		{"self", []string{"self"}, regexp.MustCompile(`^BenchmarkSelf`)},
		{"failpoints", []string{"failpoints"}, regexp.MustCompile(`^(ok|FAIL)|requests`)},
		{"parity", []string{"parity", "CASES=50000"}, compared},
		{"mutants", []string{"mutants"}, regexp.MustCompile(`killed \d+ of \d+|survives`)},
		{"peers", []string{"peers"}, regexp.MustCompile(`specs: .* pass`)},
		{"bombs", []string{"soak", "MODE=bombs", "DURATION=60s"}, soaked},
		{"wide", []string{"soak", "MODE=wide", "DURATION=60s"}, soaked},
		{"policies", []string{"soak", "MODE=policies", "DURATION=60s"}, soaked},
		{"punctual", []string{"soak", "MODE=punctual", "DURATION=0"}, soaked},
		{"bench", []string{"bench"}, regexp.MustCompile(`^(row|B\d+\S*) `)},
		{"fuzz", []string{"fuzz"}, regexp.MustCompile(`^\S+\.Fuzz|executions`)},
		{"parity-live", []string{"parity-live"}, compared},
		{"soak", []string{"soak", "DURATION=1h"}, soaked},
	}
}
