import { afterAll, describe, expect, it } from 'vitest';
import { claudeRig } from '../../../../test/fakes/claude-rig.ts';
import { StoreError } from '../../lib/store-error.ts';
import type { RuntimeEvent } from '../../supervisor/runtime-port.ts';
import { createProgramRuntime } from './program-runtime.ts';
import { TerminalHold } from './terminal-hold.ts';

const hold = new TerminalHold();
const r = claudeRig({ trusted: true, hold });
afterAll(() => r.end());

const stateInTerminal = (event: RuntimeEvent): string | null =>
  event.type === 'step' && event.step.tool === 'terminal' ? event.step.state : null;

describe('Runtime of agent programs', () => {
  it('waits on if another terminal takes the session at the moment the first one ends', async () => {
    await hold.take('first');
    r.say('say Hello.');
    const seen: string[] = [];
    const events = await r.run((event) => {
      const state = stateInTerminal(event);
      if (state === null) return;
      seen.push(`${state}, ${r.started()} programs`);
      if (seen.length === 1) hold.release('first');
      if (seen.length === 2) void hold.take('second');
      if (seen.length === 3) hold.release('second');
    });
    expect(seen).toEqual([
      'running, 0 programs',
      'done, 0 programs',
      'running, 0 programs',
      'done, 0 programs',
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['Hello.'] });
  });

  it('ends the idle program for a terminal, and starts it again for the next turn', async () => {
    r.nextTurn('say Again.');
    await r.run();
    expect(r.started()).toBe(1);
    expect(await hold.take('third')).toBe('taken');
    hold.release('third');
    r.nextTurn('say Once more.');
    await r.run();
    expect(r.started()).toBe(2);
  });

  it('ends the program of a turn whose record failed', async () => {
    const ended: string[] = [];
    const full = new StoreError('disk_full', 'The disk is full.');
    const failing = claudeRig({
      trusted: true,
      runtime: (deps) =>
        createProgramRuntime(deps, {
          id: 'x',
          connect: (_deps, facts, program) => ({
            facts,
            isOver: false,
            async end() {
              await program.end();
              ended.push('program');
            },
          }),
          run: () => Promise.reject(full),
        }),
    });
    failing.say('say Hello.');
    await expect(failing.run()).rejects.toThrow(full);
    expect(ended).toEqual(['program']);
    await failing.end();
  });
});
