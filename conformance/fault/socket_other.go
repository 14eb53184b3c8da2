//go:build !unix

package fault

import "fmt"

func (s *Server) deaf() error {
	return fmt.Errorf("mode %s needs a unix system", s.cfg.Mode)
}
