package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const (
	origin    = "log.example/vectors"
	leafCount = 300
	dayIndex  = 299
	signedAt  = 1795392000 // the first cosignature; each witness signs a minute after the one before
)

type inclusion struct {
	Index  int64    `json:"index"`
	Size   int64    `json:"size"`
	Hashes []string `json:"hashes"`
}

type consistency struct {
	Older  int64    `json:"older"`
	Size   int64    `json:"size"`
	Hashes []string `json:"hashes"`
}

type tile struct {
	Path string `json:"path"`
	// Base64 of the SHA-256 of the tile's bytes.
	Hash string `json:"hash"`
}

type vectors struct {
	PrivateKey  string            `json:"privateKey"`
	VerifierKey string            `json:"verifierKey"`
	Witnesses   []string          `json:"witnesses"`
	Text        string            `json:"text"`
	Note        string            `json:"note"`
	Leaves      []string          `json:"leaves"`
	Roots       map[string]string `json:"roots"`
	Inclusion   []inclusion       `json:"inclusion"`
	Consistency []consistency     `json:"consistency"`
	Tiles       []tile            `json:"tiles"`
	Paths       map[string][3]int `json:"paths"`
	Bundle      string            `json:"bundle"`
	Checkpoint  string            `json:"checkpoint"`
	Proof       string            `json:"proof"`
	DayProof    string            `json:"dayProof"`
	Policies    map[string]string `json:"policies"`
}

// seed returns the private key of a name, so that the vectors are the same each time.
func seed(name string) []byte {
	sum := sha256.Sum256([]byte("broker-transparency vectors: " + name))
	return sum[:]
}

// keyOf encodes a key of a type as signed notes do.
func keyOf(name string, kind byte, key ed25519.PrivateKey) (hash uint32, vkey string) {
	public := append([]byte{kind}, key.Public().(ed25519.PublicKey)...)
	sum := sha256.Sum256(append([]byte(name+"\n"), public...))
	hash = binary.BigEndian.Uint32(sum[:])
	return hash, fmt.Sprintf("%s+%08x+%s", name, hash, base64.StdEncoding.EncodeToString(public))
}

func base64s(hashes []tlog.Hash) []string {
	texts := make([]string, len(hashes))
	for i, hash := range hashes {
		texts[i] = hash.String()
	}
	return texts
}

// A witness signs at a fixed time, which the signer of torchwood does not.
type witness struct {
	name string
	hash uint32
	vkey string
	key  ed25519.PrivateKey
	time int64
}

func newWitness(number int64) witness {
	name := fmt.Sprintf("witness.example/w%d", number)
	key := ed25519.NewKeyFromSeed(seed(name))
	hash, vkey := keyOf(name, 4, key)
	return witness{name, hash, vkey, key, signedAt + 60*number}
}

func (w witness) line(text string) string {
	signed := ed25519.Sign(w.key, []byte(fmt.Sprintf("cosignature/v1\ntime %d\n%s", w.time, text)))
	data := binary.BigEndian.AppendUint32(nil, w.hash)
	data = binary.BigEndian.AppendUint64(data, uint64(w.time))
	return fmt.Sprintf("— %s %s\n", w.name, base64.StdEncoding.EncodeToString(append(data, signed...)))
}

// day is the tree of the scores of one day.
func day() ([][]byte, *tree, error) {
	leaves := [][]byte{}
	for i := range 5 {
		leaves = append(leaves, []byte(fmt.Sprintf(`["broker-%d",%d.5,"green"]`, i, 70+i)))
	}
	t, err := treeOf(leaves)
	return leaves, t, err
}

