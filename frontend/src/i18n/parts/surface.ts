import { part } from '../part';

export const surface = part({}, {});
