package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"

	"tchain.dev/tchain/conformance/fault"
)

func TestStores(t *testing.T) {
	t.Parallel()
	runBlocks(t, StoreScenarios(), func(s BlockScenario) (Result, error) {
		if s.Key == pgxKey {
			return driveStore(s, speakPostgres, openPgx)
		}
		return driveStore(s, speakRedis, openRedis)
	})
}

// An ask is one request to a store, and what else a client is closed with.
type ask func(ctx context.Context) error

// driveStore runs one scenario: open makes the client of the block for an address.
func driveStore(s BlockScenario, speak speaker, open func(s BlockScenario, addr string) (ask, func(), error)) (Result, error) {
	mode := s.Upstreams[0].Mode
	var addr string
	seen := func() int { return 0 }
	if mode == fault.Refuse || mode == fault.Backlog {
		f, err := fault.Start(s.Upstreams[0])
		if err != nil {
			return Result{}, err
		}
		defer f.Close()
		addr = f.Addr()
	} else {
		f, err := startStore(s.Upstreams[0], speak)
		if err != nil {
			return Result{}, err
		}
		defer f.close()
		addr, seen = f.addr(), f.requests
	}
	one, end, err := open(s, addr)
	if err != nil {
		return Result{}, err
	}
	var block struct {
		Context struct{ Timeout goTime } `json:"context"`
	}
	if err := json.Unmarshal(s.Block, &block); err != nil {
		return Result{}, err
	}
	all, stop := context.WithCancel(context.Background())
	defer end()
	defer stop()
	for range s.Occupy {
		go one(all)
	}
	for range 500 {
		if seen() >= s.Occupy {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	r := Result{Product: s.Product, Version: moduleVersion(storeModules[s.Key]), Native: map[string]string{}}
	ctx, limit := all, block.Context.Timeout // what takes time of its own stands before it
	if limit.written {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(all, limit.d)
		defer cancel()
	}
	begin := time.Now()
	done := make(chan error, 1)
	go func() { done <- one(ctx) }()
	select {
	case err := <-done:
		r.ElapsedMS = int(time.Since(begin).Milliseconds())
		r.By, r.Status = Upstream, 200
		if err != nil {
			r.By, r.Status, r.Error = s.Key, 0, err.Error()
			r.Setting, r.Native["fails"] = storeFailure(s, err)
		}
	case <-time.After(s.observe()):
		r.Running = true
	}
	r.Attempts = seen() - s.Occupy
	return r, nil
}

// storeFailure reads the error of a client. A timeout of a socket does not say
// which limit it had its time from: the dial or the read.
func storeFailure(s BlockScenario, err error) (setting, fails string) {
	text := err.Error()
	switch {
	case strings.Contains(text, "connection pool timeout"):
		return "PoolTimeout", FailsTimeout
	case errors.Is(err, syscall.ECONNREFUSED):
		return "", FailsRefused
	case strings.Contains(text, "context deadline exceeded") || strings.Contains(text, "i/o timeout"):
		return s.Predict.Setting, FailsTimeout
	}
	return "", FailsBroken
}

func openRedis(s BlockScenario, addr string) (ask, func(), error) {
	var b struct {
		DialTimeout, DialerRetryTimeout, ReadTimeout, PoolTimeout, MinRetryBackoff, MaxRetryBackoff goTime
		DialerRetries, MaxRetries, PoolSize                                                         int
		ContextTimeoutEnabled                                                                       bool
	}
	if err := json.Unmarshal(s.Block, &b); err != nil {
		return nil, nil, err
	}
	c := redis.NewClient(&redis.Options{
		Addr: addr, DialTimeout: b.DialTimeout.d, DialerRetryTimeout: b.DialerRetryTimeout.d, ReadTimeout: b.ReadTimeout.d, PoolTimeout: b.PoolTimeout.d,
		MinRetryBackoff: b.MinRetryBackoff.d, MaxRetryBackoff: b.MaxRetryBackoff.d,
		DialerRetries: b.DialerRetries, MaxRetries: b.MaxRetries, PoolSize: b.PoolSize, ContextTimeoutEnabled: b.ContextTimeoutEnabled,
	})
	return func(ctx context.Context) error { return c.Get(ctx, "key").Err() }, func() { c.Close() }, nil
}

func openPgx(s BlockScenario, addr string) (ask, func(), error) {
	var b struct {
		ConnectTimeout goTime
		MaxConns       int32
	}
	if err := json.Unmarshal(s.Block, &b); err != nil {
		return nil, nil, err
	}
	conf, err := pgxpool.ParseConfig("postgres://user:secret@" + addr + "/db?sslmode=disable")
	if err != nil {
		return nil, nil, err
	}
	conf.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	if b.ConnectTimeout.written {
		conf.ConnConfig.ConnectTimeout = b.ConnectTimeout.d
	}
	if b.MaxConns > 0 {
		conf.MaxConns = b.MaxConns
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), conf)
	if err != nil {
		return nil, nil, err
	}
	// Closing waits for what is under way, which a fault holds.
	return func(ctx context.Context) error { _, err := pool.Exec(ctx, "select 1"); return err }, func() { go pool.Close() }, nil
}
