package custom

import "math"

// maxSteps is the number of steps that are searched on each side.
const maxSteps = 1 << 8

// number makes a number: 1, or one close to a limit. Different n give different
// numbers.
func number(s *props, n int, whole bool) any {
	value, step := 1.0, stepOf(s, whole)
	for _, c := range near(s, step) {
		if allowed(s, c, whole) {
			value = around(s, c, step, n, whole)
			break
		}
	}
	if value == math.Trunc(value) && math.Abs(value) < 1<<53 {
		return int64(value)
	}
	return value
}

// around returns the n-th allowed number, the closest to middle first. It
// returns middle if there are too few or n is too large.
func around(s *props, middle, step float64, n int, whole bool) float64 {
	if n > 2*maxSteps {
		return middle
	}
	for distance := range min(n, maxSteps) {
		offset := float64(distance+1) * step
		for _, value := range []float64{middle + offset, middle - offset} {
			if allowed(s, value, whole) {
				n--
			}
			if n == 0 {
				return value
			}
		}
	}
	return middle
}

// near returns candidates, the best one first.
func near(s *props, step float64) []float64 {
	candidates := []float64{1}
	if s.Minimum != nil {
		candidates = append(candidates, *s.Minimum, *s.Minimum+1)
	}
	if s.Maximum != nil {
		candidates = append(candidates, *s.Maximum, *s.Maximum-1)
	}
	if s.Minimum != nil && s.Maximum != nil {
		candidates = append(candidates, (*s.Minimum+*s.Maximum)/2)
	}
	var all []float64
	for _, c := range append(candidates, 0) {
		above, below := math.Ceil(c/step), math.Floor(c/step)
		all = append(all, c, above*step, below*step, (above+1)*step, (below-1)*step)
	}
	return all
}

// stepOf returns the distance between allowed numbers.
func stepOf(s *props, whole bool) float64 {
	if s.MultipleOf == nil || *s.MultipleOf <= 0 {
		return 1
	}
	step := *s.MultipleOf
	if whole {
		return max(1, math.Ceil(step))
	}
	return step
}

func allowed(s *props, value float64, whole bool) bool {
	switch {
	case whole && value != math.Trunc(value):
		return false
	case s.Minimum != nil && (value < *s.Minimum || s.ExclusiveMinimum && value == *s.Minimum):
		return false
	case s.Maximum != nil && (value > *s.Maximum || s.ExclusiveMaximum && value == *s.Maximum):
		return false
	case s.MultipleOf != nil && *s.MultipleOf > 0:
		times := value / *s.MultipleOf
		return times == math.Trunc(times)
	}
	return true
}
