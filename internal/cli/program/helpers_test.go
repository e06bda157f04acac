package program

import "example.com/gatehouse/internal/testutil/testtable"

// row has the name of a test case and the reason for it.
type row = testtable.Row
