import { describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { ok } from '../../contract/result.ts';
import { type AgentConfig, agentConfigSchema } from '../../core/agents/agent-config.ts';
import type { RuntimeStatus } from '../../core/agents/runtime-status.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { LiveAgent } from '../agents/live-agent.ts';
import { createRuntimeFiles } from './runtime-files.ts';

const base: LiveAgent = {
  life: 'running',
  dot: 'idle',
  connection: 'online',
  activity: '',
  since: 0,
  error: null,
  restartAt: null,
  messageCount: 0,
  lastEventAt: null,
  refused: {},
  waiting: 0,
};

function make(before: Record<string, RuntimeStatus> = {}) {
  const clock = createVirtualClock();
  const lives = new Map<string, LiveAgent>();
  const configs = new Map<string, AgentConfig>();
  const written: [string, RuntimeStatus][] = [];
  const folderOf = (id: string): LoadedAgent | null => {
    const config = configs.get(id);
    return config
      ? { id, folder: `/agents/${id}`, config, lastGood: config, error: null, requests: [] }
      : null;
  };
  const files = createRuntimeFiles({
    clock,
    log: createRecordingLog(),
    agents: {
      get: folderOf,
      readRuntimeStatus: (id) => before[id] ?? null,
      writeRuntimeStatus: (id, status) => {
        written.push([id, status]);
        return ok(undefined);
      },
    },
    look: (id) => lives.get(id) ?? null,
    heartbeatMs: () => 5_000,
  });
  return {
    clock,
    files,
    written,
    lives,
    is(id: string, live: Partial<LiveAgent>, state: AgentConfig['state'] = 'running') {
      configs.set(id, { ...agentConfigSchema().parse({}), state });
      lives.set(id, { ...base, ...lives.get(id), ...live });
      files.changed(id);
    },
    gone(id: string) {
      configs.delete(id);
      files.changed(id);
    },
  };
}

describe('runtime.json', () => {
  it('is written once for a start and not while the agent is idle', async () => {
    const { clock, is, written } = make();
    const began = Math.floor(clock.now() / 1000);
    is('a', { life: 'starting', connection: 'connecting' });
    await clock.advance(300);
    is('a', { life: 'running', connection: 'online', messageCount: 7 });
    await clock.advance(3_600_000);
    expect(written).toEqual([
      [
        'a',
        {
          status: 'running',
          started_at: began + 1,
          updated_at: began + 1,
          msg_count: 7,
          last_event_at: 0,
          error: '',
          health: 'ok',
        },
      ],
    ]);
    expect(clock.pending()).toBe(0);
  });

  it('is written within a second for status, health and errors, and per heartbeat for counts', async () => {
    const { clock, is, written } = make();
    is('a', {});
    await clock.advance(1_000);
    for (let n = 1; n <= 40; n += 1) {
      is('a', { messageCount: n, lastEventAt: clock.now() });
      await clock.advance(100);
    }
    expect(written).toHaveLength(1);
    const refused = textError('unauthenticated', 'The key was refused.');
    is('a', { error: refused });
    await clock.advance(1_000);
    expect(written.at(-1)?.[1]).toMatchObject({
      status: 'running',
      health: 'auth_failed',
      error: 'The key was refused.',
      msg_count: 40,
    });
    is('a', { messageCount: 41 });
    await clock.advance(4_000);
    expect(written).toHaveLength(2);
    await clock.advance(2_000);
    expect(written).toHaveLength(3);
    expect(clock.pending()).toBe(0);
  });

  it('is written at most once a second', async () => {
    const { clock, is, written } = make();
    for (let n = 0; n < 100; n += 1) {
      is('a', { life: n % 2 === 0 ? 'running' : 'gave_up' });
      await clock.advance(30);
    }
    expect(written.length).toBeGreaterThan(0);
    expect(written.length).toBeLessThanOrEqual(3);
  });

  it('records why an agent was paused, failed or stopped', async () => {
    const { clock, is, files, written, lives } = make();
    is('up', { messageCount: 3 });
    is('off', { life: 'paused', connection: 'none' }, 'paused');
    is('bad', { life: 'gave_up', error: textError('corrupt', 'Its store is damaged.') });
    await clock.advance(1_000);
    const now = () => Object.fromEntries(written.map(([id, { status, error }]) => [id, [status, error]]));
    expect(now()).toEqual({
      up: ['running', ''],
      off: ['stopped', ''],
      bad: ['error', 'Its store is damaged.'],
    });
    lives.clear();
    files.stop();
    expect(now()).toEqual({
      up: ['stopped', ''],
      off: ['stopped', ''],
      bad: ['stopped', 'Its store is damaged.'],
    });
    expect(written.findLast(([id]) => id === 'up')?.[1]).toMatchObject({ msg_count: 3, health: 'unknown' });
  });

  it('is not rewritten if nothing changed', async () => {
    const status = {
      status: 'stopped',
      started_at: 5,
      updated_at: 9,
      msg_count: 4,
      last_event_at: 8,
    } as const;
    const { clock, is, gone, written } = make({ a: { ...status, error: '', health: 'unknown' } });
    is('a', { life: 'paused', connection: 'none' }, 'paused');
    gone('b');
    await clock.advance(60_000);
    expect(written).toEqual([]);
  });

  it('is written once per agent when a thousand agents start', async () => {
    const { clock, is, written } = make();
    for (let n = 0; n < 1_000; n += 1) is(`a${n}`, {});
    await clock.advance(5_000);
    expect(new Set(written.map(([id]) => id)).size).toBe(1_000);
    expect(written).toHaveLength(1_000);
  });
});
