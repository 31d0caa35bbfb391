import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApprovalRig, neverAborted } from '../../../../test/fakes/approval-rig.ts';
import { type BashRig, createBashRig } from '../../../../test/fakes/bash-rig.ts';
import { inEnglish } from '../../../../test/fakes/in-english.ts';
import { toolContext } from '../../../../test/fakes/tool-context.ts';
import type { Approval } from '../../../contract/approvals.ts';
import { gateVerdict } from '../../../core/loop/tool-adapter.ts';
import { createBashExecTool } from './bash-exec-tool.ts';

const posix = process.platform !== 'win32';
let rig: BashRig;
beforeEach(() => {
  rig = createBashRig();
  rig.put('work/a.txt', 'alpha\nbeta\n\n\ngamma\n');
  rig.put('work/b.txt', 'one two\n');
  rig.put('work/.hidden', 'x');
  rig.put('work/sub/c.txt', 'c');
  rig.put('ro/doc.txt', 'doc\n');
});
afterEach(() => rig.dispose());

describe.skipIf(!posix)('Read-only commands', () => {
  it.each([
    ['cat a.txt sub/c.txt', 'alpha\nbeta\n\n\ngamma\nc'],
    ['cat -ns a.txt', '     1\talpha\n     2\tbeta\n     3\t\n     4\tgamma\n'],
    ['cat -b a.txt', '     1\talpha\n     2\tbeta\n\n\n     3\tgamma\n'],
    ['head -2 a.txt', 'alpha\nbeta\n'],
    ['head -c 3 a.txt', 'alp'],
    ['head -n 1 a.txt b.txt', '==> a.txt <==\nalpha\n\n==> b.txt <==\none two\n'],
    ['head -qn1 a.txt b.txt', 'alpha\none two\n'],
    ['head -n 0 a.txt', ''],
    ['tail -n 1 a.txt', 'gamma\n'],
    ['tail -2 a.txt', '\ngamma\n'],
    ['tail -n +5 a.txt', 'gamma\n'],
    ['tail -c 3 a.txt', 'ma\n'],
    ['tail -n 100 b.txt', 'one two\n'],
    ['tail sub/c.txt', 'c'],
    ['wc a.txt', '      5       3      19 a.txt\n'],
    ['wc -l a.txt b.txt', '      5 a.txt\n      1 b.txt\n      6 total\n'],
    ['wc -L b.txt', '      7 b.txt\n'],
    ['ls', 'a.txt\nb.txt\nsub\n'],
    ['ls -A', '.hidden\na.txt\nb.txt\nsub\n'],
    ['ls -aF sub', './\n../\nc.txt\n'],
    ['ls -R', '.:\na.txt\nb.txt\nsub\n\nsub:\nc.txt\n'],
    ['ls -r', 'sub\nb.txt\na.txt\n'],
    ['ls -d sub a.txt', 'sub\na.txt\n'],
    ['du -ab sub', '1\tsub/c.txt\n1\tsub\n'],
    ['du -sb .', '29\t.\n'],
    ["echo -n 'a  b' c", 'a  b c'],
    ['find . -name c.txt', './sub/c.txt\n'],
    ['rg -n beta a.txt', '2:beta\n'],
    ['rg -l alpha', './a.txt\n'],
    ['cat nothing', 'cat: nothing: There is no such file or folder.\n'],
    ['cat sub', 'cat: sub: This is a folder, not a file.\n'],
  ])('prints what the real command prints for: %s', async (cmd, expected) =>
    expect(await rig.run(cmd)).toBe(expected),
  );

  it('run in a subfolder and in a read-only folder', async () => {
    expect(await rig.run('cat ../a.txt', { cwd: 'sub' })).toContain('alpha');
    expect(await rig.run('pwd', { cwd: 'sub' })).toBe(`${rig.root}/sub\n`);
    expect(await rig.run('cat doc.txt', { cwd: rig.at('ro') })).toBe('doc\n');
    expect(await rig.run('df -h .')).toMatch(/^Size\tUsed/);
  });

  it('T18: start programs with a minimal environment', async () => {
    await rig.run('rg alpha');
    // The first run lists the files that the second would read.
    expect(rig.started).toHaveLength(2);
    expect(Object.keys(rig.started[0]?.env ?? {}).sort()).toEqual(['LANG', 'LC_ALL', 'PATH']);
    expect(rig.started[0]?.program).toMatch(/^\/usr\//);
  });
});

describe.skipIf(!posix)('Changing commands', () => {
  it('change files as requested', async () => {
    await rig.run('mkdir -p x/y');
    await rig.run('touch x/y/new.txt');
    await rig.run('cp a.txt b.txt x');
    await rig.run('cp -r x copy');
    await rig.run('mv b.txt copy/renamed.txt');
    expect(await rig.run('ls copy')).toBe('a.txt\nb.txt\nrenamed.txt\ny\n');
    await rig.run('rm -r copy');
    await rig.run('rm -f a.txt nothing');
    expect(await rig.run('ls')).toBe('sub\nx\n');
    await rig.run('cp x/a.txt .');
    expect(await rig.run('ls')).toBe('a.txt\nsub\nx\n');
  });

  it('report an error and change nothing', async () => {
    expect(await rig.run('rm sub')).toContain('This is a folder');
    expect(await rig.run('mkdir sub')).toContain('already something of that name');
    expect(await rig.run('cp a.txt b.txt c.txt')).toContain('not a folder');
    expect(await rig.run('cp sub x')).toContain('This is a folder');
    expect(await rig.run('rm nothing')).toContain('no such file');
    expect(await rig.run('mv -n a.txt b.txt')).toBe('');
    expect(readFileSync(rig.at('work/b.txt'), 'utf8')).toBe('one two\n');
  });

  it('have a risk, effects and a preview of the change', async () => {
    const assessed = await rig.tool.assess({ cmd: 'mv a.txt sub' }, toolContext());
    expect(inEnglish(assessed)).toMatchObject({
      risk: 'medium',
      preview: { kind: 'command', title: 'change with mv', body: 'mv a.txt sub', where: rig.root },
    });
    expect(assessed.effects).toEqual([
      { kind: 'delete', path: rig.at('work/a.txt') },
      { kind: 'write', path: rig.at('work/sub/a.txt') },
      { kind: 'run', argv: ['mv', '--', 'a.txt', 'sub'], cwd: rig.root, sandbox: 'confined' },
    ]);
    expect((await rig.tool.assess({ cmd: 'rm a.txt' }, toolContext())).risk).toBe('high');
  });

  it('report a missing file by its normalised path', async () => {
    const cmd = 'cat ../outside/../ro/none sub/../sub/none';
    const { effects } = await rig.tool.assess({ cmd }, toolContext());
    expect(effects.slice(0, 2)).toEqual([
      { kind: 'read', path: rig.at('ro/none') },
      { kind: 'read', path: rig.at('work/sub/none') },
    ]);
  });

  it('are refused if no approval can be requested', async () => {
    const mute = createBashExecTool({ ...rig.ports, limits: { approvals: false } });
    const reason = async (cmd: string) => (await mute.assess({ cmd }, toolContext())).blocked?.reason;
    expect(await reason('touch x')).toBe('approval_required_or_denied');
    expect(await reason('ls')).toBeUndefined();
  });
});

describe.skipIf(!posix)('T14: Links in commands', () => {
  beforeEach(() => {
    symlinkSync(rig.at('outside'), rig.at('work/out'));
    symlinkSync('sub', rig.at('work/in'));
    symlinkSync('.', rig.at('work/self'));
    symlinkSync(rig.at('outside/secret.txt'), rig.at('work/file-link'));
    symlinkSync(rig.at('outside/none'), rig.at('work/dangling'));
    linkSync(rig.at('outside/secret.txt'), rig.at('work/hard'));
    mkdirSync(rig.at('work/outside'));
  });

  it.each([
    ['cat out/secret.txt', '! path_outside_allowed_roots'],
    ['cat file-link', '! path_outside_allowed_roots'],
    ['cat hard', '! path_outside_allowed_roots'],
    ['rg TOP hard', '! path_outside_allowed_roots'],
    ['rg TOP out', '! path_outside_allowed_roots'],
    ['rg TOP .', '! path_outside_allowed_roots'],
    ['rg TOP', '! path_outside_allowed_roots'],
    ['rg -uuu --no-messages -e TOP ..', '! path_outside_allowed_roots'],
    ["rg --json TOP -g 'h*'", '! path_outside_allowed_roots'],
    ["rg -c TOP -g '!hard'", ''],
    ['rg -l alpha sub a.txt', 'a.txt\n'],
    ['rg -l alpha -t txt', './a.txt\n'],
    ['find out -name x', '! path_outside_allowed_roots'],
    ['find . -newer file-link', '! path_outside_allowed_roots'],
    ['cp hard copy', '! path_outside_allowed_roots'],
    ['cp a.txt out/x', '! path_outside_writable_roots'],
    ['cp a.txt file-link', '! path_outside_writable_roots'],
    ['touch hard', '! path_outside_writable_roots'],
    ['touch dangling', '! path_outside_writable_roots'],
    ['mkdir out/x', '! path_outside_writable_roots'],
    ['mv a.txt out', '! path_outside_writable_roots'],
    ['rm -rf out/', '! path_outside_writable_roots'],
    ['rm -rf out/.', '! path_outside_writable_roots'],
    ['touch ../ro/x', '! path_outside_writable_roots'],
    ['mv ../ro/doc.txt .', '! path_outside_writable_roots'],
    ['rm -rf ../work', '! write_target_is_root_blocked'],
    ['touch .', '! write_target_is_root_blocked'],
    ['mv a.txt .git/hooks/x', '! protected_path'],
    ['cp a.txt sub/.GIT/config', '! protected_path'],
    ['ls', 'a.txt\nb.txt\ndangling\nfile-link\nhard\nin\nout\noutside\nself\nsub\n'],
    ['cat in/c.txt', 'c'],
    ['pwd', null],
  ])('stays inside its folders with: %s', async (cmd, expected) => {
    const result = await rig.run(cmd);
    if (expected !== null) expect(result).toBe(expected);
    expect(existsSync(rig.at('outside/none'))).toBe(false);
    expect(readFileSync(rig.at('outside/secret.txt'), 'utf8')).toBe('TOP-SECRET\n');
  });

  it('are resolved before `..` in the program as in the check', async () => {
    expect(await rig.run('find self/../outside')).toBe('outside\n');
    expect(await rig.run('rg --files self/../outside')).not.toContain('secret');
    expect(await rig.run('find self/../../outside')).toBe('! path_outside_allowed_roots');
  });

  it('are removed or moved themselves, not their targets', async () => {
    expect(await rig.run('rm out')).toBe('');
    expect(await rig.run('mv file-link renamed')).toBe('');
    expect(existsSync(rig.at('work/out'))).toBe(false);
    expect(existsSync(rig.at('outside/secret.txt'))).toBe(true);
  });

  it('do not make file names that look like options or operators special', async () => {
    rig.put('work/-delete', 'x');
    rig.put('work/(', 'x');
    expect(await rig.run('find ./-delete')).toBe('./-delete\n');
    expect(await rig.run("find './('")).toBe('./(\n');
    expect(await rig.run('cat -- -delete')).toBe('x');
    expect(existsSync(rig.at('work/-delete'))).toBe(true);
  });
});

describe.skipIf(!posix)('T14: Approved command', () => {
  it.each([true, false])(
    'needs a new approval if a link has changed its target; second approval granted: %s',
    async (yes) => {
      rig.put('work/one/x', '1');
      rig.put('work/two/x', '2');
      symlinkSync('one', rig.at('work/link'));
      const approvals = createApprovalRig();
      const { centre, store } = approvals;
      const context = toolContext();
      const facts = () => ({ agentId: 'guide', turnId: context.turnId, threadKey: context.threadKey });
      const call = {
        callId: context.callId,
        name: 'bash_exec',
        args: { cmd: 'rm link/x' },
        justification: '',
      };
      const verdict = gateVerdict(
        { tools: [rig.tool], gate: centre, facts, tainted: () => false },
        call,
        neverAborted,
      );
      const question = () =>
        new Promise<Approval>((resolve) => {
          approvals.listener = (approval) => {
            if (approval.state === 'waiting') resolve(approval);
          };
        });
      const first = await question();
      expect(first.effects).toContainEqual({ kind: 'delete', path: rig.at('work/one/x') });
      rmSync(rig.at('work/link'));
      symlinkSync('two', rig.at('work/link'));
      const allow = { type: 'allow', scope: 'once' } as const;
      centre.decide(first.id, allow, { digest: first.digest, surface: 'window' });
      const second = await question();
      expect(second.id).not.toBe(first.id);
      expect(second.digest).not.toBe(first.digest);
      expect(second.effects).toContainEqual({ kind: 'delete', path: rig.at('work/two/x') });
      const answer = yes ? allow : ({ type: 'deny', reason: 'not that one' } as const);
      const decided = centre.decide(second.id, answer, { digest: second.digest, surface: 'window' });
      expect(decided.ok && decided.value.receipt?.digest).toBe(second.digest);
      const said = await verdict;
      if (yes) {
        expect(said).toBeUndefined();
        await rig.tool.execute(call.args, context);
      } else expect(said).toMatchObject({ block: true, reason: expect.stringContaining('not that one') });
      expect([existsSync(rig.at('work/one/x')), existsSync(rig.at('work/two/x'))]).toEqual([true, !yes]);
      expect(store.list({ state: 'all', limit: 9 })).toHaveLength(2);
    },
  );

  it('is refused if a path has changed its meaning since the approval', async () => {
    const swap = (): void => {
      symlinkSync('sub', rig.at('work/late'));
    };
    const context = toolContext();
    await rig.tool.assess({ cmd: 'touch late/n.txt' }, context);
    mkdirSync(rig.at('work/real'));
    const asked = await rig.tool.assess({ cmd: 'cp a.txt real/n' }, toolContext({ callId: 'call-2' }));
    expect(asked.blocked).toBeUndefined();
    swap();
    const output = await rig.tool.execute({ cmd: 'touch late/n.txt' }, context);
    expect(output.details).toMatchObject({ blocked: true, block_reason: 'changed_since_approval' });
    expect(existsSync(rig.at('work/sub/n.txt'))).toBe(false);
  });
});

describe.skipIf(!posix)('Command limits', () => {
  it('are clamped to their valid range', async () => {
    rig.put('work/long', 'x'.repeat(50_000));
    expect((await rig.details('cat long')).stdout).toHaveLength(20_000);
    expect((await rig.details('cat long', { max_output_chars: 1 })).stdout).toHaveLength(256);
    expect((await rig.details('cat long', { max_output_chars: 'x' })).stdout).toHaveLength(20_000);
    const cut = await rig.details('cat long nothing', { stdout_max_chars: 10 });
    expect(cut).toMatchObject({
      ok: false,
      stdout: 'xxxxxxxxxx',
      stdout_truncated: true,
      stderr_truncated: false,
      truncated: true,
      stdout_raw_size: 50_000,
      exit_code: 1,
      risk: 'low',
      max_output_chars: 20_000,
    });
  });

  it('stop a program at its timeout', async () => {
    const slow = createBashExecTool({
      ...rig.ports,
      process: {
        run: (request, signal) =>
          rig.ports.process.run({ ...request, program: '/bin/sleep', args: ['60'] }, signal),
      },
    });
    const output = await slow.execute({ cmd: 'rg x', timeout_s: 1 }, toolContext());
    expect(output.details).toMatchObject({ ok: false, timed_out: true, exit_code: null });
  });

  it('stop a program when the turn is aborted', async () => {
    const stop = new AbortController();
    stop.abort();
    const output = await rig.tool.execute({ cmd: 'rg x' }, toolContext({ signal: stop.signal }));
    expect(output.details).toMatchObject({ ok: false, exit_code: null });
  });
});
