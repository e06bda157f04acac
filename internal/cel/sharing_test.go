package cel

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"
	"weak"
)

func TestEqualExpressionsShareAProgram(t *testing.T) {
	t.Parallel()
	c := NewCompiler()
	held := c.Compile("true")
	if again := c.Compile("true"); again != held {
		t.Error("an equal expression that is held was compiled a second time")
	}
	if c.Compile("false") == held {
		t.Error("another expression got the same program")
	}
	if c.Compile("true ") == held {
		t.Error("a text that differs by a blank got the same program")
	}
	if NewCompiler().Compile("true") == held {
		t.Error("two compilers share a program")
	}
	runtime.KeepAlive(held)
}

// An expression that does not compile is shared like any other.
func TestErrorsAreShared(t *testing.T) {
	t.Parallel()
	c := NewCompiler()
	held := c.Compile("params")
	if again := c.Compile("params"); again != held {
		t.Error("the error was found a second time")
	}
	if held.Err == nil || held.Program != nil {
		t.Errorf("Program = %v, Err = %v, want only an error", held.Program, held.Err)
	}
	runtime.KeepAlive(held)
}

// A compiler keeps no program alive: a program without other references is
// collected, and so is its cache entry.
func TestDroppedProgramsAreCollected(t *testing.T) {
	t.Parallel()
	c := NewCompiler()
	kept := c.Compile("1 == 1")
	dropped := weak.Make(c.Compile("2 == 2"))

	until(t, "the dropped program is collected", func() bool { return dropped.Value() == nil })
	until(t, "its entry is dropped", func() bool { return c.size() == 1 })
	if c.Compile("1 == 1") != kept {
		t.Error("the program that is held was lost")
	}
	if again := c.Compile("2 == 2"); again.Err != nil || again.Expression != "2 == 2" {
		t.Errorf("compiled again: %+v", again)
	}
	runtime.KeepAlive(kept)
}

// A program that was compiled again before the clean-up of the first one ran
// keeps its entry.
func TestForgetSparesASuccessor(t *testing.T) {
	t.Parallel()
	c := NewCompiler()
	successor := c.Compile("3 == 3")
	c.forget("3 == 3")
	if c.size() != 1 || c.Compile("3 == 3") != successor {
		t.Error("the late clean-up took the successor's entry")
	}
	runtime.KeepAlive(successor)
}

func (c *Compiler) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.programs)
}

// until collects garbage until something is so.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		runtime.GC()
		if so() {
			return
		}
	}
	t.Fatalf("waited in vain until %s", what)
}

// Callers that come at the same time get one program, even if they compiled it
// twice.
func TestConcurrentCompile(t *testing.T) {
	t.Parallel()
	const callers, expressions = 8, 4
	c := NewCompiler()
	got := make([][expressions]*Program, callers)
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range callers {
		wg.Go(func() {
			<-start
			for j := range expressions {
				got[i][j] = c.Compile(fmt.Sprintf("%d == %d", j, j))
			}
		})
	}
	close(start)
	wg.Wait()
	for i := range got {
		if got[i] != got[0] {
			t.Errorf("caller %d got other programs than the first", i)
		}
	}
	if c.size() != expressions {
		t.Errorf("%d entries, want %d", c.size(), expressions)
	}
	runtime.KeepAlive(got)
}
