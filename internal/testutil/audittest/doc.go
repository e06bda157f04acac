// Package audittest writes audit logs for tests, as API servers write them.
//
//	var log audittest.Log
//	log.Update("ann", `{"metadata":{"name":"a"}}`, audittest.Patch("hook", `[…]`))
//	log.Text()
//
// A Log belongs to one test. Mistakes panic.
package audittest
