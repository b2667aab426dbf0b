//go:build desktop && linux

#include <errno.h>
#include <signal.h>
#include "view.h"
#include "_cgo_export.h"

// remember has GLib cache a user directory that differs from the environment's.
// The environment itself is put back at once: fontconfig and child processes
// must go on to see the user's own.
static void remember(const char *variable, const char *value, const gchar *(*get)(void))
{
	gchar *old = g_strdup(g_getenv(variable));
	g_setenv(variable, value, TRUE);
	get();
	if (old != NULL)
		g_setenv(variable, old, TRUE);
	else
		g_unsetenv(variable);
	g_free(old);
}

int lineup_gtk_ready(const char *program, const char *data, const char *cache)
{
	g_set_prgname(program);
	if (data != NULL)
		remember("XDG_DATA_HOME", data, g_get_user_data_dir);
	if (cache != NULL)
		remember("XDG_CACHE_HOME", cache, g_get_user_cache_dir);
	return gtk_init_check(NULL, NULL);
}

static gboolean run(gpointer token)
{
	lineupRun((uintptr_t)token);
	return G_SOURCE_REMOVE;
}

void lineup_on_gtk(uintptr_t token)
{
	// Before anything the web view may have queued.
	g_idle_add_full(G_PRIORITY_HIGH, run, (gpointer)token, NULL);
}

typedef struct {
	WebKitWebView *view;
	int count;
} search;

static void look(GtkWidget *widget, gpointer data)
{
	search *s = data;
	if (WEBKIT_IS_WEB_VIEW(widget)) {
		s->view = WEBKIT_WEB_VIEW(widget);
		s->count++;
	} else if (GTK_IS_CONTAINER(widget)) {
		gtk_container_forall(GTK_CONTAINER(widget), look, data);
	}
}

WebKitWebView *lineup_find_view(void)
{
	search s = {NULL, 0};
	GList *windows = gtk_window_list_toplevels();
	for (GList *l = windows; l != NULL; l = l->next)
		look(GTK_WIDGET(l->data), &s);
	g_list_free(windows);
	return s.count == 1 ? s.view : NULL;
}

static void on_terminated(WebKitWebView *view, WebKitWebProcessTerminationReason reason, gpointer data)
{
	(void)view;
	(void)data;
	lineupProcessGone((int)reason);
}

static void on_load(WebKitWebView *view, WebKitLoadEvent event, gpointer data)
{
	(void)view;
	(void)data;
	if (event == WEBKIT_LOAD_FINISHED)
		lineup_fix_signals();
}

void lineup_watch_process(WebKitWebView *view)
{
	g_signal_connect(view, "web-process-terminated", G_CALLBACK(on_terminated), NULL);
	g_signal_connect(view, "load-changed", G_CALLBACK(on_load), NULL);
}

void lineup_fix_signals(void)
{
	for (int number = 1; number < NSIG; number++) {
		struct sigaction action;
		if (sigaction(number, NULL, &action) != 0)
			continue;
		if ((action.sa_flags & SA_ONSTACK) || action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)
			continue;
		action.sa_flags |= SA_ONSTACK;
		sigaction(number, &action, NULL);
	}
}

void lineup_set_clipboard(const char *text, int length)
{
	GtkClipboard *clipboard = gtk_clipboard_get(GDK_SELECTION_CLIPBOARD);
	gtk_clipboard_set_text(clipboard, text, length);
	// GTK hands it to the clipboard manager when the main loop ends, so that it
	// outlives the program.
	gtk_clipboard_set_can_store(clipboard, NULL, 0);
}

void lineup_window_show(WebKitWebView *view, int raise)
{
	GtkWidget *top = gtk_widget_get_toplevel(GTK_WIDGET(view));
	gtk_widget_show(top);
	if (raise)
		gtk_window_present(GTK_WINDOW(top));
}

void lineup_window_hide(WebKitWebView *view)
{
	gtk_widget_hide(gtk_widget_get_toplevel(GTK_WIDGET(view)));
}
