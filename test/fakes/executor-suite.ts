/** Conformance of executors: one suite for all adapters. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CommandOptions,
  type CommandOutcome,
  type Executor,
  type ExecutorSession,
  executorOptionsSchema,
  type SessionToOpen,
} from '../../src/core/executors/executor-ports.ts';
import { escapeScript, escapesIn, plantEscapes } from './escapes.ts';

export interface SuiteGround {
  readonly executor: Executor;
  /** Beside the defaults. */
  readonly options?: Readonly<Record<string, unknown>>;
  close?(): void;
}

export interface ExecutorUnderTest {
  readonly session: ExecutorSession;
  readonly workspace: string;
  readonly outside: string;
  sh(command: string, options?: CommandOptions): Promise<CommandOutcome & { out: string; err: string }>;
}

export async function openUnderTest(
  { executor, options = {} }: SuiteGround,
  change: Partial<SessionToOpen> & { readonly more?: Readonly<Record<string, unknown>> } = {},
): Promise<ExecutorUnderTest> {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-executor-')));
  const workspace = join(outside, 'work space');
  mkdirSync(join(workspace, 'config'), { recursive: true });
  const { more = {}, ...request } = change;
  const opened = await executor.open({
    conversationId: 'c1',
    workspace,
    options: executorOptionsSchema().parse({ ...options, ...more }),
    ...request,
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const session = opened.value;
  return {
    session,
    workspace,
    outside,
    async sh(command, with_ = {}) {
      const ran = await session.run({ command }, with_);
      if (!ran.ok) throw new Error(JSON.stringify(ran.error));
      const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
      return { ...ran.value, out: text(ran.value.stdout).trim(), err: text(ran.value.stderr).trim() };
    },
  };
}

const end = async ({ session, outside }: ExecutorUnderTest): Promise<void> => {
  await session.close();
  rmSync(outside, { recursive: true, force: true });
};

/** `ground` is made once, before the first test. */
export function executorSuite(title: string, make: () => Promise<SuiteGround>): void {
  describe(`Executor ${title}`, () => {
    let ground: SuiteGround;
    let under: ExecutorUnderTest;
    beforeAll(async () => {
      ground = await make();
      under = await openUnderTest(ground);
    }, 120_000);
    afterAll(async () => {
      await end(under);
      ground.close?.();
    });

    it('says that it works', async () => {
      expect(await ground.executor.verify()).toMatchObject({ ok: true, mend: null });
    });

    it('runs a command in the workspace, with its output and exit code', async () => {
      const ran = await under.sh('echo out; echo err >&2; echo kept >"a file"; exit 3');
      expect(ran).toMatchObject({ out: 'out', err: 'err', exitCode: 3, timedOut: false, violations: [] });
      expect(readFileSync(join(under.workspace, 'a file'), 'utf8')).toBe('kept\n');
    });

    it('keeps folder and exported variables for the next command', async () => {
      await under.sh(`mkdir -p "it's here"; cd "it's here"; export KEPT="a 'b' \\$c"`);
      expect(await under.sh('pwd; echo "$KEPT"')).toMatchObject({
        out: `${under.workspace}/it's here\na 'b' $c`,
      });
      await under.sh('cd ..; unset KEPT');
      expect(await under.sh('env | grep -c ^KEPT=')).toMatchObject({ out: '0' });
    });

    it('gives variables of one command to that command only', async () => {
      await under.sh('export FOO=old');
      expect(await under.sh('echo "$FOO $BAR"', { env: { FOO: "n'ew", BAR: 'b' } })).toMatchObject({
        out: "n'ew b",
      });
      expect(await under.sh('echo "$FOO $BAR"; env | grep -c ^BAR=')).toMatchObject({ out: 'old \n0' });
      const wrong = await under.session.run({ command: 'true' }, { env: { 'A;touch x': '' } });
      expect(wrong).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    });

    it('passes input, and none if there is none', async () => {
      expect(await under.sh('cat', { stdin: 'line 1\nline 2' })).toMatchObject({ out: 'line 1\nline 2' });
      expect(await under.sh('cat; echo end')).toMatchObject({ out: 'end' });
    });

    it('runs a script of the workspace by its ending, with its arguments', async () => {
      writeFileSync(join(under.workspace, 'a script.sh'), 'echo "$1|$2"; pwd');
      const ran = await under.session.run({ file: 'a script.sh', args: ['x y', "z'"] });
      expect(ran.ok && Buffer.from(ran.value.stdout).toString()).toBe(`x y|z'\n${under.workspace}\n`);
      const failed = async (file: string) => {
        const outcome = await under.session.run({ file });
        return outcome.ok ? null : outcome.error.code;
      };
      expect(await failed('a.exe')).toBe('invalid_input');
      expect(await failed('missing.sh')).toBe('not_found');
      expect(await failed('../../../etc/profile.sh')).toBe('not_found');
    });

    it('ends a command that takes too long, with all it started, and goes on', async () => {
      const ran = await under.sh('(while :; do echo x >>ticks; sleep 0.05; done) & sleep 600', {
        timeout: 1,
      });
      expect(ran.timedOut).toBe(true);
      const size = (): number => readFileSync(join(under.workspace, 'ticks')).length;
      const before = size();
      expect(await under.sh('echo again; cat ticks | wc -c')).toMatchObject({ exitCode: 0 });
      expect(size()).toBe(before);
    });

    it('ends a command whose signal aborts', async () => {
      const abort = new AbortController();
      const running = under.session.run(
        { command: 'echo started; sleep 600' },
        { signal: abort.signal, onOutput: () => abort.abort() },
      );
      expect(await running).toMatchObject({ ok: false, error: { code: 'cancelled' } });
      expect(await under.sh('echo on')).toMatchObject({ out: 'on' });
    });

    it('counts output that it does not keep', async () => {
      const ran = await under.sh('head -c 5000 /dev/zero | tr "\\0" x', { maxOutputBytes: 100 });
      expect(ran).toMatchObject({ stdoutBytes: 5000 });
      expect(ran.stdout.length).toBe(100);
    });

    it('runs one command at a time', async () => {
      const both = await Promise.all([
        under.sh('test -e busy && echo overlap; touch busy; sleep 0.2; rm busy'),
        under.sh('test -e busy && echo overlap; touch busy; rm busy'),
      ]);
      expect(both.map(({ out }) => out)).toEqual(['', '']);
    });

    it('refuses snapshots without a store for them', async () => {
      expect(await under.session.snapshot('a')).toMatchObject({ ok: false, error: { code: 'unsupported' } });
    });

    it('keeps the workspace, and takes no command, when it is closed', async () => {
      const other = await openUnderTest(ground);
      await other.sh('echo kept >file');
      await other.session.close();
      expect(readFileSync(join(other.workspace, 'file'), 'utf8')).toBe('kept\n');
      expect(await other.session.run({ command: 'true' })).toMatchObject({ ok: false });
      await end(other);
    });
  });
}

/** For executors that show only the paths of their options. */
export function confinementSuite(title: string, make: () => Promise<SuiteGround>): void {
  describe(`Wall of the executor ${title}`, () => {
    let ground: SuiteGround;
    let under: ExecutorUnderTest;
    let shared: string;
    beforeAll(async () => {
      ground = await make();
      shared = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-shared-')));
      for (const name of ['read', 'write', 'read/secret']) mkdirSync(join(shared, name));
      writeFileSync(join(shared, 'read/text'), 'shared');
      writeFileSync(join(shared, 'read/secret/key'), 'key');
      writeFileSync(join(shared, 'read/password'), 'word');
      writeFileSync(join(shared, 'locked'), 'locked');
      under = await openUnderTest(ground, {
        more: {
          allow_read: [join(shared, 'read')],
          allow_write: [join(shared, 'write')],
          deny_read: [join(shared, 'read/secret'), join(shared, 'read/password')],
          deny_write: ['.env', 'config'],
          pids: 64,
          memory: 128,
        },
      });
    }, 120_000);
    afterAll(async () => {
      await end(under);
      rmSync(shared, { recursive: true, force: true });
      ground.close?.();
    });

    it('shows what may be read, and not what is denied', async () => {
      const at = (name: string): string => join(shared, name);
      expect(await under.sh(`cat ${at('read/text')}`)).toMatchObject({ out: 'shared' });
      expect(await under.sh(`ls ${at('read/secret')}; cat ${at('read/password')}`)).toMatchObject({
        out: '',
      });
      expect((await under.sh(`echo x >${at('read/new')}`)).exitCode).not.toBe(0);
      expect(await under.sh(`echo x >${at('write/new')}; cat ${at('write/new')}`)).toMatchObject({
        out: 'x',
      });
    });

    it('names a path that a command wanted', async () => {
      const wanted = await under.sh(`cat ${join(shared, 'locked')}`);
      expect(wanted.violations).toEqual([{ kind: 'read', target: join(shared, 'locked') }]);
    });

    it('has no network without a domain that is allowed', async () => {
      const ran = await under.sh('cat /proc/net/dev | tail -n +3 | grep -cv "^ *lo:"');
      expect(ran.out).toBe('0');
    });

    it('ends a program that wants more memory than it may have', async () => {
      const { capabilities } = ground.executor;
      const ran = await under.sh('head -c 300m /dev/zero | tail | wc -c');
      if (capabilities.memory) expect(ran.out).not.toBe(String(300 * 1024 * 1024));
    });

    it('lets nothing make a file of deny_write, and leaves none behind', async () => {
      expect((await under.sh('echo A=1 >.env')).exitCode).not.toBe(0);
      const swapped = await under.sh('rm -f .env; mv .env x; ln -sf /tmp/y .env; test -s .env');
      expect(swapped.exitCode).not.toBe(0);
      expect((await under.sh('echo x >config/x')).exitCode).not.toBe(0);
      await under.session.close();
      expect(readdirSync(under.workspace)).toEqual(['config']);
    });
  });
}

/** Attempts to leave the wall of an executor: none may succeed. */
export function escapeSuite(title: string, make: () => Promise<SuiteGround>): void {
  it(`T14, T18: ${title} holds every attempt to leave it`, async () => {
    const ground = await make();
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-escape-')));
    const planted = await plantEscapes(join(folder, 'home'), join(folder, 'outside'));
    const opened = await ground.executor.open({
      conversationId: 'c1',
      workspace: planted.work,
      options: executorOptionsSchema().parse(ground.options ?? {}),
      hidden: [planted.home],
      visible: [dirname(process.execPath)],
    });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    writeFileSync(join(planted.work, 'escapes.js'), escapeScript(planted, 'all'));
    const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
    const ran = await opened.value.run({ file: 'escapes.js' }, { env: { PATH: path } });
    await opened.value.close();
    if (!ran.ok) throw new Error(JSON.stringify(ran.error));
    const { tried, succeeded } = escapesIn(Buffer.from(ran.value.stdout).toString());
    expect(succeeded, Buffer.from(ran.value.stderr).toString()).toEqual([]);
    expect(tried).toBe(60);
    expect(planted.datagrams()).toBe(0);
    await planted.close();
    rmSync(folder, { recursive: true, force: true });
    ground.close?.();
  }, 180_000);
}
