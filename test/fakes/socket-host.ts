/** A socket host that returns scripted answers but checks the contract, for tests of the command line. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { textError } from '../../src/contract/errors.ts';
import type { FeedSink, HostApi } from '../../src/contract/host-api.ts';
import {
  isMethodName,
  type MethodName,
  type MethodOutput,
  type MethodParsed,
  methods,
} from '../../src/contract/methods.ts';
import { err, ok, type Result } from '../../src/contract/result.ts';
import { openSocketServer } from '../../src/host/transport/socket-server.ts';
import { kennelEntry } from './kennel-entry.ts';
import { createRecordingLog } from './recording-log.ts';

export type Answers = {
  [M in MethodName]?: (input: MethodParsed<M>) => Result<MethodOutput<M>>;
};

export interface SocketHost {
  readonly home: string;
  /** Requests in order. */
  readonly asked: { readonly method: string; readonly input: unknown }[];
  /** Runs the command; returns its exit code and output. */
  kennel(...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }>;
  close(): Promise<void>;
}

export async function openSocketHost(
  answers: Answers,
  topics: (topic: string, sink: FeedSink) => void = () => undefined,
): Promise<SocketHost> {
  const home = mkdtempSync(path.join(tmpdir(), 'kennel-cli-'));
  const asked: { method: string; input: unknown }[] = [];
  const api: HostApi = {
    async call(_principal, method, input) {
      if (!isMethodName(method)) return err(textError('not_found', `no row ${method}`));
      const parsed = methods[method].input.safeParse(input);
      if (!parsed.success) return err(textError('invalid_input', `${method}: ${parsed.error.message}`));
      asked.push({ method, input: parsed.data });
      const answer = answers[method] as ((input: unknown) => Result<unknown>) | undefined;
      const result = answer?.(parsed.data) ?? err(textError('unsupported', `nobody answers ${method}`));
      if (result.ok) methods[method].output.parse(result.value);
      return result;
    },
    subscribe(_principal, topic, sink) {
      queueMicrotask(() => topics(topic, sink));
      return ok(() => undefined);
    },
  };
  const socketPath = path.join(home, 'host.sock');
  const server = await openSocketServer({ path: socketPath, api, log: createRecordingLog() });
  if (!server.ok) throw new Error(server.error.message);
  writeFileSync(path.join(home, 'host.json'), JSON.stringify({ socket: socketPath, pid: process.pid }));
  return {
    home,
    asked,
    kennel: (...args) =>
      new Promise((resolve) => {
        const { PATH = '' } = process.env;
        const env = { PATH, TZ: 'UTC', HOME: home, KENNEL_HOME: home, KENNEL_NO_KEYCHAIN: '1' };
        const child = spawn(process.execPath, [kennelEntry, ...args], {
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let [out, errors] = ['', ''];
        child.stdout.on('data', (piece) => (out += String(piece)));
        child.stderr.on('data', (piece) => (errors += String(piece)));
        child.once('close', (code) => resolve({ code, out, err: errors }));
      }),
    async close() {
      await server.value.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
