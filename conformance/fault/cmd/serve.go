package main

import (
	"encoding/json"
	"io"

	"tchain.dev/tchain/conformance/fault"
)

// place is where one server listens.
type place struct {
	Mode        fault.Mode `json:"mode"`
	Host        string     `json:"host"`
	Port        int        `json:"port"`
	Certificate string     `json:"certificate,omitempty"` // PEM, its own root; "" without TLS
}

// start starts the servers and prints one line with their places; the servers
// are returned also with an error.
func start(configs []fault.Config, out io.Writer) ([]*fault.Server, error) {
	var servers []*fault.Server
	places := []place{}
	for _, c := range configs {
		s, err := fault.Start(c)
		if err != nil {
			return servers, err
		}
		servers = append(servers, s)
		places = append(places, place{Mode: c.Mode, Host: "127.0.0.1", Port: s.Port(), Certificate: string(s.CertificatePEM())})
	}
	return servers, json.NewEncoder(out).Encode(places)
}

// answer prints the counts of all servers for every value that it reads, until
// the input ends.
func answer(in *json.Decoder, servers []*fault.Server, out io.Writer) {
	for {
		var word string
		if err := in.Decode(&word); err != nil || word != "counts" {
			return
		}
		counts := []fault.Counts{}
		for _, s := range servers {
			counts = append(counts, s.Counts())
		}
		if err := json.NewEncoder(out).Encode(counts); err != nil {
			return
		}
	}
}

func closeAll(servers []*fault.Server) {
	for _, s := range servers {
		s.Close()
	}
}
