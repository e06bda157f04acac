package cel

import "k8s.io/apiserver/pkg/cel/environment"

// Check says what an API server has against an expression that is written to it;
// nil means that it accepts the expression.
//
// Servers of one version and of the version before share a storage, so an
// expression that is new to it may only use what both of them know: by default
// the features of the version before the one that gatehouse is built with
// . An expression that is stored already may use whatever any version
// knows.
//
// The error is a *cel.Error of package k8s.io/apiserver/pkg/cel. Its Type tells a
// mistake in the expression from a failure of the compiler, and its Detail, which
// is also its text, is what the server tells whoever wrote it.
//
// Nothing is kept: an expression that is checked is not one that will be
// evaluated. See Compiler.Compile for those that are.
func Check(expression string, stored bool) error {
	mode := environment.NewExpressions
	if stored {
		mode = environment.StoredExpressions
	}
	// Returned as it is, a nil *cel.Error would be an error that is not nil.
	if err := compileAs(expression, mode).Error; err != nil {
		return err
	}
	return nil
}
