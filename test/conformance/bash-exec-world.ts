/** Format of the `bash-exec` cases, and the folders, programs and variables that each one needs. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const outcome = z.enum(['allow', 'approval', 'deny']);
export type Outcome = z.infer<typeof outcome>;

const step = z.union([
  z.strictObject({ file: z.string(), content: z.string() }),
  z.strictObject({ dir: z.string() }),
  z.strictObject({ symlink: z.string(), to: z.string() }),
  z.strictObject({ hardlink: z.string(), to: z.string() }),
  z.strictObject({ fifo: z.string() }),
  z.strictObject({ script: z.string(), does: z.string() }),
  z.strictObject({ bigFile: z.string(), bytes: z.number() }),
  z.strictObject({ bytesFile: z.string(), hex: z.string() }),
  z.strictObject({ env: z.record(z.string(), z.string()) }),
  z.strictObject({ gitInit: z.string(), commit: z.string().optional() }),
  z.object({ gitConfig: z.string() }).catchall(z.string()),
]);
type Step = z.infer<typeof step>;

export const bashCase = z.strictObject({
  id: z.string(),
  class: z.string(),
  cmd: z.string(),
  cwd: z.string().optional(),
  setup: z.array(step).default([]),
  expected: outcome,
  alsoAccept: z.array(outcome).default([]),
  risk: z.enum(['low', 'medium', 'high']).nullish(),
  reason: z.string(),
  mustNotExist: z.array(z.string()).default([]),
  mustExist: z.array(z.string()).default([]),
  childEnvMustNotContain: z.array(z.string()).default([]),
  approver: z.string().optional(),
  /** Required content of the approval request: names of its fields, or fields with values. */
  approvalRequestFields: z
    .union([z.array(z.string()), z.record(z.string(), z.unknown())])
    .transform((fields) =>
      Array.isArray(fields) ? fields.map((name) => [name, null] as const) : Object.entries(fields),
    )
    .default([]),
  params: z.record(z.string(), z.unknown()).default({}),
  platform: z.string().optional(),
  limits: z
    .strictObject({
      mustReturnWithinMs: z.number().optional(),
      outputCharsAtMost: z.number().optional(),
      extraMemoryMiBAtMost: z.number().optional(),
      truncated: z.boolean().optional(),
    })
    .default({}),
  studiedTool: z.unknown().optional(),
});
export type BashCase = z.infer<typeof bashCase>;

export interface BashWorld {
  readonly root: string;
  readonly readOnly: string;
  fill(text: string): string;
  /** Replaces a file by a symlink. */
  swap(path: string, target: string): void;
  dispose(): void;
}

const git = (cwd: string, ...args: string[]): void => {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'init.defaultBranch=main'];
  execFileSync('git', [...identity, ...args], {
    cwd,
    stdio: 'ignore',
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
      GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
    },
  });
};

function bigFile(path: string, bytes: number): void {
  const fd = openSync(path, 'w');
  ftruncateSync(fd, bytes);
  closeSync(fd);
}

function script(path: string, does: string): void {
  const marker = /^creates (.+)$/.exec(does)?.[1];
  if (marker === undefined) throw new Error(`a script that ${does}`);
  writeFileSync(path, `#!/bin/sh\n: > '${marker}'\ncat\n`);
  chmodSync(path, 0o755);
}

function build(one: Step, fill: (text: string) => string, restore: (() => void)[]): void {
  const at = (path: string): string => {
    const full = fill(path);
    mkdirSync(dirname(full), { recursive: true });
    return full;
  };
  if ('file' in one) writeFileSync(at(one.file), fill(one.content));
  else if ('dir' in one) mkdirSync(at(one.dir), { recursive: true });
  else if ('symlink' in one) symlinkSync(fill(one.to), at(one.symlink));
  else if ('hardlink' in one) linkSync(fill(one.to), at(one.hardlink));
  else if ('fifo' in one) execFileSync('mkfifo', [at(one.fifo)]);
  else if ('script' in one) script(at(one.script), fill(one.does));
  else if ('bigFile' in one) bigFile(at(one.bigFile), Number(one.bytes));
  else if ('bytesFile' in one) writeFileSync(at(one.bytesFile), Buffer.from(one.hex, 'hex'));
  else if ('env' in one) {
    for (const [name, value] of Object.entries(one.env)) {
      const before = process.env[name];
      restore.push(() => {
        if (before === undefined) delete process.env[name];
        else process.env[name] = before;
      });
      process.env[name] = fill(value).replaceAll('$PATH', process.env.PATH ?? '');
    }
  } else if ('gitInit' in one) {
    const folder = fill(one.gitInit);
    mkdirSync(folder, { recursive: true });
    git(folder, 'init', '-q');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-q', '--allow-empty', '-m', one.commit ?? 'first');
  } else {
    const { gitConfig, ...keys } = one;
    for (const [key, value] of Object.entries(keys)) git(fill(gitConfig), 'config', key, fill(value));
  }
}

export function buildWorld(setup: readonly Step[]): BashWorld {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-bash-')));
  const names = { ROOT: 'work', RO: 'ro', OUT: 'outside' };
  const places: Readonly<Record<string, string>> = {
    PARENT: parent,
    ROOT: join(parent, names.ROOT),
    RO: join(parent, names.RO),
    OUT: join(parent, names.OUT),
  };
  for (const name of Object.values(names)) mkdirSync(join(parent, name));
  mkdirSync(join(parent, 'work-evil'));
  const fill = (text: string): string =>
    text.replace(/\{(PARENT|ROOT|RO|OUT)\}/g, (_, name: string) => places[name] ?? '');
  const restore: (() => void)[] = [];
  for (const one of setup) build(one, fill, restore);
  return {
    root: fill('{ROOT}'),
    readOnly: fill('{RO}'),
    fill,
    swap: (path, target) => {
      rmSync(path, { recursive: true, force: true });
      symlinkSync(target, path);
    },
    dispose: () => {
      for (const undo of restore.reverse()) undo();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}
