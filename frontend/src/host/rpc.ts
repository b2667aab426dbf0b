/** JSON-RPC 2.0 frames as they come off the socket, narrowed once. */
export type Frame =
  | { kind: 'result'; id: number; result: unknown }
  | { kind: 'error'; id: number; code: string; field?: string }
  | { kind: 'request'; id: number | string; method: string; params: unknown }
  | { kind: 'notification'; method: string; params: unknown };

/** Null for anything that is not a JSON-RPC 2.0 frame: it is dropped. */
export function decode(text: string): Frame | null {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(raw)) return null;
  const { id, method } = raw;
  if (typeof method === 'string') {
    if (typeof id === 'number' || typeof id === 'string')
      return { kind: 'request', id, method, params: raw.params };
    return { kind: 'notification', method, params: raw.params };
  }
  if (typeof id !== 'number') return null;
  if (isObject(raw.error)) {
    const data = isObject(raw.error.data) ? raw.error.data : {};
    const code = typeof data.code === 'string' ? data.code : 'internal';
    return { kind: 'error', id, code, field: typeof data.field === 'string' ? data.field : undefined };
  }
  return { kind: 'result', id, result: raw.result };
}

export const request = (id: number, method: string, params: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

export const notification = (method: string, params: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', method, params });

export const response = (id: number | string, result: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id, result });

export const failure = (id: number | string, code: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: code, data: { code } } });

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
