//go:build desktop && linux && lineup_driver

#ifndef LINEUP_DESKTOP_DRIVER_H
#define LINEUP_DESKTOP_DRIVER_H

#include "view.h"

// The C side of the test-only driver. All of it runs on the GTK thread; token
// names the Go channel that gets the answer.
// lineup_driver_watch calls lineupDriverReplaced when the page is replaced.
void lineup_driver_watch(WebKitWebView *view);
// lineup_driver_frames lets a test look into the frames of documents that are loaded from now on.
void lineup_driver_frames(WebKitWebView *view);
// lineup_driver_script has a script run first in each page that is loaded from now on.
void lineup_driver_script(WebKitWebView *view, const char *source);
// lineup_driver_windows counts the toplevel windows that can be seen.
int lineup_driver_windows(void);
void lineup_driver_eval(WebKitWebView *view, const char *body, uintptr_t token);
void lineup_driver_snapshot(WebKitWebView *view, uintptr_t token);
void lineup_driver_clipboard(uintptr_t token);
void lineup_driver_click(WebKitWebView *view, double x, double y);
void lineup_driver_key(WebKitWebView *view, guint value, int modifiers);

#endif
