package main

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// A tree in memory: the hashes that golang.org/x/mod/sumdb/tlog stores for it.
type tree struct {
	size   int64
	hashes []tlog.Hash
}

func (t *tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		if index >= int64(len(t.hashes)) {
			return nil, fmt.Errorf("there is no hash %d", index)
		}
		found[i] = t.hashes[index]
	}
	return found, nil
}

func treeOf(entries [][]byte) (*tree, error) {
	t := &tree{}
	for _, entry := range entries {
		hashes, err := tlog.StoredHashes(t.size, entry, t)
		if err != nil {
			return nil, err
		}
		t.hashes = append(t.hashes, hashes...)
		t.size++
	}
	return t, nil
}

func (t *tree) rootAt(size int64) (tlog.Hash, error) {
	return tlog.TreeHash(size, t)
}
