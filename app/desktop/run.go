//go:build desktop && linux && cgo

package desktop

// #include <stdlib.h>
// #include "view.h"
import "C"

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"sync/atomic"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	wails_runtime "github.com/wailsapp/wails/v2/pkg/runtime"
)

//go:embed icon.png
var icon []byte

// running is the one window; Wails and GTK allow no second in a process.
var running atomic.Pointer[session]

// session is what the callbacks from C need.
type session struct {
	window  *window
	options Options
	revival revival
	why     atomic.Pointer[string] // why this program ended the web process; nil: nobody said
}

// Available says whether this binary can open a window.
func Available() bool { return true }

// Run opens the window and blocks until it is closed, Window.Quit is called or
// ctx ends. It is called once a process, on the main goroutine. Errors:
// ErrNoDisplay, a field of Options that is wrong, or what Wails reports.
func Run(ctx context.Context, o Options) error {
	if err := o.check(); err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	if err := os.MkdirAll(o.DataDir, 0o700); err != nil {
		return fmt.Errorf("data folder of the window: %w", err)
	}
	prepareEnvironment(o)
	if !openDisplay(o.DataDir) {
		return ErrNoDisplay
	}
	proxy, err := deadAddress()
	if err != nil {
		return err
	}

	w := &window{closed: make(chan struct{})}
	s := &session{window: w, options: o}
	if !running.CompareAndSwap(nil, s) {
		return errors.New("a window was opened before in this process")
	}
	markStart(o.DataDir)
	settled := make(chan struct{})
	app := wailsOptions(o, &gate{settled: settled, page: s.noteStarted(o.Page)})
	app.OnStartup = func(wails context.Context) {
		w.quit = func() { wails_runtime.Quit(wails) }
		if err := w.onGTK(ctx, func() { w.sealView(o, "http://"+proxy) }); err != nil && w.seal.Problem == "" {
			w.seal.Problem = "the web view was not reached: " + err.Error()
		}
		context.AfterFunc(ctx, w.Quit)
		go s.watchMemory(ctx, memoryLimit(machineMemory()))
		startDriver(w)
		if o.OnReady != nil {
			o.OnReady(w)
		}
		close(settled)
	}
	err = wails.Run(app)
	close(w.closed)
	clearStart(o.DataDir)
	return err
}

func wailsOptions(o Options, page *gate) *options.App {
	paper := options.NewRGBA(255, 255, 255, 255)
	if o.Dark {
		paper = options.NewRGBA(24, 24, 27, 255)
	}
	gpu := map[GPUPolicy]linux.WebviewGpuPolicy{
		GPUAuto:   linux.WebviewGpuPolicyOnDemand,
		GPUNever:  linux.WebviewGpuPolicyNever,
		GPUAlways: linux.WebviewGpuPolicyAlways,
	}[o.GPU]
	if o.SafeMode {
		gpu = linux.WebviewGpuPolicyNever
	}
	return &options.App{
		Title:            o.Title,
		Width:            o.Width,
		Height:           o.Height,
		MinWidth:         480,
		MinHeight:        400,
		StartHidden:      o.StartHidden,
		BackgroundColour: paper,
		AssetServer:      &assetserver.Options{Handler: page},
		Logger:           wailsLog{},
		Linux: &linux.Options{
			Icon:             icon,
			ProgramName:      program,
			WebviewGpuPolicy: gpu,
		},
	}
}

func openDisplay(dataDir string) bool {
	var strings cStrings
	defer strings.free()
	var data, cache *C.char
	if d, c := webDirs(dataDir); d != "" {
		data, cache = strings.one(d), strings.one(c)
	}
	return C.lineup_gtk_ready(strings.one(program), data, cache) != 0
}

// check fills in the defaults and refuses what cannot work.
func (o *Options) check() error {
	if o.Page == nil {
		return errors.New("desktop: Page is nil")
	}
	if o.DataDir == "" {
		return errors.New("desktop: DataDir is empty")
	}
	for name, addr := range map[string]string{"UIAddr": o.UIAddr, "SurfaceAddr": o.SurfaceAddr} {
		if host, _, err := net.SplitHostPort(addr); err != nil || host != "127.0.0.1" {
			return fmt.Errorf("desktop: %s is %q, expected 127.0.0.1:PORT", name, addr)
		}
	}
	if o.Title == "" {
		o.Title = "LineUp"
	}
	if o.Width <= 0 {
		o.Width = 1200
	}
	if o.Height <= 0 {
		o.Height = 800
	}
	return nil
}
