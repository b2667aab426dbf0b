import { credentials } from './session';
import { Socket } from './socket';

export * from './api.gen';
export { HostError, errorCode } from './errors';
export type { Method, Params, Result } from './methods';
export type { CallOptions, Host, LinkState } from './socket';

/** The one door to Go. main.ts starts it after the controllers listen. */
export const host = new Socket(credentials());
