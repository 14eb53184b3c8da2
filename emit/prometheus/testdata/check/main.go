// Command check reads a file of rules strictly by Prometheus' own types and has
// Prometheus' own engine say which alerts fire after the series on standard input,
// which are in promtool's notation, one a line, with a sample a minute.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/util/teststorage"
)

func main() {
	if err := check(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(file string, in io.Reader, out io.Writer) error {
	parse := parser.NewParser(parser.Options{})
	groups, errs := rulefmt.ParseFile(file, false, model.UTF8Validation, parse, slog.New(slog.DiscardHandler))
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	store, err := teststorage.NewWithError()
	if err != nil {
		return err
	}
	defer store.Close()
	end, err := load(store, parse, in)
	if err != nil {
		return err
	}
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 1e6, Timeout: time.Minute})
	for _, g := range groups.Groups {
		for _, r := range g.Rules {
			q, err := engine.NewInstantQuery(context.Background(), store, nil, r.Expr, end)
			if err != nil {
				return err
			}
			res := q.Exec(context.Background())
			if res.Err != nil {
				return res.Err
			}
			if v, err := res.Vector(); err != nil {
				return err
			} else if len(v) > 0 {
				fmt.Fprintln(out, r.Alert, r.Labels["layer"])
			}
		}
	}
	return nil
}

// load puts series into a store and says when the last sample was.
func load(store *teststorage.TestStorage, parse parser.Parser, in io.Reader) (time.Time, error) {
	var last time.Time
	app := store.Appender(context.Background())
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		metric, values, err := parse.ParseSeriesDesc(lines.Text())
		if err != nil {
			return last, err
		}
		for i, v := range values {
			at := time.Unix(0, 0).Add(time.Duration(i) * time.Minute)
			if at.After(last) {
				last = at
			}
			if v.Omitted {
				continue
			}
			if _, err := app.Append(0, labels.NewBuilder(metric).Labels(), at.UnixMilli(), v.Value); err != nil {
				return last, err
			}
		}
	}
	return last, errors.Join(lines.Err(), app.Commit())
}
