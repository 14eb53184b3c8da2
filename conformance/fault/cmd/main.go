// Command cmd runs fault servers for drivers in other languages.
//
// With flags it starts one server, prints one line of JSON that says where it
// listens, and runs until it is interrupted or -for is over:
//
//	fault -mode silent
//	[{"mode":"silent","host":"127.0.0.1","port":40123}]
//
// With -json it reads a JSON array of configurations from standard input, prints
// one such line for all of them, prints a line of counts for every further
// "counts" (a JSON string) that it reads, and ends with its input.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"tchain.dev/tchain/conformance/fault"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "fault:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("fault", flag.ContinueOnError)
	var c fault.Config
	fromJSON := flags.Bool("json", false, "read an array of configurations from standard input")
	life := flags.Duration("for", 10*time.Minute, "end after this time")
	flags.StringVar((*string)(&c.Mode), "mode", "", fmt.Sprint("one of ", fault.Modes))
	flags.BoolVar(&c.TLS, "tls", false, "serve HTTPS")
	flags.IntVar(&c.DelayMS, "delay-ms", 0, "slow: before the answer; idle-race: how long a connection is kept")
	flags.IntVar(&c.IntervalMS, "interval-ms", 0, "header-drip and trickle: between two bytes; 0 is 100")
	flags.IntVar(&c.BodyBytes, "body-bytes", 0, "stall: how much of the body comes; 0 is 5")
	flags.IntVar(&c.Status, "status", 0, "unavailable: the status; 0 is 503")
	flags.StringVar(&c.RetryAfter, "retry-after", "", "unavailable: the value of Retry-After")
	flags.IntVar(&c.Times, "times", 0, "how many requests go wrong; 0 is all")
	flags.StringVar(&c.Target, "target", "", "proxy: where tunnels lead, host:port")
	if err := flags.Parse(args); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, *life)
	defer cancel()

	configs, decoder := []fault.Config{c}, json.NewDecoder(in)
	if *fromJSON {
		configs = nil
		if err := decoder.Decode(&configs); err != nil {
			return fmt.Errorf("standard input: %w", err)
		}
	}
	servers, err := start(configs, out)
	defer closeAll(servers)
	if err != nil {
		return err
	}
	if *fromJSON {
		go func() {
			defer cancel()
			answer(decoder, servers, out)
		}()
	}
	<-ctx.Done()
	return nil
}
