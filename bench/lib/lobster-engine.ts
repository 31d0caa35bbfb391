/**
 * The engine that Puppy's goals were measured against, for comparison on one machine. Installed into a
 * temporary folder during a bench, from npm's configured registry; no part of Kennel.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const name = '@clawdbot/lobster';
const version = '2026.9.13';

export interface LobsterEnvelope {
  readonly ok: boolean;
  readonly status?: string;
  readonly requiresApproval?: { readonly resumeToken: string } | null;
}

interface Calls {
  runToolRequest(request: object): Promise<LobsterEnvelope>;
  resumeToolRequest(request: object): Promise<LobsterEnvelope>;
}

export interface LobsterEngine {
  /** CLI entry point. */
  readonly program: string;
  /** Entry point for programs that embed the engine. */
  readonly module: string;
  readonly env: Readonly<Record<string, string>>;
  run(file: string): Promise<LobsterEnvelope>;
  approve(token: string): Promise<LobsterEnvelope>;
}

/** Returns a text with the reason if it is unavailable. */
export async function installLobster(home: string): Promise<LobsterEngine | string> {
  const folder = path.join(home, 'lobster');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const installed = spawnSync('npm', ['install', ...flags, `${name}@${version}`], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (installed.status !== 0) {
    const said = (installed.stderr ?? '').trim().split('\n').at(-1) ?? '';
    return `${name} ${version} could not be installed: ${installed.error?.message ?? said}`;
  }
  const root = path.join(folder, 'node_modules', name);
  const module = path.join(root, 'dist/src/core/index.js');
  const env = { LOBSTER_STATE_DIR: path.join(folder, 'state') };
  const calls = (await import(pathToFileURL(module).href)) as Calls;
  const ctx = { env, cwd: home };
  return {
    program: path.join(root, 'bin/lobster.js'),
    module,
    env,
    run: (file) => calls.runToolRequest({ filePath: file, ctx }),
    approve: (token) => calls.resumeToolRequest({ token, approved: true, ctx }),
  };
}
