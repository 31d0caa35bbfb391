/**
 * Remembers a file's content at the first assessment of a call, which is what the operator was shown. It
 * promises that a change is refused if the file differs by then.
 */
import { createHash } from 'node:crypto';
import type { ToolCallContext } from '../../../core/tools/tool.ts';

/** Bounds the map, because denied calls never remove their entries. */
const maxRemembered = 1_000;

/** Models restart their call ids in every turn, and some in every response. */
export const contentKey = (
  { turnId, callId }: Pick<ToolCallContext, 'turnId' | 'callId'>,
  path: string,
): string => JSON.stringify([turnId, callId, path]);

export interface SeenBefore {
  /**
   * Records the first assessment of a call; a later one replaces it only if the call needs a new approval
   * (`anew`).
   */
  note(call: string, path: string, content: string | null, anew?: true): void;
  /** False if the path now leads elsewhere, or the content is not what was shown. Forgets the call. */
  stillSo(call: string, path: string, content: string | null): boolean;
}

const markOf = (path: string, content: string | null): string =>
  createHash('sha256')
    .update(JSON.stringify([path, content]))
    .digest('hex');

export function createSeenBefore(): SeenBefore {
  const seen = new Map<string, string>();
  return {
    note(call, path, content, anew) {
      if (seen.has(call) && !anew) return;
      seen.set(call, markOf(path, content));
      const oldest = seen.keys().next();
      if (seen.size > maxRemembered && !oldest.done) seen.delete(oldest.value);
    },
    stillSo(call, path, content) {
      const noted = seen.get(call);
      seen.delete(call);
      return noted === undefined || noted === markOf(path, content);
    },
  };
}

export const changedMeanwhile =
  'The file was changed by somebody else after this change was shown, so nothing was written. Read it again and make the change anew.';
