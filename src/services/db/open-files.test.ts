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

describe('open files', () => {
  it('closes the one longest unused when there is one too many (F7)', () => {
    const { files, closed, make } = rig(2);
    const [a, b, c] = [make('a'), make('b'), make('c')];
    files.used(a);
    files.used(b);
    files.used(a);
    files.used(c);
    expect(closed).toEqual(['b']);
  });

  it('never closes a file in use, even where that means one too many', () => {
    const { files, closed, make } = rig(1);
    files.used(make('busy', true));
    files.used(make('also busy', true));
    expect(closed).toEqual([]);
  });

  it('forgets a file that was closed by itself', () => {
    const { files, closed, make } = rig(1);
    const a = make('a');
    files.used(a);
    files.closed(a);
    files.used(make('b'));
    expect(closed).toEqual([]);
  });
});
