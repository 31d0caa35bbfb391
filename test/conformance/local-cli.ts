/**
 * The sections `cli` and `export_zip_names` of the suite `puffo-local`: the command line on a folder of its
 * own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { runMain } from '../../src/cli/main.ts';
import { fileSource } from '../../src/services/bundle/byte-source.ts';
import { readDirectory } from '../../src/services/bundle/zip-directory.ts';
import { type CaseResult, expectSame, type SlowSection, testCase } from './case.ts';

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const passphrase = 'a passphrase of the cases';

/** Runs commands one after the other, because the process has one environment and one standard output. */
async function kennel(home: string, argv: readonly string[]): Promise<Said> {
  const before = { out: process.stdout.write, err: process.stderr.write, env: { ...process.env } };
  const said = { out: '', err: '' };
  const keep = (stream: 'out' | 'err') => (piece: string | Uint8Array) => {
    said[stream] += String(piece);
    return true;
  };
  try {
    Object.assign(process.env, {
      HOME: home,
      KENNEL_HOME: path.join(home, 'data'),
      KENNEL_NO_KEYCHAIN: '1',
      // Commands that create, export or import keys ask for a passphrase; this terminal is not interactive.
      KENNEL_PASSPHRASE: passphrase,
      KENNEL_BUNDLE_PASSPHRASE: passphrase,
    });
    process.stdout.write = keep('out');
    process.stderr.write = keep('err');
    return { code: await runMain(argv, '0.0.0'), ...said };
  } finally {
    process.stdout.write = before.out;
    process.stderr.write = before.err;
    // Replacing `process.env` would hide later changes from `os.homedir()` and child processes.
    for (const name of Object.keys(process.env)) if (!(name in before.env)) delete process.env[name];
    Object.assign(process.env, before.env);
  }
}

async function inHome<T>(work: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kennel-cli-'));
  try {
    // The recording starts with an existing agent.
    await kennel(home, ['agent', 'create', '--id', 'bot-1', '--no-register']);
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const commands = z.array(
  z.object({
    argv: z.array(z.string()),
    exit: z.number(),
    stdout_nonempty: z.boolean(),
    stderr_nonempty: z.boolean(),
  }),
);

export const cli: SlowSection = (value) =>
  inHome(async (home) => {
    const results: CaseResult[] = [];
    for (const [index, recorded] of commands.parse(value).entries()) {
      const argv = recorded.argv.map((word) => word.replace('<HOME>', home));
      const { code, out, err } = await kennel(home, argv);
      results.push(
        testCase(`${index} ${recorded.argv.join(' ')}`, () => {
          expectSame(code, recorded.exit, 'exit code');
          expectSame(out !== '', recorded.stdout_nonempty, 'stdout');
          expectSame(err !== '', recorded.stderr_nonempty, 'stderr');
        }),
      );
    }
    return results;
  });

export const exportZipNames: SlowSection = (value) =>
  inHome(async (home) => {
    const file = path.join(home, 'out');
    await kennel(home, ['agent', 'export', 'bot-1', file]);
    const source = fileSource(`${file}.zip`);
    const names = readDirectory(source).map(({ name }) => name);
    source.close();
    return [testCase('names', () => expectSame(names, value, 'names'))];
  });
