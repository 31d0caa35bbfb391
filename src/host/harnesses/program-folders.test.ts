import { linkSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../services/clock/system-clock.ts';
import { findBubblewrap } from '../../services/executors/bubblewrap.ts';
import { createProcessPort } from '../../services/executors/process.ts';
import { createProgramFolders } from './program-folders.ts';

const clock = createSystemClock();
const sandbox = await findBubblewrap({ process: createProcessPort({ clock }), hidden: [] });

let folder: string;
let cwd: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-program-')));
  cwd = join(folder, 'workspace');
  mkdirSync(cwd);
  writeFileSync(join(folder, 'secret'), 'TOP-SECRET');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const folders = createProgramFolders({ sandbox: async () => sandbox, clock });
const shown = (
  change: {
    readonly memory_dir?: string;
    readonly linked_files?: boolean;
    readonly permission_mode?: string;
  } = {},
) =>
  folders({
    agent: { folder },
    config: {
      memory_dir: change.memory_dir ?? 'memory',
      runtime: { kind: 'cli-docker', permission_mode: change.permission_mode ?? 'bypassPermissions' },
      shell: {
        unsandboxed: false,
        network: false,
        allowed_hosts: [],
        linked_files: change.linked_files ?? false,
      },
    },
    roots: { cwd, readable: [cwd], writable: [cwd] },
    title: 'Claude Code',
  });

describe.skipIf(!sandbox)('Folders of an agent program', () => {
  it('T14: are not shown while a file has another name outside, also one that came later', async () => {
    expect(await shown()).toMatchObject({ ok: true, value: { writable: [cwd] } });
    linkSync(join(folder, 'secret'), join(cwd, 'copy'));
    const refused = await shown();
    expect(refused).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect(refused.ok || refused.error.message).toContain(join(cwd, 'copy'));
    expect(await shown({ linked_files: true })).toMatchObject({ ok: true });
    rmSync(join(cwd, 'copy'));
    expect(await shown()).toMatchObject({ ok: true });
  });

  it('T9: contain notes that the program can read but not write', async () => {
    const notes = join(cwd, 'memory');
    mkdirSync(notes);
    writeFileSync(join(notes, 'plan.md'), 'mine');
    const view = await shown({ memory_dir: 'workspace/memory' });
    if (!view.ok || !sandbox) throw new Error('not shown');
    const line = 'cat memory/plan.md; echo evil > memory/plan.md; mv memory gone; echo x > beside';
    const request = {
      program: '/bin/sh',
      args: ['-c', line],
      cwd,
      env: { PATH: '/usr/bin:/bin' },
      timeoutMs: 10_000,
      maxStdoutBytes: 1_000,
      maxStderrBytes: 1_000,
    };
    const ran = await sandbox.run(request, { ...view.value, network: false }, new AbortController().signal);
    expect(ran.ok && Buffer.from(ran.value.stdout).toString()).toBe('mine');
    expect(readFileSync(join(notes, 'plan.md'), 'utf8')).toBe('mine');
    expect(readFileSync(join(cwd, 'beside'), 'utf8')).toBe('x\n');
    expect(await shown({ memory_dir: 'workspace' })).toMatchObject({
      ok: false,
      error: { code: 'forbidden' },
    });
  });

  it('T9: are read-only for an agent that only plans, also if its program never asks', async () => {
    expect(await shown({ permission_mode: 'plan' })).toMatchObject({
      ok: true,
      value: { readable: expect.arrayContaining([cwd]), writable: [] },
    });
    expect(await shown()).toMatchObject({ ok: true, value: { writable: [cwd] } });
  });
});
