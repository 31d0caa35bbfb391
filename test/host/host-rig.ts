/** Real hosts in temporary folders: real files, a real relay on loopback, a scripted model, no keychain. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { applyPatch } from '../../src/contract/apply-patch.ts';
import type { Principal } from '../../src/contract/method-row.ts';
import type { MethodInput, MethodName, MethodOutput } from '../../src/contract/methods.ts';
import type { FeedEvent } from '../../src/contract/patch.ts';
import type { Result } from '../../src/contract/result.ts';
import { createHost } from '../../src/host/create-host.ts';
import type { Host, HostPorts } from '../../src/host/host-ports.ts';
import { nodePorts } from '../../src/host/node-ports.ts';
import { patienceMs } from '../fakes/patience.ts';

export const owner: Principal = { kind: 'owner-cli' };

export function newHome(): { home: string; remove(): void } {
  const home = mkdtempSync(path.join(tmpdir(), 'kennel-host-'));
  return { home, remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }) };
}

/** A page of one file, so that the loopback server has a page to protect. */
export function fakePage(home: string): string {
  const folder = path.join(home, '..', `${path.basename(home)}-page`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>Kennel</title>');
  return folder;
}

export async function testPorts(home: string, over: Partial<HostPorts> = {}): Promise<HostPorts> {
  const ports = await nodePorts({ home, env: {}, mode: 'full', serveWeb: false });
  // A relay thread would load all its sources again in each test; relay-thread.test.ts starts one.
  return { ...ports, loadKeychain: async () => null, relayThread: false, ...over };
}

export interface TestHost {
  readonly host: Host;
  tryCall<M extends MethodName>(method: M, input: MethodInput<M>): Promise<Result<MethodOutput<M>>>;
  /** Throws the error. */
  call<M extends MethodName>(method: M, input: MethodInput<M>): Promise<MethodOutput<M>>;
  stop(): Promise<void>;
}

export async function startHost(home: string, over: Partial<HostPorts> = {}): Promise<TestHost> {
  const created = await createHost(await testPorts(home, over));
  if (!created.ok) throw new Error(`${created.error.code}: ${created.error.message}`);
  const host = created.value;
  await host.ready;
  const tryCall: TestHost['tryCall'] = (method, input) => host.call(owner, method, input) as never;
  return {
    host,
    tryCall,
    async call(method, input) {
      const result = await tryCall(method, input);
      if (!result.ok) throw new Error(`${method}: ${result.error.code}: ${result.error.message}`);
      return result.value;
    },
    stop: () => host.stop('test'),
  };
}

/** Builds the template on first use in a run; another worker may have built it before. */
async function demoTemplate(): Promise<string> {
  const folder = process.env.KENNEL_TEST_TEMPLATES;
  if (folder === undefined) throw new Error('vitest did not run test/fakes/template-folder.ts');
  const template = path.join(folder, 'demo');
  if (existsSync(template)) return template;
  const own = mkdtempSync(path.join(folder, 'demo-'));
  const kennel = await startHost(own);
  await kennel.call('setup.tryDemo', {});
  await kennel.stop();
  try {
    renameSync(own, template);
  } catch (error) {
    if (!existsSync(template)) throw error;
  }
  return template;
}

/** A data folder with a demo at rest, in which `setup.tryDemo` only returns the existing state. */
export async function newDemoHome(): Promise<ReturnType<typeof newHome>> {
  const template = await demoTemplate();
  const place = newHome();
  cpSync(template, place.home, { recursive: true });
  return place;
}

export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  ms = patienceMs,
) {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited ${ms} ms in vain for ${what}`);
}

/** State of a client that follows a topic; throws on a gap. */
export function follow<S>(host: Host, topic: string): { state(): S; events: FeedEvent[]; stop(): void } {
  let state: unknown;
  let revision = -1;
  const events: FeedEvent[] = [];
  const opened = host.subscribe(owner, topic, (event) => {
    events.push(event);
    if (event.type === 'snapshot') {
      state = event.state;
      revision = event.revision;
    }
    if (event.type === 'patch') {
      if (event.revision !== revision + 1)
        throw new Error(`gap in ${topic}: ${revision} -> ${event.revision}`);
      state = applyPatch(state, event.ops);
      revision = event.revision;
    }
  });
  if (!opened.ok) throw new Error(opened.error.message);
  return { state: () => state as S, events, stop: opened.value };
}

/** The first message of another sender in the thread of `root`. */
export function answerTo(kennel: TestHost, room: string, root: string) {
  return until('an answer', async () => {
    const { messages } = await kennel.call('chat.history', { room, limit: 200 });
    return messages.find((message) => message.threadRootId === root && !message.own);
  });
}
