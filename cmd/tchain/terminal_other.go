//go:build !linux && !darwin

package main

import "os"

// terminalColumns is not known here.
func terminalColumns(*os.File) int { return 0 }
