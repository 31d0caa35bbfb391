import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CryptoEngine } from '../../src/core/ports.ts';
import { createNobleEngine } from '../../src/services/crypto/noble-engine.ts';
import { createNodeEngine } from '../../src/services/crypto/node-engine.ts';
import { selectCryptoEngine } from '../../src/services/crypto/select-engine.ts';
import { harnessOutput } from './harness-output.ts';
import { cli } from './local-cli.ts';
import { statusReporterCalls } from './local-status.ts';
import { suite as puffoLocal, slow as slowLocal } from './puffo-local.ts';
import { puffoWire } from './puffo-wire.ts';
import { main, readCases, runFile, runSlowly } from './run.ts';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/conformance/${name}.json`, import.meta.url));
const wireFile = readCases(fixture('puffo-wire'));

const failures = (engine: CryptoEngine, file = wireFile): readonly string[] =>
  runFile(puffoWire(engine), file)
    .filter((result) => result.why !== null)
    .map((result) => `${result.name}: ${result.why}`);

let fast: CryptoEngine = createNobleEngine();
beforeAll(async () => {
  const selected = await selectCryptoEngine();
  if (selected.ok) fast = selected.value.engine;
});

const printed = async (...args: string[]): Promise<{ code: number; lines: string[] }> => {
  const lines: string[] = [];
  const code = await main(args, (line) => lines.push(line));
  return { code, lines };
};

describe('puffo-wire', () => {
  it('passes on the selected crypto engine', () => {
    expect(runFile(puffoWire(fast), wireFile).length).toBeGreaterThan(90);
    expect(failures(fast)).toEqual([]);
  });

  it('passes on the node and noble engines', () => {
    expect(failures(createNobleEngine())).toEqual([]);
    expect(failures(createNodeEngine(createNobleEngine(), false))).toEqual([]);
  });

  it('fails on an engine that accepts every signature or opens no ciphertext', () => {
    const lying = { ...fast, ed25519Verify: () => true };
    expect(failures(lying).length).toBeGreaterThan(10);
    const deaf = { ...fast, aeadOpen: () => null };
    expect(failures(deaf).length).toBeGreaterThan(8);
  });

  it('fails when an expected value in the fixture is changed', () => {
    const text = JSON.stringify(wireFile);
    const other = (from: string, to: string) => {
      expect(text).toContain(from);
      return failures(fast, JSON.parse(text.replace(from, to)) as typeof wireFile);
    };
    expect(other('"canonical_utf8":"null"', '"canonical_utf8":"nil"')).toHaveLength(1);
    expect(other('"hello notes"', '"hallo notes"')).toHaveLength(1);
    expect(other('"change":"space_id changed"', '"change":"mood changed"')).toHaveLength(1);
  });
});

describe('puffo-local', () => {
  it('passes in every section that this version supports', async () => {
    const results = await runSlowly(puffoLocal, slowLocal, readCases(fixture('puffo-local')));
    const failed = results.filter((result) => result.why !== null && result.why !== 'unknown section');
    expect(failed).toEqual([]);
    expect(results.filter((result) => result.why === null).length).toBeGreaterThanOrEqual(256);
  });
});

describe('puffo-local with handwritten cases', () => {
  it('checks run start and end reports, single and batched', async () => {
    const run = { run_id: 'run_1', succeeded: true };
    const long = '<first 1024 characters of the 2000 given>';
    const calls = [
      { path: '/messages/msg_1/processing/start', body: { run_id: 'run_1' } },
      { path: '/messages/msg_1/processing/end', body: run },
      {
        path: '/messages/processing/end:batch',
        body: {
          runs: [
            { ...run, run_id: 'run_2', message_id: 'msg_2' },
            { run_id: 'run_3', message_id: 'msg_3', succeeded: false, error_text: long },
          ],
        },
      },
    ];
    const whys = async (given: readonly unknown[]) =>
      (await statusReporterCalls(given, {})).filter(({ why }) => why !== null).map(({ name }) => name);
    // A status reporter reports `idle` first when it comes online.
    const online = { path: '/agents/me/heartbeat', body: { status: 'idle' } };
    expect(await whys([online, ...calls])).toEqual([]);
    expect(await whys([...calls, online])).not.toEqual([]);
  });

  it('provides a passphrase to commands that export keys', async () => {
    const told = { exit: 0, stdout_nonempty: true, stderr_nonempty: false };
    const pause = { argv: ['agent', 'pause', 'bot-1'], ...told };
    const exported = { argv: ['agent', 'export', 'bot-1', '<HOME>/out.puffoagent'], ...told };
    const whys = async (given: readonly unknown[]) => (await cli(given, {})).map(({ why }) => why);
    expect(await whys([pause, exported])).toEqual([null, null]);
    expect(await whys([pause, { ...exported, exit: 1 }])).not.toEqual([null, null]);
  });
});

describe('Conformance runner', () => {
  it('prints one line per case and the totals last', async () => {
    const { code, lines } = await printed('puffo-wire', fixture('puffo-wire'));
    expect(code).toBe(0);
    expect(lines).toContain('ok messages/channel_text sealed by us');
    expect(lines.at(-1)).toBe(`${lines.length - 1} passed, 0 failed`);
  });

  it('fails unknown sections, empty sections and cases it cannot read', () => {
    const results = runFile(puffoWire(fast), {
      about: 'x',
      some_note: 'x',
      brand_new: [1],
      base64url: [],
      aad: null,
    });
    expect(results.map((result) => [result.name, result.why?.split(':')[0]])).toEqual([
      ['brand_new', 'unknown section'],
      ['base64url', 'the section holds no cases'],
      ['aad', 'cannot be read'],
    ]);
  });

  it('exits with code 2 on wrong usage and rejects a missing file', async () => {
    expect(await printed('nonsense', 'x.json')).toMatchObject({ code: 2 });
    expect(await printed('puffo-wire')).toMatchObject({ code: 2 });
    await expect(printed('puffo-wire', '/nowhere.json')).rejects.toThrow('ENOENT');
  });
});

describe('harness-output', () => {
  it('reads each output as recorded, and fails if an expected reply is changed', async () => {
    const file = fixture('harness-output');
    expect((await printed('harness-output', file)).lines.at(-1)).toBe('10 passed, 0 failed');
    const changed = JSON.parse(JSON.stringify(readCases(file)).replace('Hello', 'Hullo'));
    const failed = runFile(harnessOutput, changed).filter(({ why }) => why !== null);
    expect(failed).toHaveLength(1);
  });
});