func entries() ([][]byte, error) {
	leaves := [][]byte{}
	for i := range leafCount - 1 {
		leaves = append(leaves, []byte(fmt.Sprintf(`{"key":"%d","kind":"broker","value":{"name":"Broker %d"}}`, i, i)))
	}
	_, scores, err := day()
	if err != nil {
		return nil, err
	}
	root, err := scores.rootAt(scores.size)
	if err != nil {
		return nil, err
	}
	return append(leaves, []byte(fmt.Sprintf(
		`{"key":"2026-11-23","kind":"day","value":{"count":%d,"date":"2026-11-23","root":"%s","through":%d}}`,
		scores.size, root, dayIndex))), nil
}

func makeVectors() (*vectors, error) {
	logKey := ed25519.NewKeyFromSeed(seed(origin))
	hash, vkey := keyOf(origin, 1, logKey)
	made := &vectors{
		VerifierKey: vkey,
		PrivateKey: fmt.Sprintf("PRIVATE+KEY+%s+%08x+%s", origin, hash,
			base64.StdEncoding.EncodeToString(append([]byte{1}, seed(origin)...))),
		Text: "Ein Satz: é, 金, 😂.\n\nAnd a line after an empty one.\n",
	}
	signer, err := note.NewSigner(made.PrivateKey)
	if err != nil {
		return nil, err
	}
	signed, err := note.Sign(&note.Note{Text: made.Text}, signer)
	if err != nil {
		return nil, err
	}
	made.Note = string(signed)
	leaves, err := entries()
	if err != nil {
		return nil, err
	}
	t, err := treeOf(leaves)
	if err != nil {
		return nil, err
	}
	for _, step := range []func() error{
		func() error { return made.addTree(leaves, t) },
		func() error { return made.addTiles(leaves, t) },
		func() error { return made.addCheckpoint(t, signer) },
		func() error { return made.addProofs(leaves, t) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return made, nil
}

func (made *vectors) addTree(leaves [][]byte, t *tree) error {
	for _, leaf := range leaves {
		made.Leaves = append(made.Leaves, string(leaf))
	}
	made.Roots = map[string]string{}
	for _, size := range []int64{0, 1, 2, 3, 4, 5, 7, 8, 9, 64, 100, 255, 256, 257, 300} {
		root, err := t.rootAt(size)
		if err != nil {
			return err
		}
		made.Roots[fmt.Sprint(size)] = root.String()
	}
	for _, at := range [][2]int64{{0, 1}, {0, 2}, {1, 2}, {2, 3}, {4, 7}, {6, 7}, {99, 100}, {63, 257}, {256, 257}, {17, 300}, {299, 300}} {
		hashes, err := tlog.ProveRecord(at[1], at[0], t)
		if err != nil {
			return err
		}
		made.Inclusion = append(made.Inclusion, inclusion{at[0], at[1], base64s(hashes)})
	}
	for _, sizes := range [][2]int64{{1, 2}, {2, 3}, {3, 7}, {4, 7}, {6, 8}, {7, 7}, {64, 100}, {100, 257}, {255, 256}, {256, 300}, {257, 300}} {
		hashes, err := tlog.ProveTree(sizes[1], sizes[0], t)
		if err != nil {
			return err
		}
		made.Consistency = append(made.Consistency, consistency{sizes[0], sizes[1], base64s(hashes)})
	}
	return nil
}

func (made *vectors) addTiles(leaves [][]byte, t *tree) error {
	last := map[string]tlog.Tile{}
	for _, each := range tlog.NewTiles(8, 0, t.size) {
		last[fmt.Sprintf("%d/%d", each.L, each.N)] = each
	}
	for _, name := range []string{"0/0", "0/1", "1/0"} {
		data, err := tlog.ReadTileData(last[name], t)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		made.Tiles = append(made.Tiles, tile{torchwood.TilePath(last[name]), base64.StdEncoding.EncodeToString(sum[:])})
	}
	made.Paths = map[string][3]int{}
	for _, at := range [][3]int{{0, 0, 256}, {0, 1, 44}, {1, 999, 1}, {2, 1000, 255}, {0, 1234067, 256}, {-1, 12345, 9}, {63, 5, 256}} {
		made.Paths[torchwood.TilePath(tlog.Tile{H: 8, L: at[0], N: int64(at[1]), W: at[2]})] = at
	}
	bundle := []byte{}
	for _, leaf := range leaves[256:] {
		var err error
		if bundle, err = torchwood.AppendTileEntry(bundle, leaf); err != nil {
			return err
		}
	}
	made.Bundle = base64.StdEncoding.EncodeToString(bundle)
	return nil
}

func (made *vectors) addCheckpoint(t *tree, signer note.Signer) error {
	root, err := t.rootAt(t.size)
	if err != nil {
		return err
	}
	text := torchwood.Checkpoint{Origin: origin, Tree: tlog.Tree{N: t.size, Hash: root}}.String()
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	if err != nil {
		return err
	}
	checkpoint := string(signed)
	witnesses := ""
	for number := range int64(3) {
		w := newWitness(number + 1)
		made.Witnesses = append(made.Witnesses, w.vkey)
		witnesses += fmt.Sprintf("witness w%d %s\n", number+1, w.vkey)
		if number < 2 { // the third has not signed
			checkpoint += w.line(text)
		}
	}
	made.Checkpoint = checkpoint
	log := "log " + made.VerifierKey + "\n"
	made.Policies = map[string]string{
		"alone":   log + "quorum none\n",
		"twoOf3":  log + witnesses + "group all-known 2 w1 w2 w3\nquorum all-known\n",
		"allOf3":  log + witnesses + "group all-known all w1 w2 w3\nquorum all-known\n",
		"w3":      log + witnesses + "quorum w3\n",
		"unknown": strings.Replace(log+"quorum none\n", made.VerifierKey, unknownLog(), 1),
	}
	return made.tryPolicies()
}

func unknownLog() string {
	_, vkey := keyOf("log.example/other", 1, ed25519.NewKeyFromSeed(seed("other")))
	return vkey
}

// tryPolicies makes sure that torchwood judges the checkpoint as the vectors are meant.
func (made *vectors) tryPolicies() error {
	accepts := map[string]bool{"alone": true, "twoOf3": true}
	for name, text := range made.Policies {
		policy, err := torchwood.ParsePolicy([]byte(text))
		if err != nil {
			return err
		}
		if _, _, err := torchwood.VerifyCheckpoint([]byte(made.Checkpoint), policy); (err == nil) != accepts[name] {
			return fmt.Errorf("policy %s: %v", name, err)
		}
	}
	return nil
}

func (made *vectors) addProofs(leaves [][]byte, t *tree) error {
	plain, err := made.proofOf(17, leaves, t, nil)
	if err != nil {
		return err
	}
	scores, days, err := day()
	if err != nil {
		return err
	}
	path, err := tlog.ProveRecord(days.size, 3, days)
	if err != nil {
		return err
	}
	part := fmt.Sprintf("day 3 %d\n%s\n%s\n", days.size, scores[3], strings.Join(base64s(path), "\n"))
	withDay, err := made.proofOf(dayIndex, leaves, t, []byte(part))
	made.Proof, made.DayProof = plain, withDay
	return err
}

// proofOf makes a proof whose extra data is the entry, a newline and more, and verifies it.
func (made *vectors) proofOf(index int64, leaves [][]byte, t *tree, more []byte) (string, error) {
	path, err := tlog.ProveRecord(t.size, index, t)
	if err != nil {
		return "", err
	}
	extra := bytes.Join([][]byte{leaves[index], more}, []byte("\n"))
	proof := torchwood.FormatProofWithExtraData(index, extra, path, []byte(made.Checkpoint))
	policy, err := torchwood.ParsePolicy([]byte(made.Policies["twoOf3"]))
	if err != nil {
		return "", err
	}
	return string(proof), torchwood.VerifyProof(policy, tlog.RecordHash(leaves[index]), proof)
}
