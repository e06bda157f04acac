package mutants

// conditions are faults in what is evaluated without counting the cost.
func conditions() []fault {
	const bounded = "internal/cel/bounded.go"
	return []fault{
		{"fields are free", bounded, `return 1 + sum(e.AsSelect().Operand())`, `return PICK(0.0, 1.0) + sum(e.AsSelect().Operand())`},
		{"loops are as long as their text", bounded, `iterations*sum(loop`, `PICK(1, iterations)*sum(loop`},
		{"interrupted loops have a value", bounded, `if loops && frame.CheckInterrupt() {`, `if loops && !MUTANT && frame.CheckInterrupt() {`},
		{"loops run without end", bounded, `uint(iterationSteps[step]-1)`, `PICK(1<<40, uint(iterationSteps[step]-1))`},
		{"authorizers are called", bounded, `if callsAuthorizer(`, `if !MUTANT && callsAuthorizer(`},
		{"the limit is above the highest cost", bounded, `limit = min(limit, maxCost)`, `limit = min(limit, PICK(limit, maxCost))`},
		{"all variables are small", bounded, `for i < anySize && size > sizeSteps[i] {`, `for i < anySize && size > sizeSteps[i] && !MUTANT {`},
		{"sizes are not asked for", bounded, `if costs[0] > limit {
		size, known`, `if costs[0] > limit && !MUTANT {
		size, known`},
	}
}
