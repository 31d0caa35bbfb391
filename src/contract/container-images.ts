/** Images in which agents of the kind `cli-docker` run, and their containers. */
import { z } from 'zod';
import { appErrorSchema } from './error-schema.ts';
import { harnessIdSchema } from './harnesses.ts';

/** `noPermission`: the engine runs, but not for this person. */
export const engineStates = ['ready', 'noPermission', 'notRunning', 'failed'] as const;

export const engineViewSchema = z.object({
  name: z.enum(['docker', 'podman']),
  state: z.enum(engineStates),
  /** The engine's words if it is not ready. */
  why: z.string(),
});
export type EngineView = z.output<typeof engineViewSchema>;

/** A name that an engine cannot read as an option. */
export const imageNamePattern = /^\w[\w.:/@-]*$/;

/** The image that Kennel builds for a program. */
export const imageViewSchema = z.object({
  harness: harnessIdSchema,
  title: z.string(),
  image: z.string(),
  isThere: z.boolean(),
});

export const imageJobSchema = z.object({
  image: z.string(),
  action: z.enum(['build', 'pull', 'import']),
  state: z.enum(['running', 'done', 'failed']),
  /** The newest lines of the engine. */
  lines: z.array(z.string()),
  /** Of all lines so far. */
  lineCount: z.number(),
  error: appErrorSchema.nullable(),
});
export type ImageJob = z.output<typeof imageJobSchema>;

export const containerViewSchema = z.object({
  /** `null` if no engine is ready. */
  engine: z.enum(['docker', 'podman']).nullable(),
  image: z.string(),
  isImageThere: z.boolean(),
  /** For example `1.5g`; empty for no limit. */
  memory: z.string(),
  cpus: z.number(),
  processes: z.number(),
  /** As the engine calls it, such as `running`; `null` before the first start. */
  state: z.string().nullable(),
});
