export { HostError, errorCode } from '$/host/errors';
