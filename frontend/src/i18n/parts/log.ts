import { part } from '../part';

export const log = part({}, {});
