import type { Words } from './en';
import type { Message } from './part';
import { composer } from './parts/composer';
import { log } from './parts/log';
import { prompt } from './parts/prompt';
import { shell } from './parts/shell';
import { surface } from './parts/surface';

export const zhCN: { readonly [K in keyof Words]: Message } = {
  ...shell.zh,
  ...log.zh,
  ...prompt.zh,
  ...surface.zh,
  ...composer.zh,
};
