import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../../test/fakes/virtual-clock.ts';
import { ok } from '../../../contract/result.ts';
import { ProgramPool, type SessionWish } from './program-pool.ts';
import type { ProgramDeps, ProgramProtocol, ProgramSession, StartedProgram } from './program-ports.ts';

class Session implements ProgramSession {
  readonly facts;
  isOver = false;

  constructor(facts: ProgramSession['facts']) {
    this.facts = facts;
  }

  async end(): Promise<void> {
    this.isOver = true;
  }
}

function pool() {
  const clock = createVirtualClock();
  const sessions: Session[] = [];
  const protocol = {
    id: 'fake',
    connect(_deps, facts) {
      const session = new Session(facts);
      sessions.push(session);
      return session;
    },
    run: () => Promise.reject(new Error('not used')),
  } satisfies ProgramProtocol<Session>;
  const made = new ProgramPool({ clock, turns: { spend: {} } } as unknown as ProgramDeps, protocol);
  const wish = (threadKey: string, key = 'k'): SessionWish => ({
    turn: { turnId: 't', threadKey, onRefused: () => undefined, onPaused: () => undefined },
    sessionId: 's',
    isNew: false,
    key,
    setup: { launch: async () => ok({} as StartedProgram) } as unknown as SessionWish['setup'],
  });
  const turn = async (threadKey: string, key?: string): Promise<Session> => {
    const opened = await made.open(wish(threadKey, key));
    if (!opened.ok) throw new Error(opened.error.message);
    made.release(threadKey, opened.value.session);
    return opened.value.session;
  };
  const running = (): number => sessions.filter(({ isOver }) => !isOver).length;
  return { clock, sessions, made, wish, turn, running };
}

describe('Processes of a program', () => {
  it('fall asleep after five idle minutes, and wake with the next message', async () => {
    const { clock, sessions, turn, running } = pool();
    await turn('a');
    await clock.advance(299_000);
    expect(running()).toBe(1);
    await clock.advance(1_000);
    expect(running()).toBe(0);
    await turn('a');
    expect([running(), sessions.length]).toEqual([1, 2]);
  });

  it('are kept for the next turn of their thread, and one at a time is idle', async () => {
    const { sessions, turn, running } = pool();
    await turn('a');
    await turn('a');
    expect(sessions).toHaveLength(1);
    await turn('b');
    expect([sessions.length, running()]).toEqual([2, 1]);
  });

  it('are not idle during a turn, however long it takes', async () => {
    const { clock, made, wish, running } = pool();
    await made.open(wish('a'));
    await clock.advance(3_600_000);
    expect(running()).toBe(1);
    await made.close();
    expect(running()).toBe(0);
  });

  it('are replaced after a change of model, mode or program', async () => {
    const { sessions, turn, running } = pool();
    await turn('a', 'one model');
    await turn('a', 'another model');
    expect([sessions.length, sessions[0]?.isOver, running()]).toEqual([2, true, 1]);
  });
});
