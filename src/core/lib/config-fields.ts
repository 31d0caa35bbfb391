/** Fields of the YAML files that people edit. A key without a value is `null` in YAML and means the default. */
import { z } from 'zod';

export const orDefault = <T extends z.ZodType>(type: T, fallback: z.output<T>) =>
  type.nullish().transform((value): z.output<T> => value ?? fallback);

export const flagField = (fallback: boolean) => orDefault(z.boolean('must be true or false'), fallback);

/** `null` for no limit. */
export const limitField = () =>
  z
    .number('must be a number')
    .min(0, 'must not be negative')
    .nullish()
    .transform((value) => value ?? null);

export const sectionField = <T extends z.ZodRawShape>(shape: T) =>
  z.preprocess((value) => value ?? {}, z.object(shape, 'must hold keys and values'));
