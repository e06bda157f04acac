package vitals

import "time"

// Slope returns the growth of a number per minute: the slope of the
// least-squares line through all samples. With fewer than two moments it is 0.
// To ignore the beginning, pass a part of the samples.
func Slope(samples []Sample, number func(Sample) float64) float64 {
	if len(samples) < 2 {
		return 0
	}
	var meanTime, meanNumber float64
	for _, s := range samples {
		meanTime += minutes(s.At) / float64(len(samples))
		meanNumber += number(s) / float64(len(samples))
	}
	var together, alone float64
	for _, s := range samples {
		distance := minutes(s.At) - meanTime
		together += distance * (number(s) - meanNumber)
		alone += distance * distance
	}
	if alone == 0 {
		return 0
	}
	return together / alone
}

func minutes(d time.Duration) float64 { return d.Minutes() }

// After returns the samples that were taken at a time or later.
func After(samples []Sample, at time.Duration) []Sample {
	for i, s := range samples {
		if s.At >= at {
			return samples[i:]
		}
	}
	return nil
}

// Highest returns the highest of each number, and the time of the last sample.
func Highest(samples []Sample) Sample {
	var highest Sample
	for _, s := range samples {
		highest = Sample{
			At:          s.At,
			Goroutines:  max(highest.Goroutines, s.Goroutines),
			Descriptors: max(highest.Descriptors, s.Descriptors),
			Sockets:     max(highest.Sockets, s.Sockets),
			Heap:        max(highest.Heap, s.Heap),
			Resident:    max(highest.Resident, s.Resident),
		}
	}
	return highest
}
