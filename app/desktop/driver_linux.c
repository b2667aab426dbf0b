//go:build desktop && linux && lineup_driver

#include "driver_linux.h"
#include "_cgo_export.h"

static void answer_error(uintptr_t token, GError *error)
{
	lineupDriverAnswer(token, 0, error->message, (int)strlen(error->message));
	g_error_free(error);
}

static void on_eval(GObject *object, GAsyncResult *result, gpointer token)
{
	GError *error = NULL;
	JSCValue *value = webkit_web_view_call_async_javascript_function_finish(WEBKIT_WEB_VIEW(object), result, &error);
	if (value == NULL) {
		answer_error((uintptr_t)token, error);
	} else {
		char *text = jsc_value_to_string(value);
		lineupDriverAnswer((uintptr_t)token, 1, text, (int)strlen(text));
		g_free(text);
		g_object_unref(value);
	}
	// A value starts a JavaScript engine in this process.
	lineup_fix_signals();
}

static void on_replaced(WebKitWebView *view, WebKitLoadEvent event, gpointer data)
{
	(void)view;
	(void)data;
	if (event == WEBKIT_LOAD_COMMITTED)
		lineupDriverReplaced();
}

static void on_ended(void)
{
	lineupDriverReplaced();
}

void lineup_driver_watch(WebKitWebView *view)
{
	g_signal_connect(view, "load-changed", G_CALLBACK(on_replaced), NULL);
	g_signal_connect(view, "web-process-terminated", G_CALLBACK(on_ended), NULL);
}

void lineup_driver_eval(WebKitWebView *view, const char *body, uintptr_t token)
{
	webkit_web_view_call_async_javascript_function(view, body, -1, NULL, NULL, NULL, NULL, on_eval, (gpointer)token);
}

static cairo_status_t append(void *buffer, const unsigned char *data, unsigned int length)
{
	g_byte_array_append(buffer, data, length);
	return CAIRO_STATUS_SUCCESS;
}

static void on_snapshot(GObject *object, GAsyncResult *result, gpointer token)
{
	GError *error = NULL;
	cairo_surface_t *surface = webkit_web_view_get_snapshot_finish(WEBKIT_WEB_VIEW(object), result, &error);
	if (surface == NULL) {
		answer_error((uintptr_t)token, error);
		return;
	}
	GByteArray *png = g_byte_array_new();
	cairo_surface_write_to_png_stream(surface, append, png);
	lineupDriverAnswer((uintptr_t)token, 1, (char *)png->data, (int)png->len);
	g_byte_array_unref(png);
	cairo_surface_destroy(surface);
}

void lineup_driver_snapshot(WebKitWebView *view, uintptr_t token)
{
	webkit_web_view_get_snapshot(view, WEBKIT_SNAPSHOT_REGION_VISIBLE, WEBKIT_SNAPSHOT_OPTIONS_NONE, NULL, on_snapshot, (gpointer)token);
}

static void on_clipboard(GtkClipboard *clipboard, const gchar *text, gpointer token)
{
	(void)clipboard;
	const char *got = text != NULL ? text : "";
	lineupDriverAnswer((uintptr_t)token, 1, (char *)got, (int)strlen(got));
}

void lineup_driver_clipboard(uintptr_t token)
{
	gtk_clipboard_request_text(gtk_clipboard_get(GDK_SELECTION_CLIPBOARD), on_clipboard, (gpointer)token);
}

static GdkDevice *device(WebKitWebView *view, int keyboard)
{
	GdkSeat *seat = gdk_display_get_default_seat(gtk_widget_get_display(GTK_WIDGET(view)));
	return keyboard ? gdk_seat_get_keyboard(seat) : gdk_seat_get_pointer(seat);
}

static void send(WebKitWebView *view, GdkEvent *event, GdkDevice *from)
{
	gdk_event_set_device(event, from);
	gtk_widget_event(GTK_WIDGET(view), event);
	gdk_event_free(event);
}

void lineup_driver_click(WebKitWebView *view, double x, double y)
{
	GdkWindow *window = gtk_widget_get_window(GTK_WIDGET(view));
	int left = 0, top = 0;
	gdk_window_get_origin(window, &left, &top);
	gtk_widget_grab_focus(GTK_WIDGET(view));

	GdkEvent *motion = gdk_event_new(GDK_MOTION_NOTIFY);
	motion->motion.window = g_object_ref(window);
	motion->motion.time = (guint32)(g_get_monotonic_time() / 1000);
	motion->motion.x = x;
	motion->motion.y = y;
	motion->motion.x_root = left + x;
	motion->motion.y_root = top + y;
	send(view, motion, device(view, 0));

	GdkEventType types[] = {GDK_BUTTON_PRESS, GDK_BUTTON_RELEASE};
	for (int i = 0; i < 2; i++) {
		GdkEvent *event = gdk_event_new(types[i]);
		event->button.window = g_object_ref(window);
		event->button.time = (guint32)(g_get_monotonic_time() / 1000);
		event->button.button = 1;
		event->button.state = i == 1 ? GDK_BUTTON1_MASK : 0;
		event->button.x = x;
		event->button.y = y;
		event->button.x_root = left + x;
		event->button.y_root = top + y;
		send(view, event, device(view, 0));
	}
}

void lineup_driver_key(WebKitWebView *view, guint value, int modifiers)
{
	GdkKeymap *map = gdk_keymap_get_for_display(gtk_widget_get_display(GTK_WIDGET(view)));
	GdkKeymapKey *keys = NULL;
	gint count = 0;
	guint16 code = 0;
	if (gdk_keymap_get_entries_for_keyval(map, value, &keys, &count) && count > 0)
		code = (guint16)keys[0].keycode;
	g_free(keys);

	GdkEventType types[] = {GDK_KEY_PRESS, GDK_KEY_RELEASE};
	for (int i = 0; i < 2; i++) {
		GdkEvent *event = gdk_event_new(types[i]);
		event->key.window = g_object_ref(gtk_widget_get_window(GTK_WIDGET(view)));
		event->key.time = (guint32)(g_get_monotonic_time() / 1000);
		event->key.keyval = value;
		event->key.hardware_keycode = code;
		event->key.state = (guint)modifiers;
		send(view, event, device(view, 1));
	}
}
