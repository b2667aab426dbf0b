//go:build desktop && linux && lineup_driver

#ifndef LINEUP_DESKTOP_DRIVER_H
#define LINEUP_DESKTOP_DRIVER_H

#include "view.h"

// The C side of the test-only driver. All of it runs on the GTK thread; token
// names the Go channel that gets the answer.
void lineup_driver_eval(WebKitWebView *view, const char *body, uintptr_t token);
void lineup_driver_snapshot(WebKitWebView *view, uintptr_t token);
void lineup_driver_clipboard(uintptr_t token);
void lineup_driver_click(WebKitWebView *view, double x, double y);
int lineup_driver_key(WebKitWebView *view, const char *name, int modifiers);

#endif
