// Is this entry in the log, and do the log's tiles hold what its checkpoint says? By Debian's golang-golang-x-mod-dev
// (golang.org/x/mod/sumdb: note and tlog, the code behind Go's checksum database) and nothing of Turnpost.
//
//	verify KEYS PROOF [TILES [REQUEST]]
//
// KEYS: the log's vkey, the witnesses', and last the entry, a line each. REQUEST: what the log asks a witness next.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func check(good bool, what string) {
	if !good {
		log.Fatal(what)
	}
}

func read(name string) string {
	b, err := os.ReadFile(name)
	must(err)
	return string(b)
}

func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	must(err)
	return n
}

func hash(s string) (h tlog.Hash) {
	b, err := base64.StdEncoding.DecodeString(s)
	must(err)
	check(len(b) == len(h), "a hash of another length")
	copy(h[:], b)
	return
}

func hashes(lines []string) (out []tlog.Hash) {
	for _, l := range lines {
		out = append(out, hash(l))
	}
	return
}

// cosigner is a witness's key (c2sp.org/tlog-cosignature), which Go's package does not know.
type cosigner struct {
	name string
	id   uint32
	key  ed25519.PublicKey
}

func newCosigner(vkey string) *cosigner {
	f := strings.SplitN(vkey, "+", 3)
	key, err := base64.StdEncoding.DecodeString(f[2])
	must(err)
	h := sha256.Sum256(append([]byte(f[0]+"\n"), key...))
	check(key[0] == 4 && hex.EncodeToString(h[:4]) == f[1], "no witness's key")
	return &cosigner{f[0], binary.BigEndian.Uint32(h[:]), key[1:]}
}

func (c *cosigner) Name() string    { return c.name }
func (c *cosigner) KeyHash() uint32 { return c.id }
func (c *cosigner) Verify(msg, sig []byte) bool {
	if len(sig) != 72 {
		return false
	}
	said := fmt.Sprintf("cosignature/v1\ntime %d\n%s", binary.BigEndian.Uint64(sig), msg)
	return ed25519.Verify(c.key, []byte(said), sig[8:])
}

// tiles reads a folder of c2sp.org/tlog-tiles.
type tiles string

func (t tiles) path(level string, n, width int64) string {
	p := fmt.Sprintf("%03d", n%1000)
	for n /= 1000; n > 0; n /= 1000 {
		p = fmt.Sprintf("x%03d/%s", n%1000, p)
	}
	if width < 256 {
		p += fmt.Sprintf(".p/%d", width)
	}
	return filepath.Join(string(t), "tile", level, p)
}

// file is a tile or bundle of at least `width` members: a partial one may be gone when the full
// one is there.
func (t tiles) file(level string, n, width int64) ([]byte, error) {
	b, err := os.ReadFile(t.path(level, n, width))
	if os.IsNotExist(err) {
		b, err = os.ReadFile(t.path(level, n, 256))
	}
	return b, err
}

func (t tiles) Height() int                     { return 8 }
func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}
func (t tiles) ReadTiles(want []tlog.Tile) (out [][]byte, err error) {
	for _, w := range want {
		b, err := t.file(strconv.Itoa(w.L), w.N, int64(w.W))
		if err != nil {
			return nil, err
		}
		out = append(out, b[:32*w.W])
	}
	return
}

// checkpoint opens a note and reads the tree from it.
func checkpoint(text string, keys note.Verifiers) (tlog.Tree, *note.Note) {
	n, err := note.Open([]byte(text), keys)
	must(err)
	l := strings.Split(n.Text, "\n")
	return tlog.Tree{N: number(l[1]), Hash: hash(l[2])}, n
}

// every entry of the tree is in its bundle, and each hash of the tiles is that of an entry.
func bundles(t tiles, tree tlog.Tree, wanted []byte, index int64) {
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(at []int64) (out []tlog.Hash, err error) {
		for _, i := range at {
			out = append(out, stored[i])
		}
		return
	})
	for n := int64(0); n*256 < tree.N; n++ {
		width := tree.N - n*256
		if width > 256 {
			width = 256
		}
		b, err := t.file("entries", n, width)
		must(err)
		for i := int64(0); i < width; i++ {
			size := 2 + int(binary.BigEndian.Uint16(b))
			at := n*256 + i
			check(at != index || bytes.Equal(b[2:size], wanted), "another entry in the bundle")
			h, err := tlog.StoredHashes(at, b[2:size], reader)
			must(err)
			stored = append(stored, h...)
			b = b[size:]
		}
	}
	root, err := tlog.TreeHash(tree.N, reader)
	must(err)
	check(root == tree.Hash, "the entries are of another tree")
}

func main() {
	log.SetFlags(0)
	lines := strings.Split(strings.TrimSuffix(read(os.Args[1]), "\n"), "\n")
	entry := []byte(lines[len(lines)-1] + "\n")
	key, err := note.NewVerifier(lines[0])
	must(err)
	all := []note.Verifier{key}
	for _, l := range lines[1 : len(lines)-1] {
		all = append(all, newCosigner(l))
	}
	parts := strings.SplitN(read(os.Args[2]), "\n\n", 2)
	head := strings.Split(parts[0], "\n")
	check(head[0] == "c2sp.org/tlog-proof@v1", "no proof")
	if strings.HasPrefix(head[1], "extra ") {
		head = head[1:]
	}
	index := number(strings.TrimPrefix(head[1], "index "))
	tree, n := checkpoint(parts[1], note.VerifierList(all...))
	check(len(n.Sigs) == len(all), "a signature is missing")
	must(tlog.CheckRecord(hashes(head[2:]), tree.N, tree.Hash, index, tlog.RecordHash(entry)))
	if len(os.Args) > 3 {
		t := tiles(os.Args[3])
		site, _ := checkpoint(read(filepath.Join(string(t), "checkpoint")), note.VerifierList(key))
		for _, now := range []tlog.Tree{tree, site} { // the proof's tree may be an older one: its tiles are there
			reader := tlog.TileHashReader(now, t)
			p, err := tlog.ProveRecord(now.N, index, reader)
			must(err)
			must(tlog.CheckRecord(p, now.N, now.Hash, index, tlog.RecordHash(entry)))
			bundles(t, now, entry, index)
		}
		reader := tlog.TileHashReader(site, t)
		p, err := tlog.ProveTree(site.N, tree.N, reader)
		must(err)
		must(tlog.CheckTree(p, site.N, site.Hash, tree.N, tree.Hash))
	}
	if len(os.Args) > 4 {
		parts := strings.SplitN(read(os.Args[4]), "\n\n", 2)
		head := strings.Split(parts[0], "\n")
		check(number(strings.TrimPrefix(head[0], "old ")) == tree.N, "a request from another size")
		next, _ := checkpoint(parts[1], note.VerifierList(key))
		must(tlog.CheckTree(hashes(head[1:]), next.N, next.Hash, tree.N, tree.Hash))
	}
}
