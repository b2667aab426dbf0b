import type * as api from './api.gen';

type None = Record<string, never>;

/** Every page → host method: its parameters and its result. Source: app/uiapi/doc.go. */
export interface Methods {
  'ui.hello': [api.HelloParams, api.Snapshot];
  'ui.visible': [api.VisibleParams, api.OK];
  'ui.reading': [api.Reading, api.OK];
  'ui.appearance': [api.Appearance, api.OK];
  'conversation.create': [Partial<api.ConversationParams>, api.Created];
  'conversation.open': [api.ConversationOpenParams, api.ConversationPage];
  'conversation.rename': [api.ConversationParams, api.OK];
  'conversation.pin': [api.ConversationParams, api.OK];
  'conversation.delete': [api.ConversationParams, api.OK];
  'conversation.restore': [api.ConversationParams, api.OK];
  'conversation.draft': [api.ConversationParams, api.OK];
  'message.send': [api.SendParams, api.OK];
  'run.stop': [api.ConversationParams, api.OK];
  'component.answer': [api.AnswerParams, api.OK];
  'prompt.shown': [api.PromptShownParams, api.PromptShown];
  'prompt.answer': [api.PromptAnswerParams, api.OK];
  'surface.show': [api.ShowParams, api.OK];
  'surface.gone': [api.SlotParams, api.OK];
  'surface.wake': [api.SlotParams, api.OK];
  'surface.spare': [None, api.Mount];
  'surface.uplink': [api.UplinkParams, api.OK];
  'surface.unmount': [api.FrameParams, api.OK];
  'surface.navigated': [api.FrameParams, api.OK];
  'surface.silent': [api.SilentParams, api.OK];
  'surface.close': [api.InstanceParams, api.OK];
  'surface.restart': [api.InstanceParams, api.OK];
  'probe.mount': [None, api.ProbeMount];
  'probe.failed': [None, api.OK];
  'agent.add': [api.AgentParams, api.Agent];
  'agent.remove': [api.AgentParams, api.OK];
  'agent.reconnect': [api.AgentParams, api.OK];
  'agent.token': [api.AgentParams, api.OK];
  'settings.set': [api.Settings, api.OK];
  search: [api.SearchParams, api.SearchHit[]];
  'activity.list': [api.ActivityParams, api.ActivityEntry[]];
  'grants.list': [None, api.Grant[]];
  'grants.revoke': [api.GrantParams, api.OK];
  'trust.list': [None, api.Trust];
  'trust.add_key': [api.TrustKeyParams, api.OK];
  'trust.remove_key': [api.TrustKeyParams, api.OK];
  'trust.allow': [api.InstanceParams, api.OK];
  'trust.disallow': [api.AllowedParams, api.OK];
  'apps.view': [None, api.AppsView];
  'inspect.open': [api.InspectParams, api.InspectView];
  'inspect.close': [None, api.OK];
  'inspect.document': [api.InspectParams, api.InspectDocument];
  'inspect.state': [api.InspectParams, api.InspectState];
  'json.view': [api.ItemParams, api.JSONView];
  'open.link': [api.OpenURLParams, api.OK];
  'preview.log': [api.PreviewLogParams, api.PreviewEntry[]];
  'preview.state': [api.PreviewStateParams, api.PreviewState];
  'preview.set_state': [api.PreviewStateParams, api.PreviewState];
  'preview.do': [api.PreviewDoParams, api.OK];
}

export type Method = keyof Methods;
export type Params<M extends Method> = Methods[M][0];
export type Result<M extends Method> = Methods[M][1];

/** Host → page requests: parameters and result. */
export interface PageMethods {
  'page.clipboard_write': [api.ClipboardParams, api.OK];
  'page.open_url': [api.OpenURLParams, api.OK];
}
