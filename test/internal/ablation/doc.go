// Command ablation measures what each optimisation of the engine buys. It
// builds the benchmark once, with a switch for each optimisation, and runs its
// rows with and without the optimisation in turns.
//
//	optimisations.go   the optimisations: their code, their rows, and the
//	                   replacement in the code that does without them
//	measure.go         builds and runs the benchmark
//	lines.go           counts the lines of the code
//	main.go            prints a line for each optimisation and row
//
// The switches are those of package mutant: the sources stay unchanged, and an
// optimisation whose text has changed is an error, also of this package's
// tests.
//
// Both sides of a row are measured in the same process, so the gain is computed
// from the ratios to kube-apiserver's plugins, in which the speed of the
// machine cancels out. Rows that measure gatehouse alone have only times.
package main
