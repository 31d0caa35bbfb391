import { describe, expect, it } from 'vitest';
import { type ClosableFile, createOpenFiles } from './open-files.ts';

function rig(limit: number) {
  const files = createOpenFiles(limit);
  const closed: string[] = [];
  const make = (name: string, busy = false): ClosableFile => {
    const file: ClosableFile = {
      busy,
      close: () => {
        closed.push(name);
        files.closed(file);
      },
    };
    return file;
  };
  return { files, closed, make };
}

describe('Open file limit', () => {
  it('closes the least recently used file when exceeded (F7)', () => {
    const { files, closed, make } = rig(2);
    const [a, b, c] = [make('a'), make('b'), make('c')];
    files.used(a);
    files.used(b);
    files.used(a);
    files.used(c);
    expect(closed).toEqual(['b']);
  });

  it('never closes a file in use, even when exceeded', () => {
    const { files, closed, make } = rig(1);
    files.used(make('busy', true));
    files.used(make('also busy', true));
    expect(closed).toEqual([]);
  });

  it('does not count a file that closed itself', () => {
    const { files, closed, make } = rig(1);
    const a = make('a');
    files.used(a);
    files.closed(a);
    files.used(make('b'));
    expect(closed).toEqual([]);
  });
});
