import { expect, test } from 'vitest';
import type { RevertItem } from '../../core/undo/plan-revert.ts';
import { viewItems } from './undo-view.ts';

test('shows the diffs of the first files within one limit, and names the others with their state', () => {
  const text = new TextEncoder().encode('a line of the file\n'.repeat(20_000));
  const after = { kind: 'file', hash: 'h', size: text.length, mode: 0o644 } as const;
  const absent = { kind: 'absent' } as const;
  const items = Array.from({ length: 40 }, (_, index): RevertItem => {
    const path = `/w/${index}`;
    return {
      state: 'ready',
      made: { path, before: absent, after },
      change: { path, before: after, after: absent },
    };
  });
  const shown = viewItems(items, { name: 'guide', cwd: '/w' }, () => text);
  expect(shown).toHaveLength(40);
  expect(shown[0]?.diff).toContain('+a line of the file');
  expect(shown.at(-1)).toMatchObject({ path: '39', state: 'ready', diff: '', cut: true });
  expect(shown.reduce((sum, { diff }) => sum + diff.length, 0)).toBeLessThan(2_200_000);
});
