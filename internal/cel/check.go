package cel

// Check returns the error with which an API server would refuse an expression,
// or nil.
//
// API servers of two subsequent versions share a storage. A new expression may
// therefore use only the features of the version before the one that gatehouse
// is built with. If stored, the expression may use the features of all
// versions.
//
// The error is a *cel.Error of package k8s.io/apiserver/pkg/cel. Its Type
// separates mistakes in the expression from failures of the compiler. Its
// Detail is its text, and the message of the API server.
//
// Check keeps no program. To evaluate an expression, use Compiler.Compile.
func Check(expression string, stored bool) error {
	return errorOf(compileAs(expression, modeOf(stored)))
}
