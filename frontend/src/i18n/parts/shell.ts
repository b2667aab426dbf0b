import { part } from '../part';

export const shell = part({ 'app.name': 'LineUp' }, { 'app.name': 'LineUp' });
