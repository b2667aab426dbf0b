export { HostError, errorCode } from '$/host/errors';
import { HostError } from '$/host/errors';

/** The parameter that a bad_params error names, else "". */
export function errorField(error: unknown): string {
  return error instanceof HostError ? (error.field ?? '') : '';
}
