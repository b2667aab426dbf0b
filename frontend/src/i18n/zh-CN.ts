import type { Words } from './en';
import type { Message } from './part';
import { composer } from './parts/composer';
import { errors } from './parts/errors';
import { log } from './parts/log';
import { places } from './parts/places';
import { preview } from './parts/preview';
import { prompt } from './parts/prompt';
import { shell } from './parts/shell';
import { surface } from './parts/surface';
import { trust } from './parts/trust';

export const zhCN: { readonly [K in keyof Words]: Message } = {
  ...shell.zh,
  ...places.zh,
  ...errors.zh,
  ...log.zh,
  ...prompt.zh,
  ...surface.zh,
  ...trust.zh,
  ...composer.zh,
  ...preview.zh,
};
