package main

import (
	"bytes"
	"fmt"
	"os"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"
)

// checkProof verifies a proof file by a policy file, and prints the entry.
func checkProof(policyFile, proofFile string) error {
	text, err := os.ReadFile(policyFile)
	if err != nil {
		return err
	}
	policy, err := torchwood.ParsePolicy(text)
	if err != nil {
		return err
	}
	proof, err := os.ReadFile(proofFile)
	if err != nil {
		return err
	}
	extra, err := torchwood.ProofExtraData(proof)
	if err != nil {
		return err
	}
	entry, _, _ := bytes.Cut(extra, []byte("\n"))
	if err := torchwood.VerifyProof(policy, tlog.RecordHash(entry), proof); err != nil {
		return err
	}
	fmt.Println(string(entry))
	return nil
}
