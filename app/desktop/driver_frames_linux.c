//go:build desktop && linux && lineup_driver

#include "driver_linux.h"

// A test cannot look into an opaque frame from the page. So test builds put
// this script into every frame, in a world of its own: the frame's code does
// not see it, and it only tells what a person would see.
static const char *source =
	"const hear = (event) => {"
	"  if (event.source !== parent || event.data?.lineupDriver !== 'ask') return;"
	"  const buttons = [...document.querySelectorAll('button')].map((b) => {"
	"    const r = b.getBoundingClientRect();"
	"    return { name: b.getAttribute('aria-label') ?? b.innerText.trim(), x: r.x + r.width / 2, y: r.y + r.height / 2 };"
	"  });"
	"  parent.postMessage({ lineupDriver: 'reply', text: document.body.innerText, buttons }, '*');"
	"};"
	// A frame that is filled loses its listeners; one that is there is not added twice.
	"addEventListener('message', hear);"
	"setInterval(() => addEventListener('message', hear), 100);";

void lineup_driver_frames(WebKitWebView *view)
{
	WebKitUserScript *script = webkit_user_script_new_for_world(source,
		WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES, WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START,
		"lineup-driver", NULL, NULL);
	webkit_user_content_manager_add_script(webkit_web_view_get_user_content_manager(view), script);
	webkit_user_script_unref(script);
}

void lineup_driver_script(WebKitWebView *view, const char *text)
{
	WebKitUserScript *script = webkit_user_script_new(text,
		WEBKIT_USER_CONTENT_INJECT_TOP_FRAME, WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START, NULL, NULL);
	webkit_user_content_manager_add_script(webkit_web_view_get_user_content_manager(view), script);
	webkit_user_script_unref(script);
}

int lineup_driver_windows(void)
{
	int seen = 0;
	GList *windows = gtk_window_list_toplevels();
	for (GList *l = windows; l != NULL; l = l->next)
		seen += gtk_widget_get_visible(GTK_WIDGET(l->data)) ? 1 : 0;
	g_list_free(windows);
	return seen;
}
