package conformance

import "syscall"

// endsWithParent has a product end also when the test is killed.
func endsWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
}
