/**
 * What went wrong with a call. `code` is the host's stable word (unauthorized,
 * bad_params, not_found, already_answered, expired, too_soon, refused, busy,
 * internal) or one of the page's own: offline (no connection, and the caller
 * would not wait) and queue_full.
 */
export class HostError extends Error {
  constructor(
    readonly code: string,
    readonly field?: string,
  ) {
    super(field ? `${code}: ${field}` : code);
    this.name = 'HostError';
  }
}

/** The code of any thrown value; what is not a HostError is "internal". */
export function errorCode(error: unknown): string {
  return error instanceof HostError ? error.code : 'internal';
}
