//go:build !linux

package conformance

import "syscall"

func endsWithParent() *syscall.SysProcAttr { return nil }
