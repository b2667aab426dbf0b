import { composer } from './parts/composer';
import { errors } from './parts/errors';
import { log } from './parts/log';
import { places } from './parts/places';
import { preview } from './parts/preview';
import { prompt } from './parts/prompt';
import { shell } from './parts/shell';
import { surface } from './parts/surface';
import { trust } from './parts/trust';

export const en = {
  ...shell.en,
  ...places.en,
  ...errors.en,
  ...log.en,
  ...prompt.en,
  ...surface.en,
  ...trust.en,
  ...composer.en,
  ...preview.en,
};
export type Words = typeof en;
