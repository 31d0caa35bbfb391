import { afterAll, describe, expect, it, vi } from 'vitest';
import { createMcpRig } from '../../../test/fakes/mcp-rig.ts';
import { patienceMs } from '../../../test/fakes/patience.ts';
import { ok } from '../../contract/result.ts';
import type { McpProgramStarter } from '../../core/mcp/mcp-ports.ts';
import { mcpServerConfigSchema } from '../../core/mcp/server-config.ts';
import { isProcessAlive } from '../../platform/process-signals.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import { createSystemRandom } from '../clock/system-random.ts';
import { createHarnessProcesses } from '../executors/harness-process.ts';

const processes = createHarnessProcesses({
  clock: createSystemClock(),
  random: createSystemRandom(),
  ledger: { add: () => ok(undefined), settle: () => undefined },
  hidden: [],
});
afterAll(() => processes.close());

/** A server of the old era whose tool `pids` names its own process and a child that ignores the end of its input. */
const script = `
const { spawn } = require('node:child_process');
const { createInterface } = require('node:readline');
const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'ignore' });
console.error('started');
const answers = {
  initialize: () => ({ protocolVersion: '2025-11-25', serverInfo: { name: 'real', version: '1' }, capabilities: { tools: {} } }),
  'tools/call': () => ({ content: [{ type: 'text', text: JSON.stringify([process.pid, child.pid]) }] }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const make = answers[method];
  const answer = make ? { result: make() } : { error: { code: -32601, message: 'unknown' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
`;

const startProgram: McpProgramStarter = (_server, { command, args, env }) =>
  processes.start({ agentId: 'ada', argv: [command, ...args], env, cwd: '/', wall: null });
const config = mcpServerConfigSchema.parse({ command: process.execPath, args: ['-e', script] });

async function openServer() {
  const rig = createMcpRig({ startProgram });
  const connection = await rig.open(config);
  const called = await connection.callTool('pids', {});
  const [block] = called.ok ? called.value.content : [];
  const pids = JSON.parse(block?.type === 'text' ? block.text : '[]') as number[];
  expect(pids.map(isProcessAlive)).toEqual([true, true]);
  return { rig, connection, pids };
}

const untilGone = (pids: readonly number[]) =>
  vi.waitFor(() => expect(pids.filter(isProcessAlive)).toEqual([]), { timeout: patienceMs });

describe('A real program', () => {
  it('leaves no process after the connection is closed', { timeout: patienceMs }, async () => {
    const { connection, pids } = await openServer();
    expect(connection.logTail()).toBe('started\n');
    await connection.close();
    await untilGone(pids);
  });

  it('F1 leaves no process after it was killed, and reports its end', { timeout: patienceMs }, async () => {
    const { rig, connection, pids } = await openServer();
    process.kill(pids[0] ?? 0, 'SIGKILL');
    await rig.untilEvent({ kind: 'closed', reason: { by: 'server', exitCode: null, signal: 'SIGKILL' } });
    await untilGone(pids);
    expect(await connection.callTool('pids', {})).toMatchObject({
      ok: false,
      error: { code: 'unavailable' },
    });
  });
});
