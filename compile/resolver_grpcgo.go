package compile

import (
	"time"

	"tchain.dev/tchain/chain"
)

// adjustGRPCGo settles what grpc-go's client makes of values beyond its own
// bounds: it takes the bound, silently. The server has none of these.
func adjustGRPCGo(e *effective) {
	if s := e.find("defaultServiceConfig.methodConfig.retryPolicy.maxAttempts"); s.state == known && s.number() > 5 {
		e.remark(chain.NoticeIgnored, s, nil, "maxAttempts %s acts as 5, the most that WithMaxCallAttempts lets through", s.text)
		s.raw, s.origin.Note = int64(5), "acts as 5"
	}
	if s := e.find("keepalive.Time"); s.state == known && s.d > 0 && s.d < 10*time.Second {
		e.remark(chain.NoticeIgnored, s, nil, "Time %s acts as 10s, the least that a client pings after", s.text)
		s.d, s.origin.Note = 10*time.Second, "acts as 10s"
	}
}
