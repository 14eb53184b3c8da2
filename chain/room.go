package chain

import "time"

// Room is the margin that an inner layer's worst end needs under an outer limit,
// to have its error delivered. That of an app is its reserve, which is in its
// worst end already, so that nothing is left to ask for; that of anything else is
// its errorRoom, else the policy's, else the smaller of 1 s and 5 % of the limit.
func (p Policy) Room(inner *Node, outer time.Duration) time.Duration {
	switch {
	case inner.Role == RoleBuffering && inner.Deadline.Reserve.D > 0:
		return 0
	case inner.ErrorRoom.Declared():
		return inner.ErrorRoom.D
	case p.ErrorRoom > 0:
		return p.ErrorRoom
	}
	return min(time.Second, outer/20)
}
