#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepCompiledCode } from './code-cache.ts';

// Entry point of the `kennel` command. It must parse on Node 20, so it imports almost nothing before the
// version check. It runs `--version` and `status` without the parser.

const packageRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

function readVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  return typeof parsed === 'object' && parsed && 'version' in parsed ? String(parsed.version) : 'unknown';
}

function nodeIsOldEnoughToFail(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major < 22 || (major === 22 && minor < 14);
}

function projectNode(): string | null {
  const windows = process.platform === 'win32';
  const candidates = [
    join(packageRoot, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node'),
    join(packageRoot, 'node_modules', '.bin', windows ? 'node.exe' : 'node'),
  ];
  return candidates.find((path) => existsSync(path)) ?? null;
}

async function runWithNewerNode(argv: readonly string[]): Promise<void> {
  const node = process.env.KENNEL_REEXECUTED ? null : projectNode();
  if (!node) {
    process.stderr.write(
      `kennel needs Node 22.14 or newer; this is ${process.versions.node}. Install a newer Node, or run "npm start" in the project once.\n`,
    );
    process.exitCode = 1;
    return;
  }
  const { runWith } = await import('./newer-node.ts');
  process.exitCode = await runWith(node, fileURLToPath(import.meta.url), argv);
}

async function run(argv: readonly string[]): Promise<void> {
  if (process.env.KENNEL_REEXECUTED) (await import('./newer-node.ts')).endWithParent();
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${readVersion()}\n`);
    return;
  }
  keepCompiledCode(process.env);
  if (argv.length === 2 && argv[0] === 'puppy' && (argv[1] === '--version' || argv[1] === '-V')) {
    process.stdout.write(`puppy ${readVersion()}\n`);
    return;
  }
  if (argv[0] === 'status' && argv.slice(1).every((word) => word === '--json')) {
    const { runStatus } = await import('./status.ts');
    process.exitCode = await runStatus(argv.includes('--json'));
    return;
  }
  const { runMain } = await import('./main.ts');
  process.exitCode = await runMain(argv, readVersion());
}

const argv = process.argv.slice(2);
if (nodeIsOldEnoughToFail()) await runWithNewerNode(argv);
else await run(argv);
