import { composer } from './parts/composer';
import { log } from './parts/log';
import { prompt } from './parts/prompt';
import { shell } from './parts/shell';
import { surface } from './parts/surface';

export const en = { ...shell.en, ...log.en, ...prompt.en, ...surface.en, ...composer.en };
export type Words = typeof en;
