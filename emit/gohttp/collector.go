package gohttp

import "tchain.dev/tchain/emit"

type collector = emit.Collector
