import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { callTool } from '../../../../test/fakes/call-tool.ts';
import { needs, onLinux } from '../../../../test/fakes/programs.ts';
import { toolContext } from '../../../../test/fakes/tool-context.ts';
import { ok, type Result } from '../../../contract/result.ts';
import type { ProcessOutcome, ProcessRequest, SandboxPort } from '../../../core/tools/process-ports.ts';
import { createSystemClock } from '../../clock/system-clock.ts';
import { findBubblewrap } from '../../executors/bubblewrap.ts';
import { createProcessPort } from '../../executors/process.ts';
import { createConfinedFiles } from '../confined/confined-files.ts';
import { createShellTool, type ShellToolPorts } from './shell-tool.ts';

const parent = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-shell-')));
const root = join(parent, 'work');
mkdirSync(root);
mkdirSync(join(parent, 'outside'));
writeFileSync(join(parent, 'outside/secret.txt'), 'TOP-SECRET');
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const clock = createSystemClock();
const process_ = createProcessPort({ clock });
const sandbox = await findBubblewrap({ process: process_ });
if (onLinux) needs('bwrap');
if (!sandbox) console.warn('bubblewrap is not usable here: the shell is not tried out in a sandbox');

const shell = (more: Partial<ShellToolPorts> = {}) =>
  createShellTool({
    files: createConfinedFiles({ cwd: root, readable: [], writable: [root] }),
    process: process_,
    clock,
    sandbox,
    notes: null,
    unsandboxed: false,
    network: false,
    linkedFiles: false,
    timeoutS: 10,
    maxOutputChars: 20_000,
    ...more,
  });

type Search = (request: ProcessRequest) => Promise<Result<ProcessOutcome>>;

/** The sandbox with another search for hard links. */
const searching = (search: (request: ProcessRequest, run: Search) => ReturnType<Search>): SandboxPort => ({
  kind: 'bubblewrap',
  run: async (request, view, signal) => {
    if (!sandbox) throw new Error('there is no sandbox');
    const run: Search = (one) => sandbox.run(one, view, signal);
    return request.program.endsWith('/find') ? search(request, run) : run(request);
  },
});

