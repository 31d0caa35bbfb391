import { connect } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { layoutOf } from '../../src/host/layout.ts';
import { createProblems } from '../../src/host/problems.ts';
import { createEmbeddedRelay } from '../../src/host/relay/embedded-relay.ts';
import type { ThreadedRelay } from '../../src/host/relay/relay-thread-client.ts';
import { createDisk } from '../../src/services/disk/disk.ts';
import { promised } from '../fakes/patience.ts';
import { newHome, startHost, testPorts, until } from './host-rig.ts';

let folder: ReturnType<typeof newHome>;
const cleanUp: (() => Promise<unknown> | unknown)[] = [];
beforeEach(() => {
  folder = newHome();
});
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
  folder.remove();
});

async function ownRelay() {
  const ports = await testPorts(folder.home, { relayThread: true });
  const problems = createProblems(ports.clock, () => undefined);
  const disk = createDisk(ports.random);
  const relay = createEmbeddedRelay({ ports, layout: layoutOf(folder.home), disk, problems });
  cleanUp.push(() => relay.stop());
  const crypto = await ports.loadCrypto();
  if (!crypto.ok) throw new Error(crypto.error.message);
  const started = await relay.start(crypto.value);
  if (!started.ok) throw new Error(started.error.message);
  return { relay, problems, running: started.value as ThreadedRelay };
}

it('F22: A relay thread that dies is reported, and restarts at its address with its data', async () => {
  const { relay, problems, running } = await ownRelay();
  const code = await running.createInvite();
  expect(code).toMatch(/^inv(-[a-z2-9]{4}){4}$/);
  running.kill();
  await until('the problem', () => problems.list().length > 0);
  expect(problems.list()).toMatchObject([{ id: 'relay', severity: 'error' }]);
  await expect(running.createInvite()).rejects.toThrow();
  await until('the relay', () => relay.current() !== null);
  await until('the end of the problem', () => problems.list().length === 0);
  expect(relay.current()?.url).toBe(running.url);
  expect((await fetch(running.url)).status).toBe(200);
});

it('A stopped relay releases its port, store and thread, and can start again', async () => {
  const { relay, running } = await ownRelay();
  await relay.stop();
  await relay.stop();
  await expect(fetch(running.url)).rejects.toThrow();
  const crypto = await (await testPorts(folder.home)).loadCrypto();
  if (!crypto.ok) throw new Error(crypto.error.message);
  const again = await relay.start(crypto.value);
  expect(again).toMatchObject({ ok: true, value: { url: running.url } });
  expect(await relay.current()?.status(10)).toEqual({ connections: 0, people: [] });
});

it('T24 F12 F21: Foreign web requests and silent sockets at the relay do not delay the host', async () => {
  const kennel = await startHost(folder.home, {
    relayThread: true,
    env: { KENNEL_PASSPHRASE: 'correct horse' },
  });
  cleanUp.push(() => kennel.stop());
  await kennel.call('setup.tryDemo', {});
  const { url } = await kennel.call('relay.status', {});
  const port = Number(new URL(url ?? '').port);
  const body = `{"invite_code":"${'{},'.repeat(20_000)}"}`;
  const half = (more: string, text: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    cleanUp.push(() => socket.destroy());
    socket.write(`POST /signup HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${more}\r\n\r\n${text}`);
  };
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const started = performance.now();
  for (let n = 0; n < 12; n += 1) {
    half(`content-type: text/plain\r\norigin: https://evil.example\r\ncontent-length: 9000000`, body);
  }
  for (let n = 0; n < 100; n += 1) {
    half(`content-type: application/json\r\ncontent-length: ${body.length}`, body);
    half('upgrade: websocket', '');
  }
  for (let n = 0; n < 20; n += 1) await kennel.call('host.view', {});
  expect((await kennel.call('relay.status', {})).people.length).toBeGreaterThan(2);
  delay.disable();
  expect(performance.now() - started).toBeLessThan(promised(10_000));
  expect(delay.percentile(99) / 1e6).toBeLessThan(promised(500));
});
