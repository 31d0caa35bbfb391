import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { fail } from '../../contract/fail.ts';
import { err } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createSystemClock } from '../../services/clock/system-clock.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { createDisk } from '../../services/disk/disk.ts';
import { createHarnessProcesses } from '../../services/executors/harness-process.ts';
import { createScrubber } from '../../services/log/scrub.ts';
import { configInForce } from '../agents/agent-view.ts';
import { createProgramContexts } from './agent-contexts.ts';
import { createAgentTerminals } from './agent-terminals.ts';
import { createHarnessHandlers } from './harness-handlers.ts';
import { createProcessLedger } from './process-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'kennel-ps-'));
const [clock, random] = [createSystemClock(), createSystemRandom()];
const path = join(folder, 'processes.json');
const ledger = createProcessLedger({ disk: createDisk(random), path, clock, log: createRecordingLog() });
const processes = createHarnessProcesses({ clock, random, ledger, hidden: [] });
const bin = join(folder, 'bin');
mkdirSync(bin);
for (const name of ['claude', 'hermes']) writeFileSync(join(bin, name), '#!/bin/sh\n', { mode: 0o755 });
let runtime: Partial<AgentConfig['runtime']> = {};
const agents = {
  get(id: string) {
    const config = configInForce({ lastGood: null } as LoadedAgent);
    return { id, lastGood: { ...config, runtime: { ...config.runtime, ...runtime } } } as LoadedAgent;
  },
  list: () => [],
};
const handlers = createHarnessHandlers({
  env: { PATH: bin, SHELL: '/nonexistent' },
  clock,
  agents,
  openTerminal: async () => err(fail('unsupported', 'harness.noTerminal', { title: 'x' })),
  programs: {
    canaries: {
      of: () => null,
      renewed: async () => null,
      run: async () => err(fail('unsupported', 'harness.noCanary', { title: 'x' })),
    },
    terminals: createAgentTerminals({
      clock,
      disk: createDisk(random),
      path: join(folder, 'terminals.json'),
    }),
    contexts: createProgramContexts({ clock }),
    ledger,
    endProcess: processes.end,
    restartProcess: processes.restart,
    outputOf: async (id) => {
      const output = processes.outputOf(id);
      return output && { ...output, text: createScrubber().scrub(output.text) };
    },
    hasWalls: processes.hasWalls,
    containers: async () => ({ executor: { pidOf: async () => null } }),
  },
});
afterAll(async () => {
  await processes.close();
  rmSync(folder, { recursive: true, force: true });
});

const principal = { kind: 'owner-cli' } as const;
const listed = async () => {
  const result = await handlers['harnesses.processes']({}, principal);
  if (!result.ok) throw new Error(result.error.message);
  return result.value.processes;
};

describe.skipIf(process.platform !== 'linux')('Processes of agent programs', () => {
  it('are listed with what they use, and end by request', async () => {
    const started = await processes.start({
      agentId: 'ada',
      argv: ['/bin/sh', '-c', 'sleep 60 & echo up; wait'],
      env: { PATH: '/usr/bin:/bin' },
      cwd: folder,
      wall: null,
    });
    if (!started.ok) throw new Error(started.error.message);
    for await (const line of started.value.lines) if (line === 'up') break;
    const [first, ...others] = await listed();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ agentId: 'ada', program: 'sh', pid: started.value.pid, hasWall: false });
    expect(first?.usage).toMatchObject({ processes: 2 });
    // The marker would let a reader of the list find processes of other agents.
    expect(Object.keys(first ?? {})).not.toContain('marker');
    const id = first?.id ?? '';
    expect(await handlers['harnesses.endProcess']({ id }, principal)).toEqual({ ok: true, value: {} });
    expect(await listed()).toEqual([]);
    const again = await handlers['harnesses.endProcess']({ id }, principal);
    expect(again.ok || again.error.code).toBe('not_found');
  });

  it('keep what the newest one of an agent wrote to standard error, also after its end', async () => {
    const started = await processes.start({
      agentId: 'guide',
      argv: ['/bin/sh', '-c', 'echo "key sk-ant-0123456789abcdef" >&2; echo up; sleep 60'],
      env: { PATH: '/usr/bin:/bin' },
      cwd: folder,
      wall: null,
    });
    if (!started.ok) throw new Error(started.error.message);
    for await (const line of started.value.lines) if (line === 'up') break;
    const log = async () => handlers['harnesses.log']({ agent: 'guide' }, principal);
    // The two outputs arrive independently.
    await expect
      .poll(log, { timeout: 10_000 })
      .toMatchObject({ value: { program: 'sh', text: 'key [redacted]\n', endedAt: null } });
    const [one] = await listed();
    const restarted = await handlers['harnesses.restartProcess']({ id: one?.id ?? '' }, principal);
    expect(restarted.ok).toBe(true);
    // Its turn goes on, because no person asked for the end of the turn.
    expect((await started.value.exited).wasEnded).toBe(false);
    expect(await log()).toMatchObject({ value: { text: 'key [redacted]\n', endedAt: expect.any(Number) } });
    const never = await handlers['harnesses.log']({ agent: 'checker' }, principal);
    expect(never.ok || never.error.code).toBe('not_found');
  });

  it('offer a terminal only to a program on this computer that has an interface for one', async () => {
    const canAttach = async (wanted: typeof runtime): Promise<boolean | null> => {
      runtime = wanted;
      const result = await handlers['harnesses.ofAgent']({ agent: 'ada' }, principal);
      return result.ok ? result.value.canAttach : null;
    };
    expect(await canAttach({ kind: 'cli-local', harness: 'claude-code' })).toBe(true);
    expect(await canAttach({ kind: 'cli-docker', harness: 'claude-code' })).toBe(false);
    expect(await canAttach({ kind: 'cli-local', harness: 'hermes' })).toBe(false);
    expect(await canAttach({ kind: 'cli-local', harness: 'pi' })).toBe(false);
    expect(await canAttach({ kind: 'chat-local' })).toBe(false);
  });
});
