//go:build desktop && linux

#ifndef LINEUP_DESKTOP_VIEW_H
#define LINEUP_DESKTOP_VIEW_H

#include <stdint.h>
#include <gtk/gtk.h>
#include <webkit2/webkit2.h>

// view.h is the C side of the window. Every function runs on the GTK thread,
// unless its comment says otherwise.

typedef struct {
	int handler_removed; // the handler is unregistered and nobody listens any more
	int proxy_dead;
	int guarded;
	int off_count, absent_count;
	const char *off[16];
	const char *absent[16];
} lineup_seal;

// lineup_gtk_ready names the program, lets GLib remember data and cache as the
// user's directories (NULL: leaves them) and opens the display; 0 means there is
// none. It is called once, on the thread that will run the main loop.
int lineup_gtk_ready(const char *program, const char *data, const char *cache);
// lineup_on_gtk has lineupRun(token) called on the GTK thread. Any thread.
void lineup_on_gtk(uintptr_t token);

// lineup_find_view returns the only WebKitWebView of the toplevel windows, or
// NULL when there is none or more than one.
WebKitWebView *lineup_find_view(void);

// The walls of the sandbox; settings_linux.c has two.
void lineup_close_channel(WebKitWebView *view, lineup_seal *seal);
void lineup_links(WebKitWebView *view, lineup_seal *seal);
void lineup_settings(WebKitWebView *view);
void lineup_dead_network(WebKitWebView *view, const char *proxy, const char *const *except, lineup_seal *seal);
void lineup_guard(WebKitWebView *view, const char *surface_origin, lineup_seal *seal);

// lineup_watch_channel reports each message of Wails' channel to lineupMessage.
// Called after lineup_close_channel, it is the canary.
void lineup_watch_channel(WebKitWebView *view);
// lineup_watch_process reports the end of the web process to lineupProcessGone.
void lineup_watch_process(WebKitWebView *view);
// lineup_allow_chooser lets one file chooser open before the monotonic time in
// microseconds.
void lineup_allow_chooser(gint64 until);

// lineup_fix_signals gives every signal handler of the process the alternate
// stack that Go needs. Any thread.
void lineup_fix_signals(void);

void lineup_set_clipboard(const char *text, int length);
void lineup_window_show(WebKitWebView *view, int raise);
void lineup_window_hide(WebKitWebView *view);

#endif
