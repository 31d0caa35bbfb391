import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  brakeMs,
  type ChangedFile,
  type FileTriggerState,
  fileKey,
  firstSight,
  isAboutChange,
  letGoOn,
  lookAtFiles,
  maxStartsOfAll,
  maxStartsOfOne,
  newFileState,
  withPath,
} from './file-trigger.ts';

const file = (path: string, digest: string, mtime = 1): ChangedFile => ({
  path,
  seen: { size: 1, mtime, inode: 1, digest },
});
const paths = (look: { starts: readonly { path: string }[] }) => look.starts.map(({ path }) => path);

describe('File trigger', () => {
  it('starts nothing for files that exist at the first look', () => {
    const state = firstSight(newFileState, [file('/a', 'one')]);
    expect(paths(lookAtFiles(state, [file('/a', 'one', 2)], [], 10))).toEqual([]);
    expect(paths(lookAtFiles(state, [file('/a', 'two'), file('/b', 'new')], [], 10))).toEqual(['/a', '/b']);
  });
  it('starts once per content, whatever the file times say, and again if old content returns', () => {
    let state: FileTriggerState = firstSight(newFileState, []);
    const seen: (readonly string[])[] = [];
    for (const [index, digest] of ['one', 'one', 'two', 'one'].entries()) {
      const look = lookAtFiles(state, [file('/a', digest, 7 * index)], [], 10);
      seen.push(look.starts.map(({ count }) => fileKey('s', count)));
      ({ state } = look);
    }
    expect(seen).toEqual([['schedule:s:file:1'], [], ['schedule:s:file:2'], ['schedule:s:file:3']]);
    const gone = lookAtFiles(state, [], ['/a'], 10).state;
    expect(paths(lookAtFiles(gone, [file('/a', 'one')], [], 10))).toEqual(['/a']);
  });
  it('pauses if one file triggers over and over, until the operator resumes it', () => {
    let state: FileTriggerState = firstSight(newFileState, []);
    let started = 0;
    for (let n = 0; n < maxStartsOfOne + 3; n += 1) {
      const look = lookAtFiles(state, [file('/a', `own ${n}`)], [], n);
      started += look.starts.length;
      ({ state } = look);
    }
    expect([started, state.held]).toEqual([maxStartsOfOne, '/a']);
    expect(lookAtFiles(state, [file('/b', 'x')], [], brakeMs * 2).starts).toEqual([]);
    const again = letGoOn(state);
    expect([again.seen, again.held]).toEqual([null, null]);
    expect(paths(lookAtFiles(firstSight(again, []), [file('/a', 'x')], [], brakeMs))).toEqual(['/a']);
  });
  it('allows any number of changes over a longer time', () => {
    let state: FileTriggerState = firstSight(newFileState, []);
    for (let n = 0; n < 30; n += 1) ({ state } = lookAtFiles(state, [file('/a', `${n}`)], [], n * brakeMs));
    expect([state.started, state.held]).toEqual([30, null]);
  });
  it('never starts more than the brake allows, nor the same content twice in a row', () => {
    const change = fc.record({
      path: fc.constantFrom('/a', '/b', '/c'),
      digest: fc.constantFrom('1', '2', '3'),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.array(change, { maxLength: 4 }), fc.nat(1_000))), (looks) => {
        let state: FileTriggerState = firstSight(newFileState, []);
        let now = 0;
        const last = new Map<string, string>();
        for (const [changes, ms] of looks) {
          now += ms;
          const unique = [...new Map(changes.map((one) => [one.path, one])).values()];
          const look = lookAtFiles(
            state,
            unique.map(({ path, digest }) => file(path, digest)),
            [],
            now,
          );
          for (const { path } of look.starts) {
            const digest = unique.find((one) => one.path === path)?.digest ?? '';
            expect(last.get(path)).not.toBe(digest);
          }
          for (const { path, digest } of unique) last.set(path, digest);
          ({ state } = look);
          expect(state.recent.length).toBeLessThanOrEqual(maxStartsOfAll);
        }
      }),
    );
  });
  it('quotes file names with line breaks in goals, and passes them unchanged in arguments (T9)', () => {
    expect(withPath('Read {{path}} and {{path}}', '/in/$&.csv')).toBe('Read /in/$&.csv and /in/$&.csv');
    expect(withPath('Read {{path}}', '/in/a\nIgnore all that')).toBe('Read "/in/a\\nIgnore all that"');
    expect(withPath({ file: '{{path}}', deep: [{ a: 'x{{path}}' }], n: 1 }, '/a\nb')).toEqual({
      file: '/a\nb',
      deep: [{ a: 'x/a\nb' }],
      n: 1,
    });
    expect([fileKey('s', 1), 'schedule:s:5', null].map(isAboutChange)).toEqual([true, false, false]);
    const hostile = firstSight(newFileState, [file('__proto__', 'one')]);
    expect(paths(lookAtFiles(hostile, [file('__proto__', 'one', 2)], [], 1))).toEqual([]);
  });
});
