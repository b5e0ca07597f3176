// Command log-check compares our formats of transparency logs with the libraries of Go:
//
//	log-check vectors        prints what these libraries make, which our tests read
//	log-check check FILE     verifies by them what our code has made
//	log-check proof POLICY FILE
//	                         verifies by them a proof of our service
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "log-check:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "vectors":
		made, err := makeVectors()
		if err != nil {
			return err
		}
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(made)
	case len(args) == 2 && args[0] == "check":
		text, err := os.ReadFile(args[1])
		if err != nil {
			return err
		}
		return checkOurs(text)
	case len(args) == 3 && args[0] == "proof":
		return checkProof(args[1], args[2])
	}
	return fmt.Errorf("write log-check vectors, log-check check FILE, or log-check proof POLICY FILE")
}
