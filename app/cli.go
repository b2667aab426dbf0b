package app

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"

	"lineup/app/demoagent"
	"lineup/app/desktop"
	"lineup/app/host"
)

// Main runs the command line and returns the exit code.
func Main(args []string) int {
	runtime.LockOSThread() // GTK wants the main thread
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := command()
	root.SetArgs(args)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "lineup: "+say(err))
		return exitCodeOf(err)
	}
	return 0
}

func command() *cobra.Command {
	var cfg config
	var policy string
	var verbose bool
	root := &cobra.Command{
		Use:           "lineup",
		Short:         "A desktop host for agents",
		Long:          "LineUp Desktop: chat with agents, use the interfaces they send, and decide what they may do.\n\nWithout a command it opens the window.",
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       Version,
		PersistentPreRunE: func(*cobra.Command, []string) (err error) {
			cfg.log = newLog(verbose)
			cfg.policy, err = host.ParsePolicy(policy)
			return err
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !desktop.Available() {
				return desktop.ErrNoWindow
			}
			return runWindow(cmd.Context(), cfg, windowOptions{})
		},
	}
	flags := root.PersistentFlags()
	flags.StringVar(&cfg.data, "data", "", "keep all data in this `DIR` instead of the user's own folders")
	flags.StringVar(&cfg.agentURL, "agent", "", "connect to the agent at this ws:// or wss:// `URL` instead of the demo agent (token: $"+TokenEnv+")")
	flags.StringVar(&policy, "bundle-policy", string(host.PolicyAsk), "which interfaces agents may send: ask, any-sandboxed, allowlisted, installed-only")
	flags.BoolVarP(&verbose, "verbose", "v", false, "log more")

	webCmd := &cobra.Command{
		Use: "web", Short: "Serve the same host to a browser on this computer (for development and preview)", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runWeb(cmd.Context(), cfg) },
	}
	webCmd.Flags().IntVar(&cfg.port, "port", 0, "loopback port (0: any free one)")
	webCmd.Flags().BoolVar(&cfg.noOpen, "no-open", false, "do not open a browser")

	root.AddCommand(webCmd, previewCommand(&cfg), bundleCommand(), demoCommand(&cfg), doctorCommand(&cfg), probeCommand(&cfg), hasWindowCommand())
	return root
}

func demoCommand(cfg *config) *cobra.Command {
	var port int
	var memory string
	cmd := &cobra.Command{
		Use: "demo-agent", Short: "Run the demo agent by itself", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			srv, err := demoagent.Serve(cmd.Context(), demoagent.Options{
				Listen: fmt.Sprintf("127.0.0.1:%d", port), Token: envToken(), StateFile: memory, Logger: cfg.log})
			if err != nil {
				return err
			}
			fmt.Println(srv.URL())
			<-cmd.Context().Done()
			return srv.Close()
		},
	}
	cmd.Flags().IntVar(&port, "port", 0, "loopback port (0: any free one)")
	cmd.Flags().StringVar(&memory, "memory", "", "`FILE` that keeps what the agent knows across restarts")
	return cmd
}

// hasWindowCommand lets a script ask what was built.
func hasWindowCommand() *cobra.Command {
	return &cobra.Command{Use: "has-window", Hidden: true, Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error {
		if !desktop.Available() {
			return desktop.ErrNoWindow
		}
		return nil
	}}
}

func splitPort(addr string) (host, port string, err error) { return net.SplitHostPort(addr) }

func portOf(addr string) string {
	_, port, _ := splitPort(addr)
	return port
}
