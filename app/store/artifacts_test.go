package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
)

func TestArtifacts(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "c", "d")
	seed(t, s, "b", "x")
	put := func(id string, data []byte) (Artifact, error) {
		return s.PutArtifact(ctx, Artifact{ID: id, Conversation: "c", AgentID: "a", Name: "报告.pdf", MIME: "application/pdf", CreatedAt: t0}, data, 1000)
	}
	want, err := put("f", []byte("hello"))
	must(t, err)
	if want.Size != 5 || want.SHA256 != "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" {
		t.Errorf("put gave %+v", want)
	}
	got, ok, err := s.Artifact(ctx, "a", "c", "f")
	if fmt.Sprint(got) != fmt.Sprint(want) || !ok || err != nil {
		t.Errorf("got %v, %v, %v, want %v", got, ok, err, want)
	}
	if again, err := put("f", []byte("hello")); err != nil || fmt.Sprint(again) != fmt.Sprint(want) {
		t.Errorf("the same again: %v, %v", again, err)
	}
	if _, err := put("f", []byte("other")); !errors.Is(err, ErrExists) {
		t.Errorf("other content: %v", err)
	}
	if _, err := put("big", make([]byte, 1001)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("over the limit: %v", err)
	}
	if _, err := put("", nil); !errors.Is(err, ErrInvalid) {
		t.Errorf("no id: %v", err)
	}
	if _, err := s.PutArtifact(ctx, Artifact{ID: "f", Conversation: "x", AgentID: "a"}, nil, 1); !errors.Is(err, ErrNotFound) {
		t.Errorf("into another agent's conversation: %v", err)
	}
	// No agent reaches what is another's, or another conversation's.
	for _, c := range []struct{ agent, id string }{{"b", "f"}, {"a", "g"}} {
		if data, ok, err := s.ArtifactData(ctx, c.agent, "c", c.id); ok || err != nil || data != nil {
			t.Errorf("%v: %q, %v, %v", c, data, ok, err)
		}
	}
	if _, ok, _ := s.Artifact(ctx, "a", "d", "f"); ok {
		t.Error("found in another conversation")
	}
}

func TestArtifactContents(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "c")
	for i, data := range [][]byte{nil, {}, {0}, []byte("\xff\x00text"), bytes.Repeat([]byte{7}, 3<<20)} {
		a, err := s.PutArtifact(ctx, Artifact{ID: fmt.Sprint(i), Conversation: "c", AgentID: "a"}, data, 4<<20)
		must(t, err)
		got, ok, err := s.ArtifactData(ctx, "a", "c", a.ID)
		if !bytes.Equal(got, data) || !ok || err != nil {
			t.Errorf("content %d: %d bytes, %v, %v", i, len(got), ok, err)
		}
	}
	must(t, s.Check(ctx))
}
