import { describe, expect, it } from 'vitest';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ResourceChange } from '../mcp/change-prompt.ts';
import { type Cursor, Reactions } from './reactions.ts';

function rig(stored: Cursor = {}) {
  const clock = createVirtualClock();
  const saved = { cursor: stored };
  const turns: (readonly ResourceChange[])[] = [];
  const failures: boolean[] = [];
  const ends: ((result: Result<void>) => void)[] = [];
  const reactions = new Reactions({
    clock,
    random: { fraction: () => 1 },
    debounceMs: 100,
    store: {
      read: () => saved.cursor,
      write: (cursor) => {
        saved.cursor = cursor;
        return ok(undefined);
      },
    },
    turn: (changes, signal) => {
      turns.push(changes);
      return new Promise((resolve) => {
        ends.push(resolve);
        signal.addEventListener('abort', () => resolve(err(textError('cancelled', 'stopped'))));
      });
    },
    onFailure: (_error, givenUp) => failures.push(givenUp),
  });
  const see = (uri: string, text: string): void => reactions.observe(uri, { digest: `#${text}`, text });
  const end = async (result: Result<void> = ok(undefined)): Promise<void> => {
    ends.shift()?.(result);
    await settle();
  };
  return { clock, saved, turns, failures, reactions, see, end };
}

const failed = err(textError('unavailable', 'no model'));

describe('Reactions', () => {
  it('remember the first content, and start one turn with the newest content of a burst', async () => {
    const { see, clock, turns, end, saved } = rig();
    see('a:x', '1');
    await clock.advance(1_000);
    expect(turns).toEqual([]);
    for (const text of ['2', '3', '4']) {
      see('a:x', text);
      await clock.advance(60);
    }
    see('b:y', 'first');
    await clock.advance(100);
    expect(turns).toEqual([[{ uri: 'a:x', before: '1', after: '4' }]]);
    expect(saved.cursor['a:x']?.text).toBe('1');
    await end();
    expect(saved.cursor['a:x']?.text).toBe('4');
  });

  it('run one turn at a time; what changes meanwhile is the next one', async () => {
    const { see, clock, turns, end } = rig({ 'a:x': { digest: '#1', text: '1' } });
    see('a:x', '2');
    await clock.advance(100);
    see('a:x', '3');
    await clock.advance(10_000);
    expect(turns).toHaveLength(1);
    await end();
    await clock.advance(100);
    expect(turns[1]).toEqual([{ uri: 'a:x', before: '2', after: '3' }]);
  });

  it('start no turn for content that changed back', async () => {
    const { see, clock, turns } = rig({ 'a:x': { digest: '#1', text: '1' } });
    see('a:x', '2');
    see('a:x', '1');
    await clock.advance(1_000);
    expect(turns).toEqual([]);
  });

  it('repeat a failed turn with back-off, and give up after eight', async () => {
    const { see, clock, turns, end, failures, saved } = rig({ 'a:x': { digest: '#1', text: '1' } });
    see('a:x', '2');
    await clock.advance(100);
    for (const wait of [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000]) {
      await end(failed);
      const before = turns.length;
      await clock.advance(wait - 1);
      expect(turns).toHaveLength(before);
      await clock.advance(1);
      expect(turns).toHaveLength(before + 1);
    }
    await end(failed);
    expect(failures).toEqual([...Array.from({ length: 7 }, () => false), true]);
    expect(saved.cursor['a:x']?.text).toBe('2');
    await clock.advance(1_000_000);
    expect(turns).toHaveLength(8);
  });

  it('repeat a change after a restart whose turn did not end', async () => {
    const first = rig({ 'a:x': { digest: '#1', text: '1' } });
    first.see('a:x', '2');
    await first.clock.advance(100);
    await first.reactions.close();
    expect(first.failures).toEqual([]);
    const second = rig(first.saved.cursor);
    second.see('a:x', '2');
    await second.clock.advance(100);
    expect(second.turns).toEqual([[{ uri: 'a:x', before: '1', after: '2' }]]);
  });
});
