// Package status writes errors as API servers do: as a Status. It has no state.
package status
