/**
 * What a change of a file starts. It promises one start for one change, also across a restart, because what was seen of a
 * file is stored together with what it started; and an end to a loop in which a task changes the file that starts it.
 */
import { z } from 'zod';

/** What a file looked like. Same size, time and inode: not read again. Same digest: not a change. */
export const fileSeenSchema = z.strictObject({
  size: z.number(),
  /** ms, with fractions. */
  mtime: z.number(),
  inode: z.number(),
  /** SHA-256 of the content, hex. */
  digest: z.string(),
});
export type FileSeen = Readonly<z.infer<typeof fileSeenSchema>>;

export const fileStateSchema = z.strictObject({
  /** By path; null: nobody has looked yet, and what is there at the first look starts nothing. */
  seen: z.record(z.string(), fileSeenSchema).nullable(),
  /** Counts starts. */
  started: z.number().int(),
  /** The latest starts, oldest first. */
  recent: z.array(z.strictObject({ at: z.number(), path: z.string() })),
  /** The file that changed too often; nothing is started until a person lets it go on. */
  held: z.string().nullable(),
});
export type FileState = Readonly<z.infer<typeof fileStateSchema>>;

export const newFileState: FileState = { seen: null, started: 0, recent: [], held: null };

/** Starts within this time, ms, that hold the schedule: of one file, and of all of them. */
export const brakeMs = 600_000;
export const maxStartsOfOne = 5;
export const maxStartsOfAll = 50;

export interface ChangedFile {
  readonly path: string;
  readonly seen: FileSeen;
}

export interface FileLook {
  readonly state: FileState;
  /** What to start, in this order. */
  readonly starts: readonly { readonly path: string; readonly count: number }[];
}

const sameContent = (before: FileSeen | undefined, now: FileSeen): boolean => before?.digest === now.digest;

const known = (state: FileState, path: string): FileSeen | undefined =>
  state.seen !== null && Object.hasOwn(state.seen, path) ? state.seen[path] : undefined;

/** Keys are names that others choose: `__proto__` is a name like any other (T26). */
function withSeen(seen: FileState['seen'], files: readonly ChangedFile[], gone: readonly string[]) {
  const next = new Map(Object.entries(seen ?? {}));
  for (const path of gone) next.delete(path);
  for (const { path, seen: now } of files) next.set(path, now);
  return Object.fromEntries(next);
}

/** What is there at the first look, or after a pause: it has started nothing and will not. */
export const firstSight = (state: FileState, files: readonly ChangedFile[]): FileState => ({
  ...state,
  seen: withSeen(null, files, []),
});

function brakes(recent: FileState['recent'], path: string): boolean {
  const ofOne = recent.filter((start) => start.path === path).length;
  return ofOne >= maxStartsOfOne || recent.length >= maxStartsOfAll;
}

/** `files`: new or changed, and at rest since. `gone`: not there any more; made again, they are new. */
export function lookAtFiles(
  state: FileState,
  files: readonly ChangedFile[],
  gone: readonly string[],
  now: number,
): FileLook {
  const starts: { path: string; count: number }[] = [];
  // A clock that was set back must not make an old start look recent for ever.
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

/** A person lets it go on: from what is there then. */
export const letGoOn = (state: FileState): FileState => ({ ...state, seen: null, recent: [], held: null });

export const fileKey = (scheduleId: string, count: number): string => `schedule:${scheduleId}:file:${count}`;

/** Its goal carries a name that somebody chose: words of others (T9). */
export const isAboutFile = (key: string | null): boolean => /^schedule:[^:]+:file:/.test(key ?? '');

const plain = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u;

/** `{{path}}` in a text, or anywhere in the arguments of a workflow; a name that would break a line is written as JSON. */
export function withPath<T>(value: T, path: string): T {
  const shown = plain.test(path) ? path : JSON.stringify(path).replace(/\p{Cf}/gu, '?');
  const fill = (part: unknown, text: string): unknown => {
    if (typeof part === 'string') return part.replaceAll('{{path}}', () => text);
    if (Array.isArray(part)) return part.map((each) => fill(each, text));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, fill(each, text)]));
  };
  // Arguments are data of a program: they get the name as it is.
  return fill(value, typeof value === 'string' ? shown : path) as T;
}
