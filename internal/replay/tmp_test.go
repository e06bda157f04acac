package replay_test
import ("syscall";"testing";"time")
func cpu() time.Duration { var u syscall.Rusage; syscall.Getrusage(syscall.RUSAGE_SELF,&u); return time.Duration(u.Utime.Nano()+u.Stime.Nano()) }
var _ = testing.Short
