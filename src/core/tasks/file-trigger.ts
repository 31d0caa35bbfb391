/**
 * Decides what a changed file starts: one start per change, also across a restart, because the seen state of
 * a file is stored together with what it started. A brake ends loops in which a task changes the file that
 * starts it.
 */
import { z } from 'zod';

/**
 * Last seen state of a file. Same size, time and inode: the file is not read again. Same digest: no change.
 */
export const fileSeenSchema = z.strictObject({
  size: z.number(),
  /** ms, with fractions. */
  mtime: z.number(),
  inode: z.number(),
  /** SHA-256 of the content in hex. */
  digest: z.string(),
});
export type FileSeen = Readonly<z.infer<typeof fileSeenSchema>>;

export const fileStateSchema = z.strictObject({
  /** By path; `null` before the first look, which starts nothing. */
  seen: z.record(z.string(), fileSeenSchema).nullable(),
  /** Number of starts. */
  started: z.number().int(),
  /** Recent starts, oldest first. */
  recent: z.array(z.strictObject({ at: z.number(), path: z.string() })),
  /** Path of the file that changed too often; nothing starts until a person resumes the schedule. */
  held: z.string().nullable(),
});
export type FileTriggerState = Readonly<z.infer<typeof fileStateSchema>>;

export const newFileState: FileTriggerState = { seen: null, started: 0, recent: [], held: null };

/** Limits that hold the schedule: starts within this time (ms), of one file and of all files. */
export const brakeMs = 600_000;
export const maxStartsOfOne = 5;
export const maxStartsOfAll = 50;

export interface ChangedFile {
  readonly path: string;
  readonly seen: FileSeen;
}

export interface FileLook {
  readonly state: FileTriggerState;
  /** Starts in order. */
  readonly starts: readonly { readonly path: string; readonly count: number }[];
}

const sameContent = (before: FileSeen | undefined, now: FileSeen): boolean => before?.digest === now.digest;

const known = (state: FileTriggerState, path: string): FileSeen | undefined =>
  state.seen !== null && Object.hasOwn(state.seen, path) ? state.seen[path] : undefined;

/** Paths are untrusted, so `__proto__` must be an ordinary key (T26). */
function withSeen(seen: FileTriggerState['seen'], files: readonly ChangedFile[], gone: readonly string[]) {
  const next = new Map(Object.entries(seen ?? {}));
  for (const path of gone) next.delete(path);
  for (const { path, seen: now } of files) next.set(path, now);
  return Object.fromEntries(next);
}

/** Records the files of the first look, or of the first one after a pause, without starting anything. */
export const firstSight = (state: FileTriggerState, files: readonly ChangedFile[]): FileTriggerState => ({
  ...state,
  seen: withSeen(null, files, []),
});

function brakes(recent: FileTriggerState['recent'], path: string): boolean {
  const ofOne = recent.filter((start) => start.path === path).length;
  return ofOne >= maxStartsOfOne || recent.length >= maxStartsOfAll;
}

/**
 * `files`: new or changed, and unchanged since for the rest time. `gone`: deleted; a file created again
 * counts as new.
 */
export function lookAtFiles(
  state: FileTriggerState,
  files: readonly ChangedFile[],
  gone: readonly string[],
  now: number,
): FileLook {
  const starts: { path: string; count: number }[] = [];
  // After the clock is set back, an old start must not look recent for ever.
  let recent = state.recent.filter(({ at }) => at <= now && now - at < brakeMs);
  let { started, held } = state;
  for (const { path, seen } of files) {
    if (held !== null || sameContent(known(state, path), seen)) continue;
    if (brakes(recent, path)) {
      held = path;
      continue;
    }
    started += 1;
    recent = [...recent, { at: now, path }];
    starts.push({ path, count: started });
  }
  return { state: { seen: withSeen(state.seen, files, gone), started, recent, held }, starts };
}

/** Resumes the schedule from the files as they are at the next look. */
export const letGoOn = (state: FileTriggerState): FileTriggerState => ({
  ...state,
  seen: null,
  recent: [],
  held: null,
});

export const fileKey = (scheduleId: string, count: number): string => `schedule:${scheduleId}:file:${count}`;

/** The goal contains a file name or the content of a resource, which are untrusted (T9). */
export const isAboutChange = (key: string | null): boolean =>
  /^schedule:[^:]+:(?:file|resource):/.test(key ?? '');

const plain = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u;

/**
 * Replaces `{{path}}` in a text, or anywhere in the arguments of a workflow; in a text, a path with control
 * characters is written as JSON.
 */
export function withPath<T>(value: T, path: string): T {
  const shown = plain.test(path) ? path : JSON.stringify(path).replace(/\p{Cf}/gu, '?');
  // Arguments are data for a program, so they get the path unchanged.
  return filled(value, '{{path}}', typeof value === 'string' ? shown : path);
}

/** Replaces `{{uri}}` and `{{change}}` in the same way. */
export const withChange = <T>(value: T, uri: string, change: string): T =>
  filled(filled(value, '{{uri}}', uri), '{{change}}', change);

function filled<T>(value: T, mark: string, text: string): T {
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replaceAll(mark, () => text);
    if (Array.isArray(part)) return part.map(fill);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, fill(each)]));
  };
  return fill(value) as T;
}
