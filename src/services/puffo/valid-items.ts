/** A list from the server without its invalid items, so that one bad entry hides no other. */
import { z } from 'zod';

const mostItems = 10_000;

export const validItems = <T>(item: z.ZodType<T>) =>
  z
    .array(z.unknown())
    .max(mostItems)
    .transform((all) =>
      all.flatMap((one): T[] => {
        const read = item.safeParse(one);
        return read.success ? [read.data] : [];
      }),
    );
