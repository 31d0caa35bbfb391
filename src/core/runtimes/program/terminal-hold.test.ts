import { describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../../test/fakes/virtual-clock.ts';
import { fail } from '../../../contract/fail.ts';
import { err } from '../../../contract/result.ts';
import type { TurnInput } from '../../supervisor/runtime-port.ts';
import type { ProgramDeps, ProgramProtocol, ProgramSession } from './program-ports.ts';
import { createProgramRuntime } from './program-runtime.ts';
import { TerminalHold } from './terminal-hold.ts';

describe('Hold of a terminal on the sessions of an agent', () => {
  it('is taken once no turn is open, ends idle processes, and is of one terminal at a time', async () => {
    const hold = new TerminalHold();
    const ended: string[] = [];
    const gone = async (): Promise<void> => void ended.push('of a task that is over');
    hold.use(gone);
    hold.use(async () => void ended.push('of the chat'));
    hold.use(async () => void ended.push('of a task'));
    hold.forget(gone);
    hold.turnBegan();
    expect(await hold.take('a')).toBe('busy');
    expect(ended).toEqual([]);
    hold.turnEnded();
    expect(await hold.take('a')).toBe('taken');
    expect(ended).toEqual(['of the chat', 'of a task']);
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

  it('makes a turn wait again if another terminal takes the session before it begins', async () => {
    const hold = new TerminalHold();
    const setup = async () => err(fail('not_found', 'agents.agentNotConnected'));
    const deps = {
      agentId: 'ada',
      agent: { hold, setup },
      clock: createVirtualClock(),
      log: createRecordingLog(),
    };
    const runtime = createProgramRuntime(
      deps as unknown as ProgramDeps,
      {} as ProgramProtocol<ProgramSession>,
    );
    await hold.take('a');
    const signal = new AbortController().signal;
    const turn = runtime.run({ turnId: 't' } as TurnInput, signal)[Symbol.asyncIterator]();
    const state = async (): Promise<string> => {
      const { value } = await turn.next();
      return value?.type === 'step' ? value.step.state : value?.type;
    };
    expect(await state()).toBe('running');
    hold.release('a');
    expect(await state()).toBe('done');
    expect(await hold.take('b')).toBe('taken');
    expect(await state()).toBe('running');
    hold.release('b');
    expect(await state()).toBe('done');
    expect(await state()).not.toBe('running');
  });
});
