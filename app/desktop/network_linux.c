//go:build desktop && linux

// The web view's network leads nowhere, except to the two loopback addresses of
// the host: a second wall behind CSP and the link features (SANDBOX.md §2).

#include "view.h"

void lineup_dead_network(WebKitWebView *view, const char *proxy, const char *const *except, lineup_seal *seal)
{
	WebKitWebsiteDataManager *manager = webkit_web_view_get_website_data_manager(view);
	if (manager == NULL)
		return;
	WebKitNetworkProxySettings *settings = webkit_network_proxy_settings_new(proxy, except);
	if (settings == NULL)
		return;
	webkit_website_data_manager_set_network_proxy_settings(manager, WEBKIT_NETWORK_PROXY_MODE_CUSTOM, settings);
	webkit_network_proxy_settings_free(settings);
	// No cookie is ever wanted: ports share them.
	webkit_cookie_manager_set_accept_policy(webkit_website_data_manager_get_cookie_manager(manager), WEBKIT_COOKIE_POLICY_ACCEPT_NEVER);
	seal->proxy_dead = 1;
}
