// The hunks of a unified diff as editors want them: text before and text after.

interface DiffHunk {
  /** `null` for a new file. */
  readonly oldText: string | null;
  readonly newText: string;
}

/** Returns nothing for a text that is no diff. */
export function diffHunks(diff: string): readonly DiffHunk[] {
  const hunks: { isNew: boolean; before: string[]; after: string[] }[] = [];
  for (const line of diff.split('\n')) {
    if (line.startsWith('@@ ')) {
      hunks.push({ isNew: line.startsWith('@@ -0,0 '), before: [], after: [] });
      continue;
    }
    const hunk = hunks.at(-1);
    const text = line.slice(1);
    if (line.startsWith('-') || line.startsWith(' ')) hunk?.before.push(text);
    if (line.startsWith('+') || line.startsWith(' ')) hunk?.after.push(text);
  }
  return hunks.map(({ isNew, before, after }) => ({
    oldText: isNew ? null : before.join('\n'),
    newText: after.join('\n'),
  }));
}
