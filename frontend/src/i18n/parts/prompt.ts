import { part } from '../part';

export const prompt = part({}, {});
