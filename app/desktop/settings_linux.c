//go:build desktop && linux

// What the web view can do at all: link features that no CSP covers are off
// (SANDBOX.md §2), and so is everything the host page does not need.

#include "view.h"

// Each opens a connection or looks a name up by the mere presence of an element.
static const char *link_features[] = {
	"LinkPreconnect", "LinkPreconnectEarlyHints", "LinkDNSPrefetch", "LinkPrefetch", "LinkPreload", NULL,
};

static void switch_off(WebKitSettings *settings, const char *name, lineup_seal *seal)
{
	WebKitFeatureList *list = webkit_settings_get_all_features();
	int found = 0;
	for (gsize i = 0; i < webkit_feature_list_get_length(list); i++) {
		WebKitFeature *feature = webkit_feature_list_get(list, i);
		if (g_strcmp0(webkit_feature_get_identifier(feature), name) != 0)
			continue;
		webkit_settings_set_feature_enabled(settings, feature, FALSE);
		found = !webkit_settings_get_feature_enabled(settings, feature);
	}
	webkit_feature_list_unref(list);
	if (found)
		seal->off[seal->off_count++] = name;
	else
		seal->absent[seal->absent_count++] = name;
}

void lineup_links(WebKitWebView *view, lineup_seal *seal)
{
	WebKitSettings *settings = webkit_web_view_get_settings(view);
	for (int i = 0; link_features[i] != NULL; i++)
		switch_off(settings, link_features[i], seal);
}

void lineup_settings(WebKitWebView *view)
{
	g_object_set(webkit_web_view_get_settings(view),
		"enable-developer-extras", FALSE,
		"enable-back-forward-navigation-gestures", FALSE,
		// A page taken from the cache would come back with frames that the host has torn down.
		"enable-page-cache", FALSE,
		"enable-webrtc", FALSE,
		"enable-media-stream", FALSE,
		"enable-encrypted-media", FALSE,
		"allow-modal-dialogs", FALSE,
		"allow-file-access-from-file-urls", FALSE,
		"allow-universal-access-from-file-urls", FALSE,
		"allow-top-navigation-to-data-urls", FALSE,
		"javascript-can-access-clipboard", FALSE,
		"javascript-can-open-windows-automatically", FALSE,
		NULL);
}
