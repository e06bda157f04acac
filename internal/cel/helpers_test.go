package cel

import "example.com/gatehouse/internal/testutil/testtable"

// row is what every row of every table has to say about itself.
type row = testtable.Row