describe.skipIf(!sandbox)('Shell in its sandbox', () => {
  it('runs a whole line in the workspace after an approval request', async () => {
    const called = await callTool(shell(), { cmd: 'echo a > f; cat f | tr a b && pwd' });
    expect(called.assessment).toMatchObject({ risk: 'medium' });
    expect(called.assessment.effects).toContainEqual({ kind: 'write', path: join(root, 'f') });
    expect(called.assessment.effects[0]).toMatchObject({ kind: 'run', sandbox: 'bubblewrap' });
    expect(called.text).toBe(`b\n${root}\n`);
    expect(readFileSync(join(root, 'f'), 'utf8')).toBe('a\n');
  });

  it('T9 T18: reaches nothing outside and sees none of Kennel’s environment', async () => {
    process.env.KENNEL_CANARY = 'canary-value';
    const cmd = `cat ../outside/secret.txt; ls ${parent}; env; echo x > ../outside/y; cat /proc/*/environ | tr '\\0' '\\n'`;
    const called = await callTool(shell(), { cmd });
    delete process.env.KENNEL_CANARY;
    expect(called.text).not.toMatch(/TOP-SECRET|canary-value|KENNEL_CANARY/);
    expect(existsSync(join(parent, 'outside/y'))).toBe(false);
  });

  it.each([
    ['memory', 'echo evil > memory/plan.md'],
    ['memory', 'rm memory/plan.md'],
    ['memory', 'mv memory gone && mkdir memory && echo evil > memory/plan.md'],
    ['deep/er/memory', 'mv deep gone; mkdir -p deep/er/memory && echo evil > deep/er/memory/plan.md'],
    ['deep/er/memory', 'mv deep/er deep/gone; mkdir -p deep/er/memory; echo evil > deep/er/memory/plan.md'],
    ['deep/er/memory', 'rm -rf deep; mkdir -p deep/er/memory; echo evil > deep/er/memory/plan.md'],
    ['memory', 'umount memory; mount -o remount,rw memory; echo evil > memory/plan.md'],
  ])('T9: can read but not write notes in the workspace (%s): %s', async (where, cmd) => {
    const notes = join(root, where);
    mkdirSync(notes, { recursive: true });
    writeFileSync(join(notes, 'plan.md'), 'mine');
    await callTool(shell({ notes }), { cmd });
    expect(readFileSync(join(notes, 'plan.md'), 'utf8')).toBe('mine');
    expect((await callTool(shell({ notes }), { cmd: `cat ${where}/plan.md` })).text).toBe('mine');
    const beside = await callTool(shell({ notes }), { cmd: 'echo x > beside && cat beside' });
    expect(beside.text).toBe('x\n');
  });

  it('T9: cannot create notes that do not exist yet', async () => {
    const notes = join(root, 'later');
    await callTool(shell({ notes }), { cmd: 'mkdir later; echo evil > later/plan.md' });
    expect(existsSync(join(notes, 'plan.md'))).toBe(false);
    const same = await callTool(shell({ notes: root }), { cmd: 'echo evil > plan.md' });
    expect(same.text).toContain('notes_in_workspace');
    expect(existsSync(join(root, 'plan.md'))).toBe(false);
    symlinkSync(join(root, 'elsewhere'), join(root, 'led-away'));
    const linked = await callTool(shell({ notes: join(root, 'led-away/memory') }), { cmd: 'echo on' });
    expect(linked.text).toContain('notes_in_workspace');
    expect((await callTool(shell({ notes: join(parent, 'outside') }), { cmd: 'echo on' })).text).toBe('on\n');
  });

  describe('T14: Files with a name outside of the sandbox', () => {
    const inside = join(root, 'linked.txt');
    const secret = join(parent, 'outside/secret.txt');
    afterEach(() => rmSync(inside, { force: true }));

    it.each(['cat linked.txt', 'cp linked.txt copy', 'echo evil > linked.txt', 'true'])(
      'keep the shell from running, unless the operator allows them: %s',
      async (cmd) => {
        linkSync(secret, inside);
        const refused = await callTool(shell(), { cmd });
        expect(refused.text).toContain('linked_files');
        expect(refused.text).toContain(inside);
        expect(refused.text).not.toContain('TOP-SECRET');
        expect(refused.output).toBeNull();
        expect([existsSync(join(root, 'copy')), readFileSync(secret, 'utf8')]).toEqual([false, 'TOP-SECRET']);
        const allowed = await callTool(shell({ linkedFiles: true }), { cmd: 'cat linked.txt' });
        expect(allowed.text).toBe('TOP-SECRET');
        rmSync(inside);
        expect((await callTool(shell(), { cmd: 'echo on' })).text).toBe('on\n');
      },
    );

    it('are found whatever their names: line breaks, dashes, bytes that are no text', async () => {
      for (const name of [Buffer.from('-a\nb'), Buffer.from([0xff, 0x41])]) {
        const odd = Buffer.concat([Buffer.from(`${root}/`), name]);
        linkSync(secret, odd);
        expect((await callTool(shell(), { cmd: 'cat ./*' })).text).toContain('linked_files');
        rmSync(odd);
      }
    });

    it('are refused before anything is asked, with the setting that allows them', async () => {
      linkSync(secret, inside);
      const { assessment, output } = await callTool(shell(), { cmd: 'echo on' });
      expect(output).toBeNull();
      expect(assessment).toMatchObject({ effects: [], blocked: { reason: 'linked_files' } });
      expect(assessment.blocked?.message).toContain('shell.linked_files');
    });

    it('are found if they appear after the question', async () => {
      const called = await callTool(shell(), { cmd: 'cat linked.txt' }, () => linkSync(secret, inside));
      expect(called.assessment.blocked).toBeUndefined();
      expect(called.text).toContain('shell.linked_files');
      expect(called.text).not.toContain('TOP-SECRET');
    });

    /** A clock by which all files are an hour older, so that no folder counts as fresh. */
    const later = { ...clock, now: () => clock.now() + 3_600_000 };
    /** Arguments of each search. */
    function counted() {
      const searches: (readonly string[])[] = [];
      const spied = searching((request, run) => {
        searches.push(request.args);
        return run(request);
      });
      return { searches, tool: (more: Partial<ShellToolPorts> = {}) => shell({ sandbox: spied, ...more }) };
    }

    it('are looked for once for all lines while no folder changes, and anew for a new question', async () => {
      const { searches, tool } = counted();
      const unchanged = tool({ clock: later });
      await callTool(unchanged, { cmd: 'echo on' });
      await callTool(unchanged, { cmd: 'true' });
      expect(searches).toHaveLength(1);
      const args = { cmd: 'true' };
      await unchanged.assess(args, toolContext());
      linkSync(secret, inside);
      expect(await unchanged.assess(args, toolContext({ anew: true }))).toHaveProperty('blocked');
      expect(await unchanged.assess(args, toolContext())).toHaveProperty('blocked');
    });

    it('are found between two lines, also if the folder changed in the same moment', async () => {
      const { searches, tool } = counted();
      const fresh = tool({ clock: { ...clock, now: () => 0 } });
      expect((await callTool(fresh, { cmd: 'echo on' })).text).toBe('on\n');
      expect(searches.map((args) => args.includes('-maxdepth'))).toEqual([false, true]);
      linkSync(secret, inside);
      expect((await callTool(fresh, { cmd: 'cat linked.txt' })).text).toContain('linked_files');
    });

    it.each([
      ['in a new folder', () => mkdirSync(join(root, 'deep/er'), { recursive: true }), 'deep/er'],
      ['in a known folder', () => undefined, 'known/folder'],
      [
        'in a folder that moved in',
        () => renameSync(join(parent, 'outside/moved'), join(root, 'moved')),
        'moved',
      ],
      ['in a folder that took the place of another', () => replaceFolder(), 'known/folder'],
    ])('are found between two lines %s', async (_, change, where) => {
      mkdirSync(join(root, 'known/folder'), { recursive: true });
      mkdirSync(join(parent, 'outside/moved'), { recursive: true });
      const tool = shell({ clock: later });
      expect((await callTool(tool, { cmd: 'echo on' })).text).toBe('on\n');
      if (where === 'moved') linkSync(secret, join(parent, 'outside/moved/linked.txt'));
      change();
      if (where !== 'moved') linkSync(secret, join(root, where, 'linked.txt'));
      const refused = await callTool(tool, { cmd: `cat ${where}/linked.txt` });
      for (const path of ['deep', 'known', 'moved'])
        rmSync(join(root, path), { recursive: true, force: true });
      rmSync(join(parent, 'outside/moved'), { recursive: true, force: true });
      expect(refused.text).toContain('linked_files');
      expect(refused.text).not.toContain('TOP-SECRET');
      expect((await callTool(tool, { cmd: 'echo on' })).text).toBe('on\n');
    });

    it('are found between two lines in a new folder whose name is no text', async () => {
      const folder = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]);
      const tool = shell({ clock: later });
      expect((await callTool(tool, { cmd: 'echo on' })).text).toBe('on\n');
      mkdirSync(folder);
      linkSync(secret, Buffer.concat([folder, Buffer.from('/linked.txt')]));
      const refused = await callTool(tool, { cmd: 'cat */linked.txt' });
      rmSync(folder, { recursive: true });
      expect(refused.text).toContain('linked_files');
      expect(refused.text).not.toContain('TOP-SECRET');
    });

    it('are looked for in one time limit, however many searches a check needs', async () => {
      let ms = 0;
      const limits: number[] = [];
      const slow = searching((request, run) => {
        limits.push(request.timeoutMs);
        ms += 6_000;
        return run(request);
      });
      const tool = shell({ sandbox: slow, clock: { ...later, monotonic: () => ms } });
      await tool.assess({ cmd: 'true' }, toolContext());
      mkdirSync(join(root, 'deep'));
      linkSync(secret, join(root, 'deep/linked.txt'));
      await tool.assess({ cmd: 'true' }, toolContext({ anew: true }));
      rmSync(join(root, 'deep'), { recursive: true });
      expect(limits).toEqual([20_000, 20_000, 14_000, 8_000]);
    });

    function replaceFolder(): void {
      renameSync(join(root, 'known/folder'), join(root, 'known/before'));
      mkdirSync(join(root, 'known/folder'));
    }

    it('are found within a minute if a known file got another name outside', async () => {
      let ms = 0;
      writeFileSync(join(root, 'own.txt'), 'own');
      const tool = shell({ clock: { ...later, monotonic: () => ms } });
      expect((await callTool(tool, { cmd: 'cat own.txt' })).text).toBe('own');
      linkSync(join(root, 'own.txt'), join(parent, 'outside/backup.txt'));
      ms = 60_000;
      const refused = await callTool(tool, { cmd: 'echo evil > own.txt' });
      for (const path of ['work/own.txt', 'outside/backup.txt']) rmSync(join(parent, path));
      expect(refused.text).toContain('linked_files');
    });

    it('do not include a second name that the shell itself gave a file of the workspace', async () => {
      mkdirSync(join(root, 'names'));
      writeFileSync(join(root, 'one'), 'x');
      const tool = shell({ clock: later });
      expect((await callTool(tool, { cmd: 'ln one names/two && cat names/two' })).text).toBe('x');
      expect((await callTool(tool, { cmd: 'cat names/two' })).text).toBe('x');
      for (const name of ['one', 'names']) rmSync(join(root, name), { recursive: true });
    });

    it('keep the shell from running where a folder cannot be searched', async () => {
      for (const mode of [0o311, 0o600]) {
        const closed = join(root, 'closed');
        mkdirSync(closed);
        linkSync(secret, join(closed, 'linked.txt'));
        chmodSync(closed, mode);
        const refused = await callTool(shell(), { cmd: 'chmod 755 closed; cat closed/linked.txt' });
        chmodSync(closed, 0o755);
        rmSync(closed, { recursive: true });
        expect(refused.text).toContain('linked_files');
        expect(refused.text).toContain(closed);
        expect(refused.text).not.toContain('TOP-SECRET');
      }
      expect((await callTool(shell(), { cmd: 'echo on' })).text).toBe('on\n');
    });

    it.each([
      ['a signal that the sandbox reports as an exit code', { exitCode: 137 }, ''],
      ['a signal', { exitCode: null, signal: 'SIGKILL' }, 'c/dev/null\0'],
      ['a failure before the first file', { exitCode: 1 }, ''],
    ])('keep the shell from running if the search ended early: %s', async (_, ending, list) => {
      const cut = searching(async (request, run) => {
        const outcome = await run(request);
        const stdout = Buffer.from(list);
        return outcome.ok ? ok({ ...outcome.value, ...ending, stdout, stdoutBytes: stdout.length }) : outcome;
      });
      const refused = await callTool(shell({ sandbox: cut }), { cmd: 'echo ran' });
      expect(refused.text).toContain('The search ended too early.');
      expect(refused.text).not.toContain('ran\n');
    });

    it('do not count files that vanish during the search', async () => {
      const vanishing = searching((request, run) =>
        run({ ...request, args: request.args.toSpliced(1, 0, join(root, 'vanished')) }),
      );
      expect((await callTool(shell({ sandbox: vanishing }), { cmd: 'echo on' })).text).toBe('on\n');
    });

    it('are found below a folder for reading, and if that folder shares a file with a writable one', async () => {
      const outer = join(parent, 'outside');
      const files = (readable: readonly string[]) =>
        createConfinedFiles({ cwd: root, readable, writable: [root] });
      expect((await callTool(shell({ files: files([outer]) }), { cmd: 'echo on' })).text).toBe('on\n');
      linkSync(secret, inside);
      const shared = await callTool(shell({ files: files([outer]) }), { cmd: 'echo evil > linked.txt' });
      expect(shared.text).toContain('linked_files');
      expect(readFileSync(secret, 'utf8')).toBe('TOP-SECRET');
    });

    it('do not include files whose names are all in the workspace; the shell itself can link only those', async () => {
      writeFileSync(join(root, 'one'), 'x');
      linkSync(join(root, 'one'), join(root, 'two'));
      expect((await callTool(shell(), { cmd: 'cat two' })).text).toBe('x');
      const files = createConfinedFiles({ cwd: root, readable: [join(parent, 'outside')], writable: [root] });
      await callTool(shell({ files }), { cmd: `ln ${secret} linked.txt; ln /usr/bin/env linked.txt` });
      expect(existsSync(inside)).toBe(false);
      for (const name of ['one', 'two']) rmSync(join(root, name));
    });
  });

  it('stops all its processes at the timeout, and returns the output so far', async () => {
    const seen: string[] = [];
    const tool = shell();
    const context = toolContext({
      progress: ({ content }) => seen.push(content[0]?.type === 'text' ? content[0].text : ''),
    });
    const output = await tool.execute(
      { cmd: 'echo early; setsid sleep 60 & sleep 60', timeout_s: 1 },
      context,
    );
    expect(output).toMatchObject({ isError: true, details: { timed_out: true, stdout: 'early\n' } });
    expect(seen).toEqual(['early\n']);
  });

  it('cuts long output and reports exit codes', async () => {
    const long = await callTool(shell(), {
      cmd: 'head -c 100000 /dev/zero | tr "\\0" x',
      max_output_chars: 256,
    });
    expect(long.output?.details).toMatchObject({ truncated: true, stdout: 'x'.repeat(256) });
    expect((await callTool(shell(), { cmd: 'exit 7' })).text).toBe('[exit code 7]');
  });
});

