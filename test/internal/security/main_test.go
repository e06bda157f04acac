package security_test

import (
	"os"
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestMain(m *testing.M) {
	// net/http reads these once per process; a proxy would take the place of
	// the tests' own.
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY"} {
		os.Unsetenv(name)
		os.Unsetenv(strings.ToLower(name))
	}
	leaktest.Main(m)
}

// row is what every row of every table has to say about itself.
type row = testtable.Row
