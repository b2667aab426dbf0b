import { part } from '../part';

export const composer = part({}, {});
