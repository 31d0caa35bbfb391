/** Methods about the command line agents of this computer. */
import { z } from 'zod';
import { harnessLogSchema, harnessProcessViewSchema } from './harness-processes.ts';
import { harnessCanarySchema, harnessIdSchema, harnessViewSchema } from './harnesses.ts';
import { agentRef, none, ownerByCli, row } from './method-row.ts';

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
  /**
   * Takes the newest session of the agent's program for a terminal of the caller, until its process `pid` ends.
   * The agent's turns wait meanwhile. `busy` while a turn is open: call it again.
   */
  'agents.attach': row(
    () => agentRef.extend({ pid: z.int().min(2) }),
    () =>
      z.discriminatedUnion('state', [
        z.object({ state: z.literal('busy') }),
        z.object({
          state: z.literal('ready'),
          argv: z.array(z.string()).min(1),
          /** The whole environment. It holds a token that ends with the terminal. */
          env: z.record(z.string(), z.string()),
          cwd: z.string(),
          /** Of the program. */
          title: z.string(),
        }),
      ]),
    ownerByCli,
  ),
  /** The terminal has ended. */
  'agents.detach': row(
    () => agentRef.extend({ pid: z.int().min(2) }),
    () => none,
    ownerByCli,
  ),
  /** The program of an agent, and its state now. */
  'harnesses.ofAgent': row(
    () => agentRef,
    () =>
      z.object({
        /** `null` if Kennel itself runs the agent, or does not know its program. */
        harness: harnessViewSchema.nullable(),
        hasWall: z.boolean(),
        /** Its session can be used in a terminal. */
        canAttach: z.boolean(),
        /** ms since the epoch; `null` unless a terminal has or waits for the session. */
        terminalSince: z.number().nullable(),
        /** Tokens of the newest request, as the program reported them; `null` if it did not since the start. */
        context: z.object({ used: z.number(), size: z.number().nullable(), at: z.number() }).nullable(),
      }),
  ),
  /** `not_found` if no program of the agent ran since the start of the host. */
  'harnesses.log': row(
    () => agentRef,
    () => harnessLogSchema,
  ),
} as const;
