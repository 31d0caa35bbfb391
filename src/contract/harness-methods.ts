/** Methods about the command line agents of this computer. */
import { z } from 'zod';
import { harnessViewSchema } from './harnesses.ts';
import { none, row } from './method-row.ts';

export const harnessMethods = {
  /** Looks them up anew: program, version and login of each. */
  'harnesses.list': row(
    () => none,
    () => z.object({ harnesses: z.array(harnessViewSchema) }),
  ),
} as const;
