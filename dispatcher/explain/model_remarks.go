package explain

// Annotation is an audit annotation.
type Annotation struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	// Level is the lowest audit level that includes the annotation.
	Level string `json:"level"`
}

// Metric is a changed series: of a counter, or of the count of a histogram.
type Metric struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
	Delta  float64           `json:"delta"`
}
