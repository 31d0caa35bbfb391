import { isRecord } from '../../contract/is-record.ts';
import type { PatchOp } from '../../contract/patch.ts';
import type { FeedTopic } from './feed.ts';

const changed = (before: unknown, after: unknown): boolean =>
  before !== after && JSON.stringify(before) !== JSON.stringify(after);

/**
 * Publishes a rebuilt state as its difference from the old one, property by property, `depth` levels deep.
 */
export function differences(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  depth = 1,
  path: readonly (string | number)[] = [],
): PatchOp[] {
  const ops: PatchOp[] = [];
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name)) ops.push({ op: 'delete', path: [...path, name] });
  }
  for (const [name, value] of Object.entries(after)) {
    const old = before[name];
    if (!changed(old, value)) continue;
    const nested = depth > 1 && isRecord(old) && isRecord(value);
    if (nested) ops.push(...differences(old, value, depth - 1, [...path, name]));
    else ops.push({ op: 'set', path: [...path, name], value });
  }
  return ops;
}

export function republish<S extends object>(topic: FeedTopic<S>, next: S, depth = 1): void {
  topic.patch(differences(topic.state() as Record<string, unknown>, next as Record<string, unknown>, depth));
}
