/**
 * Line diff of two texts (the library `diff`, after Myers). The work is bounded: if the texts differ too much, the part
 * between the equal head and tail counts as wholly replaced, which is correct but coarser.
 */
import { diffArrays } from 'diff';

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

type Lines = readonly string[];

/** Limits on lines times edits, and on edits; a comparison takes some 10 ms. */
const maxWork = 4_000_000;
const maxEdits = 500;

const kindOf = ({ added, removed }: { added: boolean; removed: boolean }): DiffLine['kind'] =>
  added ? 'added' : removed ? 'removed' : 'same';

const marked = (kind: DiffLine['kind'], lines: Lines): DiffLine[] => lines.map((text) => ({ kind, text }));

function compareMiddle(before: Lines, after: Lines): DiffLine[] {
  const maxEditLength = Math.min(maxEdits, Math.floor(maxWork / (before.length + after.length + 1)));
  const changes = diffArrays([...before], [...after], { maxEditLength });
  if (!changes) return [...marked('removed', before), ...marked('added', after)];
  return changes.flatMap((change) => marked(kindOf(change), change.value));
}

export function diffLines(before: Lines, after: Lines): readonly DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return [
    ...marked('same', before.slice(0, head)),
    ...compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...marked('same', before.slice(before.length - tail)),
  ];
}
