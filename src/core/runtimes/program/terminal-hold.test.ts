import { describe, expect, it } from 'vitest';
import { TerminalHold } from './terminal-hold.ts';

describe('Hold of a terminal on the sessions of an agent', () => {
  it('is taken once no turn is open, ends idle processes, and is of one terminal at a time', async () => {
    const hold = new TerminalHold();
    const ended: string[] = [];
    hold.use(async () => void ended.push('idle'));
    hold.turnBegan();
    expect(await hold.take('a')).toBe('busy');
    expect(ended).toEqual([]);
    hold.turnEnded();
    expect(await hold.take('a')).toBe('taken');
    expect(ended).toEqual(['idle']);
    expect(await hold.take('b')).toBe('other');
    hold.release('b');
    expect(hold.isHeld).toBe(true);
  });

  it('lets waiting turns go on at its release, or when they are aborted', async () => {
    const hold = new TerminalHold();
    await hold.take('a');
    const stop = new AbortController();
    const order: string[] = [];
    const first = hold.whenFree(new AbortController().signal).then(() => order.push('released'));
    const second = hold.whenFree(stop.signal).then(() => order.push('aborted'));
    stop.abort();
    await second;
    expect(order).toEqual(['aborted']);
    hold.release('a');
    await first;
    expect(order).toEqual(['aborted', 'released']);
  });
});
