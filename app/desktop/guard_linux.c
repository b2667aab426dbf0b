//go:build desktop && linux

// What content may ask of the window, and the answer is no: other pages in the
// main frame, new windows, downloads, permissions, dialogs, printing.

#include <string.h>
#include "view.h"

static const char *page_url = "wails://wails/";
static char *surface_url; // "http://127.0.0.1:PORT/"
static gint64 chooser_until;

static int may_navigate(const char *uri)
{
	if (uri == NULL)
		return 0;
	// Which frame asks is not known yet; on_response looks at the main frame again.
	return g_str_has_prefix(uri, page_url) || g_str_has_prefix(uri, surface_url) ||
		strcmp(uri, "about:blank") == 0 || strcmp(uri, "about:srcdoc") == 0;
}

static gboolean on_decide(WebKitWebView *view, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type, gpointer data)
{
	(void)view;
	(void)data;
	int yes = 0;
	switch (type) {
	case WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION: {
		WebKitNavigationAction *action = webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
		yes = may_navigate(webkit_uri_request_get_uri(webkit_navigation_action_get_request(action)));
		break;
	}
	case WEBKIT_POLICY_DECISION_TYPE_RESPONSE: {
		WebKitResponsePolicyDecision *response = WEBKIT_RESPONSE_POLICY_DECISION(decision);
		const char *uri = webkit_uri_request_get_uri(webkit_response_policy_decision_get_request(response));
		if (webkit_response_policy_decision_is_main_frame_main_resource(response))
			yes = g_strcmp0(uri, page_url) == 0;
		else
			yes = may_navigate(uri);
		// What cannot be shown would become a download.
		yes = yes && webkit_response_policy_decision_is_mime_type_supported(response);
		break;
	}
	default: // a new window
		break;
	}
	if (yes)
		webkit_policy_decision_use(decision);
	else
		webkit_policy_decision_ignore(decision);
	return TRUE;
}

static GtkWidget *on_create(WebKitWebView *view, WebKitNavigationAction *action, gpointer data)
{
	(void)view;
	(void)action;
	(void)data;
	return NULL;
}

static gboolean on_permission(WebKitWebView *view, WebKitPermissionRequest *request, gpointer data)
{
	(void)view;
	(void)data;
	webkit_permission_request_deny(request);
	return TRUE;
}

static gboolean on_permission_query(WebKitWebView *view, WebKitPermissionStateQuery *query, gpointer data)
{
	(void)view;
	(void)data;
	webkit_permission_state_query_finish(query, WEBKIT_PERMISSION_STATE_DENIED);
	return TRUE;
}

static gboolean on_chooser(WebKitWebView *view, WebKitFileChooserRequest *request, gpointer data)
{
	(void)view;
	(void)data;
	gint64 until = chooser_until;
	chooser_until = 0;
	if (g_get_monotonic_time() <= until)
		return FALSE; // WebKit shows its own chooser
	webkit_file_chooser_request_cancel(request);
	return TRUE;
}

void lineup_allow_chooser(gint64 until)
{
	chooser_until = until;
}

static gboolean on_authenticate(WebKitWebView *view, WebKitAuthenticationRequest *request, gpointer data)
{
	(void)view;
	(void)data;
	webkit_authentication_request_cancel(request);
	return TRUE;
}

static void on_download(WebKitWebContext *context, WebKitDownload *download, gpointer data)
{
	(void)context;
	(void)data;
	webkit_download_cancel(download);
}

// on_load brings the page back should the main frame have left it after all, for
// instance to about:blank, which has no response to decide on.
static void on_load(WebKitWebView *view, WebKitLoadEvent event, gpointer data)
{
	(void)data;
	if (event == WEBKIT_LOAD_COMMITTED && g_strcmp0(webkit_web_view_get_uri(view), page_url) != 0)
		webkit_web_view_load_uri(view, page_url);
}

// refuse answers signals whose handler returns "handled": nothing happens.
static gboolean refuse(void)
{
	return TRUE;
}

void lineup_guard(WebKitWebView *view, const char *surface_origin, lineup_seal *seal)
{
	g_free(surface_url);
	surface_url = g_strconcat(surface_origin, "/", NULL);

	g_signal_connect(view, "decide-policy", G_CALLBACK(on_decide), NULL);
	g_signal_connect(view, "create", G_CALLBACK(on_create), NULL);
	g_signal_connect(view, "permission-request", G_CALLBACK(on_permission), NULL);
	g_signal_connect(view, "query-permission-state", G_CALLBACK(on_permission_query), NULL);
	g_signal_connect(view, "run-file-chooser", G_CALLBACK(on_chooser), NULL);
	g_signal_connect(webkit_web_view_get_context(view), "download-started", G_CALLBACK(on_download), NULL);
	g_signal_connect(view, "authenticate", G_CALLBACK(on_authenticate), NULL);
	g_signal_connect(view, "load-changed", G_CALLBACK(on_load), NULL);
	const char *refused[] = {"script-dialog", "print", "show-notification", "enter-fullscreen", "context-menu", NULL};
	for (int i = 0; refused[i] != NULL; i++)
		g_signal_connect(view, refused[i], G_CALLBACK(refuse), NULL);
	seal->guarded = 1;
}
