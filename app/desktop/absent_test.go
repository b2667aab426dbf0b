//go:build !(desktop && linux && cgo)

package desktop

import (
	"context"
	"errors"
	"testing"
)

func TestWithoutTheTagsThereIsNoWindow(t *testing.T) {
	if err := Run(context.Background(), Options{}); Available() || !errors.Is(err, ErrNoWindow) {
		t.Errorf("available %v, %v", Available(), err)
	}
}
