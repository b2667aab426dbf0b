// Package uiapi is the one door between the host and its page: JSON-RPC 2.0
// over one loopback WebSocket.
//
// Page → host methods (params → result):
//
//	ui.hello              HelloParams → Snapshot          first on each socket, else it is closed
//	conversation.create   ConversationParams → Created
//	conversation.open     ConversationOpenParams → ConversationPage
//	conversation.rename / .pin / .delete / .restore / .draft   ConversationParams → OK
//	message.send          SendParams → OK
//	run.stop              ConversationParams → OK
//	component.answer      AnswerParams → OK
//	prompt.shown          PromptShownParams → PromptShown
//	prompt.answer         PromptAnswerParams → OK
//	surface.show          ShowParams → OK                 its card is on the page; answered by Slots in updates
//	surface.gone          SlotParams → OK                 its card is not on the page any more
//	surface.wake          SlotParams → OK                 the user wants a sleeping or late one
//	surface.spare         {} → Mount                      an empty frame kept warm for the next surface
//	surface.uplink        UplinkParams → OK               usually sent as a notification
//	surface.unmount       FrameParams → OK                a spare frame is gone
//	surface.navigated     FrameParams → OK                a second load of the frame: torn down
//	surface.silent        SilentParams → OK               frames that answer no ping while the page runs: stopped
//	surface.close / surface.restart   InstanceParams → OK
//	probe.mount           {} → ProbeMount
//	agent.add             AgentParams → Agent
//	agent.remove / agent.reconnect / agent.token   AgentParams → OK
//	settings.set          Settings → OK
//	search                SearchParams → []SearchHit
//	activity.list         ActivityParams → []ActivityEntry
//	grants.list           {} → []Grant
//	grants.revoke         GrantParams → OK
//	trust.list            {} → Trust
//	trust.add_key / trust.remove_key   TrustKeyParams → OK
//	trust.allow           InstanceParams → OK             the user allows the bundle of this open surface for its agent
//	trust.disallow        AllowedParams → OK
//	apps.view             {} → AppsView
//	json.view             ItemParams → JSONView
//	inspect.open          InspectParams → InspectView     developer mode: this page watches this surface, and no other
//	inspect.close         {} → OK
//	inspect.document      InspectParams → InspectDocument
//	inspect.state         InspectParams → InspectState
//	ui.visible            VisibleParams → OK
//	ui.reading            Reading → OK                    where the reader is, to come back to
//	ui.appearance         Appearance → OK                after hello, and when the theme or text size changes
//	probe.failed          {} → OK                        the probe did not report in time
//	open.link             OpenURLParams → OK              the user clicked a link in a message
//	preview.log           PreviewLogParams → []PreviewEntry      the preview methods: `lineup preview` only
//	preview.state         PreviewStateParams → PreviewState      what it is now
//	preview.set_state     PreviewStateParams → PreviewState
//	preview.do            PreviewDoParams → OK
//
// Host → page: notification ui.update (Update); notification ui.ping {n}, answered
// at once by the page's socket handler with notification ui.pong {n}; requests page.clipboard_write
// and page.open_url in the web shell.
//
// Errors are JSON-RPC errors whose data.code is a stable word the page translates:
// unauthorized, bad_params (data.field), not_found, already_answered, expired,
// too_soon, refused, busy, internal.
//
// Back-pressure: a client has a set of dirty keys, not a queue of messages; what
// is sent is the current value of each dirty key, so a slow page gets fewer,
// newer updates and the host's memory stays bounded.
package uiapi
