/** Operator settings of a model: in agent.yml for one agent, in daemon.yml by `provider/model`. */
import { z } from 'zod';

/** US dollars per million tokens. */
export const priceSchema = () =>
  z.strictObject({
    input: z.number().min(0),
    output: z.number().min(0),
    cache_read: z.number().min(0).optional(),
    cache_write: z.number().min(0).optional(),
  });
export type PriceSetting = z.output<ReturnType<typeof priceSchema>>;

const orNull = <T extends z.ZodType>(type: T) =>
  type.nullish().transform((value): z.output<T> | null => value ?? null);

const tokens = (least: number) =>
  z
    .number('must be a whole number of tokens')
    .int('must be a whole number of tokens')
    .min(least, `must be at least ${least}`)
    .max(100_000_000, 'must be at most 100000000');

/** `null` for the value that the provider reports or Kennel knows. */
export const modelSettingFields = () => ({
  context_window: orNull(tokens(1_024)),
  /** Per answer. */
  max_output_tokens: orNull(tokens(16)),
  temperature: orNull(
    z.number('must be a number').min(0, 'must not be negative').max(2, 'must be at most 2'),
  ),
  /** False if the model writes its calls as text. */
  native_tools: orNull(z.boolean('must be true or false')),
});

export interface ModelSettings {
  readonly context_window: number | null;
  readonly max_output_tokens: number | null;
  readonly temperature: number | null;
  readonly native_tools: boolean | null;
}

/** The longest matching key wins, so an exact name beats a pattern; a trailing * matches any rest. */
export function findByName<T>(
  { provider, model }: { readonly provider: string; readonly model: string },
  named: Readonly<Record<string, T>>,
): T | undefined {
  const name = `${provider}/${model}`;
  const fits = (key: string): boolean =>
    key.endsWith('*') ? name.startsWith(key.slice(0, -1)) : key === name;
  const [key] = Object.keys(named)
    .filter(fits)
    .sort((a, b) => Number(a.endsWith('*')) - Number(b.endsWith('*')) || b.length - a.length);
  return key === undefined ? undefined : named[key];
}
