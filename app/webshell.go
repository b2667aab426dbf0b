package app

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"lineup/app/web"
	"lineup/frontend"
)

var errNoPage = errors.New("the page was not built into this program: run `make build` (or `make web`), which needs Node")

// link is the line the web host prints.
type linkLine struct {
	URL     string `json:"url"` // with a one-time ticket that lives 60 seconds
	Version string `json:"version"`
	PID     int    `json:"pid"`
}

// webShell is a browser on this computer.
func webShell() shell {
	return shell{name: "web",
		hostOrigins: func(addr string) []string {
			_, port, _ := splitPort(addr)
			return []string{"http://" + addr, "http://localhost:" + port}
		},
		hostOrigin: func(addr string) string { return "http://" + addr },
		// A browser leaks bare connections; that is why this shell is a preview.
		canary: func(c *web.Canary) func() int64 { return c.Requests }}
}

// runWeb serves the host to a browser on this computer until ctx ends.
func runWeb(ctx context.Context, cfg config) error {
	files, ok := frontend.FS()
	if !ok {
		return errNoPage
	}
	c, err := open(ctx, cfg, webShell())
	if errors.Is(err, errRunning) {
		return again(cfg, err)
	}
	if err != nil {
		return err
	}
	defer c.close()
	fresh := func() string {
		line, _ := json.Marshal(linkLine{URL: "http://" + c.ui.Addr() + "/#ticket=" + c.host.Ticket(), Version: Version, PID: os.Getpid()})
		return string(line)
	}
	if err := listenControl(ctx, c.dirs.control(), fresh); err != nil {
		c.log.Warn("no second start can find this one", "err", err)
	}
	first := fresh()
	fmt.Println(first)
	served := servedEN
	if chinese() {
		served = servedZH
	}
	fmt.Fprintln(os.Stderr, served)
	go freshOnEnter(ctx, fresh)
	if !cfg.noOpen {
		openBrowser(first)
	}
	page := web.NewPage(files, c.frames.Origin(), "ws://"+c.ui.Addr(), "ws://localhost:"+portOf(c.ui.Addr()))
	return c.ui.Serve(ctx, c.host.Hub(), page)
}

// freshOnEnter prints a new link for each line typed.
func freshOnEnter(ctx context.Context, fresh func() string) {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() && ctx.Err() == nil {
		fmt.Println(fresh())
	}
}

func openBrowser(line string) {
	var l linkLine
	if json.Unmarshal([]byte(line), &l) != nil {
		return
	}
	if !hasDisplay() {
		return
	}
	cmd := exec.Command("xdg-open", l.URL)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }()
	}
}

// again hands over to the instance that runs already.
func again(cfg config, running error) error {
	d, err := dirsFor(cfg.data)
	if err != nil {
		return err
	}
	line, err := askRunning(d.control())
	if err != nil {
		return running
	}
	if line != "" {
		fmt.Println(line)
	}
	return nil
}
