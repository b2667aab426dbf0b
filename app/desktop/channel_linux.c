//go:build desktop && linux

// Wails registers the script message handler "external" in the default world,
// so it exists in every frame, sandboxed or not, and every frame may call Go
// with it. This wall takes it away (SANDBOX.md §1).

#include "view.h"
#include "_cgo_export.h"

static const char *channel = "external";

void lineup_close_channel(WebKitWebView *view, lineup_seal *seal)
{
	WebKitUserContentManager *manager = webkit_web_view_get_user_content_manager(view);
	if (manager == NULL)
		return;
	webkit_user_content_manager_unregister_script_message_handler(manager, channel);

	// Unregistering does not disconnect who listens. A second wall: without a
	// listener a handler that came back by some way would still reach nobody.
	guint signal = g_signal_lookup("script-message-received", WEBKIT_TYPE_USER_CONTENT_MANAGER);
	GQuark detail = g_quark_from_string(channel);
	GSignalMatchType match = G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DETAIL;
	gulong listener;
	while ((listener = g_signal_handler_find(manager, match, signal, detail, NULL, NULL, NULL)) != 0)
		g_signal_handler_disconnect(manager, listener);

	// Nothing tells whether a handler is registered, except that registering
	// succeeds only when it is not.
	int listening = g_signal_has_handler_pending(manager, signal, detail, TRUE);
	int was_free = webkit_user_content_manager_register_script_message_handler(manager, channel);
	webkit_user_content_manager_unregister_script_message_handler(manager, channel);
	seal->handler_removed = was_free && !listening;
}

static void on_message(WebKitUserContentManager *manager, WebKitJavascriptResult *result, gpointer data)
{
	(void)manager;
	(void)data;
	char *text = jsc_value_to_string(webkit_javascript_result_get_js_value(result));
	lineupMessage(text);
	g_free(text);
	// Reading the message started a JavaScript engine in this process, which
	// installs signal handlers of its own.
	lineup_fix_signals();
}

void lineup_watch_channel(WebKitWebView *view)
{
	WebKitUserContentManager *manager = webkit_web_view_get_user_content_manager(view);
	g_signal_connect(manager, "script-message-received::external", G_CALLBACK(on_message), NULL);
}
