/** Methods about the command line agents of this computer. */
import { z } from 'zod';
import { harnessLogSchema, harnessProcessViewSchema } from './harness-processes.ts';
import { harnessCanarySchema, harnessIdSchema, harnessViewSchema } from './harnesses.ts';
import { agentRef, none, row } from './method-row.ts';

export const harnessMethods = {
  /** Looks them up anew: program, version and login of each. */
  'harnesses.list': row(
    () => none,
    () =>
      z.object({
        harnesses: z.array(harnessViewSchema),
        /** This system offers a sandbox for them. */
        hasWall: z.boolean(),
      }),
  ),
  /** Runs the installed version once on a scripted model, in an empty folder, and keeps what it asked for. */
  'harnesses.test': row(
    () => z.object({ id: harnessIdSchema }),
    () => z.object({ canary: harnessCanarySchema }),
  ),
  /** The programs of agents that run now, oldest first. */
  'harnesses.processes': row(
    () => none,
    () => z.object({ processes: z.array(harnessProcessViewSchema) }),
  ),
  /** Ends a program with all its children, and its open turn; the next turn of its agent starts it again. */
  'harnesses.endProcess': row(
    () => z.object({ id: z.string() }),
    () => none,
  ),
  /** Kills a program with all its children; an open turn goes on in a new one. */
  'harnesses.restartProcess': row(
    () => z.object({ id: z.string() }),
    () => none,
  ),
  /** `not_found` if no program of the agent ran since the start of the host. */
  'harnesses.log': row(
    () => agentRef,
    () => harnessLogSchema,
  ),
} as const;