describe('T14: Redirection targets', () => {
  const tool = shell({ sandbox: null, unsandboxed: true });
  const outside = join(parent, 'outside');
  mkdirSync(join(root, 'sub/deep'), { recursive: true });
  symlinkSync(outside, join(root, 'link'));
  symlinkSync(join(outside, 'not-yet'), join(root, 'dangling'));
  symlinkSync('sub/deep', join(root, 'inner'));
  symlinkSync('circle', join(root, 'circle'));
  const files = async (cmd: string, args = {}) => {
    const { effects } = await tool.assess({ cmd, ...args }, toolContext());
    return effects.filter(
      (effect) => effect.kind === 'read' || (effect.kind === 'write' && effect.path !== root),
    );
  };
  const at = (...parts: string[]) => join(root, ...parts);

  it.each([
    ['echo x > link/y', 'write', join(outside, 'y')],
    ['cat < link/secret.txt', 'read', join(outside, 'secret.txt')],
    ['echo x >> dangling', 'write', join(outside, 'not-yet')],
    ['echo x > inner/../y', 'write', at('sub/y')],
    ['echo x > ./sub/../new/y', 'write', at('new/y')],
    ['echo x > circle', 'write', at('circle')],
    ['cd sub && echo x > /etc/hostname', 'write', '/etc/hostname'],
  ] as const)('are found: %s: %s %s', async (cmd, kind, path) => {
    expect(await files(cmd)).toEqual([{ kind, path }]);
  });

  it('are unknown if the line changes its folder', async () => {
    expect(await files('cd sub && echo x > y')).toEqual([]);
    expect(await files('(pushd sub; echo x > y)')).toEqual([]);
  });
});

