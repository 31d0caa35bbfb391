import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isProcessAlive } from '../../src/platform/process-signals.ts';
import { Desk } from './desk.ts';
import { until } from './invariants.ts';

const fixture = path.resolve(import.meta.dirname, '../children/mcp-server.ts');
const name = 'fixture';

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
});
afterEach(() => desk.remove());

it('F1 F2: a SIGKILL of the host during a call reports the call as failed, and leaves no server behind', async () => {
  const called = path.join(desk.home, 'called');
  const description = path.join(desk.home, 'description.txt');
  writeFileSync(description, 'Never answers.');
  const env = { DESCRIPTION_FILE: description, CALLED_FILE: called };
  const door = await desk.start();
  const entry = { command: process.execPath, args: [fixture], env };
  const { hash } = await door.call('mcpServers.add', { name, entry });
  await door.call('mcpServers.accept', { name, hash });
  await door.call('mcpServers.start', { name });
  const call = door.tryCall('mcpServers.callTool', { name, tool: 'echo', args: { text: 'hi' } });
  await until(
    'the call at the server',
    async () => existsSync(called) && readFileSync(called, 'utf8') !== '',
  );
  const server = Number(readFileSync(called, 'utf8'));
  expect(isProcessAlive(server)).toBe(true);

  const again = await desk.restart('SIGKILL');
  expect(await call).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  await until('the end of the server', async () => !isProcessAlive(server));
  const after = await again.call('mcpServers.show', { name });
  expect(after).toMatchObject({ state: 'stopped', hash, accepted: [{ name: 'echo' }] });
  const { processes } = await again.call('harnesses.processes', {});
  expect(processes).toEqual([]);
  // The acceptance is kept, so it starts again without a question.
  expect(await again.call('mcpServers.start', { name })).toMatchObject({ state: 'running' });
});
