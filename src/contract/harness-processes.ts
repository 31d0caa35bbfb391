/** Processes of agent programs that run now. */
import { z } from 'zod';

export const harnessProcessViewSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  /** File name of the program. */
  program: z.string(),
  pid: z.number(),
  /** Runs in a sandbox. */
  hasWall: z.boolean(),
  /** Name of its container, in which the program runs. */
  container: z.string().nullable(),
  /** ms since the epoch. */
  startedAt: z.number(),
  /** Usage of the process with its children; `null` where the system does not report it. */
  usage: z
    .object({ processes: z.number(), cpuMs: z.number(), memoryBytes: z.number(), openFiles: z.number() })
    .nullable(),
});
export type HarnessProcessView = z.output<typeof harnessProcessViewSchema>;

/** Standard error of the newest program of an agent, also after its end. */
export const harnessLogSchema = z.object({
  /** File name of the program. */
  program: z.string(),
  /** The last 16 KiB, without secrets; empty if it printed nothing. */
  text: z.string(),
  /** ms since the epoch; `null` while it runs. */
  endedAt: z.number().nullable(),
});
export type HarnessLog = z.output<typeof harnessLogSchema>;
