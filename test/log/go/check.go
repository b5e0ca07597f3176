package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// ours is what our code has made of its entries.
type ours struct {
	Entries     []string      `json:"entries"`
	VerifierKey string        `json:"verifierKey"`
	Note        string        `json:"note"`
	Roots       []string      `json:"roots"`
	Inclusion   []inclusion   `json:"inclusion"`
	Consistency []consistency `json:"consistency"`
	Tiles       []struct {
		Path string `json:"path"`
		Data []byte `json:"data"`
	} `json:"tiles"`
	Checkpoint string `json:"checkpoint"`
	Policy     string `json:"policy"`
	Proofs     []struct {
		Index int64  `json:"index"`
		Text  string `json:"text"`
	} `json:"proofs"`
}

func hashesIn(texts []string) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(texts))
	for i, text := range texts {
		hash, err := tlog.ParseHash(text)
		if err != nil {
			return nil, err
		}
		hashes[i] = hash
	}
	return hashes, nil
}

func checkOurs(text []byte) error {
	var made ours
	if err := json.Unmarshal(text, &made); err != nil {
		return err
	}
	entries := [][]byte{}
	for _, entry := range made.Entries {
		entries = append(entries, []byte(entry))
	}
	t, err := treeOf(entries)
	if err != nil {
		return err
	}
	for _, check := range []struct {
		name string
		run  func(*ours, *tree) error
	}{
		{"note", (*ours).checkNote}, {"roots", (*ours).checkRoots}, {"inclusion proofs", (*ours).checkInclusion},
		{"consistency proofs", (*ours).checkConsistency}, {"tiles", (*ours).checkTiles},
		{"checkpoint and policy", (*ours).checkCheckpoint}, {"proof files", (*ours).checkProofs},
	} {
		if err := check.run(&made, t); err != nil {
			return fmt.Errorf("%s: %w", check.name, err)
		}
		fmt.Printf("ok      Go verifies our %s\n", check.name)
	}
	return nil
}

func (made *ours) checkNote(*tree) error {
	verifier, err := note.NewVerifier(made.VerifierKey)
	if err != nil {
		return err
	}
	opened, err := note.Open([]byte(made.Note), note.VerifierList(verifier))
	if err == nil && len(opened.Sigs) != 1 {
		return fmt.Errorf("%d signatures", len(opened.Sigs))
	}
	return err
}

func (made *ours) checkRoots(t *tree) error {
	if int64(len(made.Roots)) != t.size+1 {
		return fmt.Errorf("%d roots for %d entries", len(made.Roots), t.size)
	}
	for size, text := range made.Roots {
		root, err := t.rootAt(int64(size))
		if err != nil {
			return err
		}
		if root.String() != text {
			return fmt.Errorf("of %d entries: ours %s, theirs %s", size, text, root)
		}
	}
	return nil
}

func (made *ours) checkInclusion(t *tree) error {
	for _, each := range made.Inclusion {
		hashes, err := hashesIn(each.Hashes)
		if err != nil {
			return err
		}
		root, err := t.rootAt(each.Size)
		if err != nil {
			return err
		}
		if err := tlog.CheckRecord(hashes, each.Size, root, each.Index, tlog.RecordHash([]byte(made.Entries[each.Index]))); err != nil {
			return fmt.Errorf("%d in %d: %w", each.Index, each.Size, err)
		}
	}
	return nil
}

func (made *ours) checkConsistency(t *tree) error {
	for _, each := range made.Consistency {
		hashes, err := hashesIn(each.Hashes)
		if err != nil {
			return err
		}
		older, err := t.rootAt(each.Older)
		if err != nil {
			return err
		}
		newer, err := t.rootAt(each.Size)
		if err != nil {
			return err
		}
		if err := tlog.CheckTree(hashes, each.Size, newer, each.Older, older); err != nil {
			return fmt.Errorf("%d to %d: %w", each.Older, each.Size, err)
		}
	}
	return nil
}

func (made *ours) checkTiles(t *tree) error {
	for _, each := range made.Tiles {
		parsed, err := torchwood.ParseTilePath(each.Path)
		if err != nil {
			return err
		}
		if parsed.L < 0 {
			if err := made.checkBundle(parsed, each.Data); err != nil {
				return fmt.Errorf("%s: %w", each.Path, err)
			}
			continue
		}
		data, err := tlog.ReadTileData(parsed, t)
		if err != nil {
			return err
		}
		if !bytes.Equal(data, each.Data) {
			return fmt.Errorf("%s: ours %s, theirs %s", each.Path,
				base64.StdEncoding.EncodeToString(each.Data), base64.StdEncoding.EncodeToString(data))
		}
	}
	return nil
}

func (made *ours) checkBundle(at tlog.Tile, data []byte) error {
	for i := range at.W {
		entry, rest, err := torchwood.ReadTileEntry(data)
		if err != nil {
			return err
		}
		if string(entry) != made.Entries[at.N*256+int64(i)] {
			return fmt.Errorf("entry %d differs", i)
		}
		data = rest
	}
	if len(data) > 0 {
		return fmt.Errorf("%d bytes follow the last entry", len(data))
	}
	return nil
}

func (made *ours) checkCheckpoint(t *tree) error {
	policy, err := torchwood.ParsePolicy([]byte(made.Policy))
	if err != nil {
		return err
	}
	checkpoint, opened, err := torchwood.VerifyCheckpoint([]byte(made.Checkpoint), policy)
	if err != nil {
		return err
	}
	root, err := t.rootAt(checkpoint.N)
	if err != nil {
		return err
	}
	if checkpoint.N != t.size || checkpoint.Hash != root || len(opened.Sigs) != 3 {
		return fmt.Errorf("%d entries, root %s, %d signatures", checkpoint.N, checkpoint.Hash, len(opened.Sigs))
	}
	return nil
}

func (made *ours) checkProofs(*tree) error {
	policy, err := torchwood.ParsePolicy([]byte(made.Policy))
	if err != nil {
		return err
	}
	for _, each := range made.Proofs {
		extra, err := torchwood.ProofExtraData([]byte(each.Text))
		if err != nil {
			return err
		}
		entry, _, _ := bytes.Cut(extra, []byte("\n"))
		if string(entry) != made.Entries[each.Index] {
			return fmt.Errorf("extra of %d is not the entry", each.Index)
		}
		if err := torchwood.VerifyProof(policy, tlog.RecordHash(entry), []byte(each.Text)); err != nil {
			return fmt.Errorf("%d: %w", each.Index, err)
		}
	}
	return nil
}