describe('Shell refusals and risks', () => {
  const blocked = async (cmd: string, more: Partial<ShellToolPorts> = {}, args = {}) =>
    (await shell(more).assess({ cmd, ...args }, toolContext())).blocked?.reason ?? null;
  const pretended: SandboxPort = {
    kind: 'bubblewrap',
    run: (request, _, signal) => process_.run(request, signal),
  };

  it('refuses without a sandbox; if the operator allows it, the risk is always high', async () => {
    expect(await blocked('ls', { sandbox: null })).toBe('no_sandbox');
    const tool = shell({ sandbox: null, unsandboxed: true });
    const called = await callTool(tool, { cmd: 'pwd' });
    expect(called.assessment).toMatchObject({ risk: 'high' });
    expect(called.assessment.effects[0]).toMatchObject({ kind: 'run', sandbox: 'none' });
    expect(called.text).toBe(`${root}\n`);
  });

  it.each([
    'sudo ls',
    's""udo ls',
    'env sudo ls',
    'sh -c "su"',
    'ls; doas x',
    '/usr/bin/pkexec x',
    'echo $(sudo id)',
  ])('T9: refuses %s, with and without a sandbox', async (cmd) => {
    expect(await blocked(cmd, { sandbox: pretended })).toBe('privilege_escalation');
    expect(await blocked(cmd, { sandbox: null, unsandboxed: true })).toBe('privilege_escalation');
  });

  it('refuses a command that it cannot parse if no sandbox confines it', async () => {
    expect(await blocked('$X ls', { sandbox: null, unsandboxed: true })).toBe('not_understood');
    expect(await blocked('$X ls', { sandbox: pretended })).toBeNull();
    expect(await blocked('', { sandbox: pretended })).toBe('missing_cmd');
    expect(await blocked('ls\0', { sandbox: pretended })).toBe('invalid_shell_syntax');
    expect(await blocked('x'.repeat(20_000), { sandbox: pretended })).toBe('command_too_long');
    expect(await blocked('ls', { sandbox: pretended }, { cwd: '../outside' })).toBe(
      'cwd_outside_allowed_roots',
    );
    expect(await blocked('ls', { sandbox: pretended }, { cwd: 'nothing' })).toBe('invalid_cwd');
  });

  it('rates removal, network access and unparsed commands as high risk', async () => {
    const risk = async (cmd: string, more: Partial<ShellToolPorts> = {}) =>
      (await shell({ sandbox: pretended, ...more }).assess({ cmd }, toolContext())).risk;
    expect(await risk('npm test')).toBe('medium');
    expect(await risk('ls | xargs rm')).toBe('high');
    expect(await risk('find . -delete')).toBe('high');
    expect(await risk('cat <<E\nx\nE')).toBe('high');
    expect(await risk('npm test', { network: true })).toBe('high');
  });

  it('previews each command of a line', async () => {
    const { preview } = await shell({ sandbox: pretended }).assess({ cmd: 'a | b; c' }, toolContext());
    expect(preview.body).toBe('a | b; c\n\nIt starts:\n  a\n  b\n  c');
  });
});
