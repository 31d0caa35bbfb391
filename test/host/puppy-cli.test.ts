// biome-ignore-all lint/suspicious/noTemplateCurlyInString: arguments of workflow files

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { processStart } from '../../src/platform/process-tree.ts';
import { eachTestInFolder } from '../fakes/each-test-in-folder.ts';

// Runs the built command line, as users and programs do, in a folder of its own.

const cli = path.resolve(import.meta.dirname, '../../dist/cli/puppy.js');
let root = '';
eachTestInFolder('kennel-puppy-cli-', (made) => {
  root = made;
});

const file = (name: string): string => path.join(root, name);
const write = (name: string, text: string): void => writeFileSync(file(name), text);
const effects = (): string => (existsSync(file('effects')) ? readFileSync(file('effects'), 'utf8') : '');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess & { done: Promise<Ended> } {
  const child = spawn(process.execPath, [cli, ...words], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: root,
      PUPPY_STATE_DIR: file('state'),
      SECRET: 'hidden',
      ...env,
    },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.end();
  const done = new Promise<Ended>((resolve) =>
    child.on('close', (code) => resolve({ code, stdout, stderr })),
  );
  return Object.assign(child, { done });
}
const puppy = (words: readonly string[], env?: Readonly<Record<string, string>>) => start(words, env).done;

interface Told {
  readonly code: number | null;
  readonly ok: boolean;
  readonly status?: string;
  readonly output: readonly unknown[];
  readonly runId: string;
  readonly requiresApproval?: {
    readonly resumeToken: string;
    readonly approvalId: string;
    readonly kind?: string;
  } | null;
  readonly error?: { readonly type: string; readonly message: string };
}
async function tool(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Told> {
  const { code, stdout } = await puppy([...words, '--json'], env);
  return { code, ...(JSON.parse(stdout) as Omit<Told, 'code'>) };
}
const tokenOf = (told: Told): string => told.requiresApproval?.resumeToken ?? '';
const until = async (holds: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 3_000 && !holds(); tries += 1) await new Promise((go) => setTimeout(go, 10));
  expect(holds()).toBe(true);
};
const pidIn = (name: string): number => Number(readFileSync(file(name), 'utf8'));
const written = (name: string) => () => existsSync(file(name)) && readFileSync(file(name), 'utf8') !== '';

const gated = `name: gated
steps:
  - {id: a, run: echo a >> effects}
  - {id: g, approval: Go on?}
  - {id: b, run: echo b >> effects; echo fin}
`;

describe('puppy', () => {
  it('waits for approval, lists the run, and resumes it once in another process', async () => {
    write('wf.puppy', gated);
    const asked = await tool(['run', 'wf.puppy']);
    expect(asked).toMatchObject({ code: 0, status: 'needs_approval' });
    const listed = JSON.parse((await puppy(['list', '--json'])).stdout) as {
      runs: { id: string; asks: object[] }[];
    };
    expect(listed.runs).toMatchObject([
      { id: asked.runId, status: 'needs_approval', asks: [{ prompt: 'Go on?' }] },
    ]);
    rmSync(file('wf.puppy'));
    const all = await Promise.all(
      [1, 2, 3].map(() => tool(['resume', '--token', tokenOf(asked), '--approve', 'yes'])),
    );
    expect(all.filter(({ ok }) => ok)).toMatchObject([{ status: 'ok', output: ['fin\n'] }]);
    expect(effects()).toBe('a\nb\n');
    const shown = await puppy(['show', asked.runId.slice(0, 8)]);
    expect(shown.stdout).toContain('g: approve by an unnamed approver');
    expect((await puppy(['log', asked.runId, '--verify'])).stdout).toMatch(/Verified: all \d+ events/);
    expect((await puppy(['show', asked.runId, '--step', 'b'])).stdout).toBe('fin\n');
  });

  it('prints questions as text, errors to stderr, and exits with code 2 on wrong usage', async () => {
    write('wf.puppy', gated);
    const asked = await puppy(['run', 'wf.puppy']);
    expect(asked.stdout).toMatch(/^Go on\?[\s\S]*puppy resume --id [0-9a-f]{8} --approve yes\|no\n$/);
    expect(await puppy(['run', 'exec false'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Error: exec failed \(1\)/),
    });
    for (const words of [
      ['run'],
      ['run', '--nope', 'x'],
      ['sing'],
      ['resume', '--token', 't'],
      ['show', 'none'],
      ['run', 'a', 'b'],
    ]) {
      const { code, stderr, stdout } = await puppy(words);
      expect([code, stderr + stdout], words.join(' ')).toEqual([2, expect.stringMatching(/\S/)]);
    }
    expect((await puppy(['run', 'exec --json echo \'[{"a":1}]\' | table'])).stdout).toBe('a\n-\n1\n');
  });

  it('exits with code 2 on every rejected answer', async () => {
    write('wf.puppy', gated);
    const asked = await tool(['run', 'wf.puppy']);
    const token = tokenOf(asked);
    const refused = async (words: string[], env?: Readonly<Record<string, string>>) => {
      const told = await puppy(['resume', ...words], env);
      expect([told.code, JSON.parse(told.stdout)], words.join(' ')).toMatchObject([
        2,
        { ok: false, error: { type: 'parse_error' } },
      ]);
    };
    await refused(['--token', token, '--response-json', '1']);
    await refused(['--token', 'x'.repeat(43), '--approve', 'yes']);
    write('state/short-id-tries', `${Date.now()}\n`.repeat(20));
    await refused(['--id', '00000000', '--approve', 'yes']);
    await tool(['cancel', asked.runId]);
    await refused(['--token', token, '--approve', 'yes']);
    expect(await puppy(['resume', '--token', token, '--approve', 'yes', '--mode', 'human'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Error: /),
    });
  }, 60_000);

  it('F1: asks about a step cut off by a kill, and ends its leftover processes', async () => {
    write(
      'wf.puppy',
      'steps:\n  - {id: a, run: "echo a >> effects; setsid sh -c \'echo $$ > away; exec sleep 60\' & echo $$ > pid; exec sleep 60"}\n  - {id: b, run: echo b >> effects}\n',
    );
    const running = start(['run', 'wf.puppy']);
    await until(() => written('pid')() && written('away')());
    running.kill('SIGKILL');
    await running.done;
    await until(() => processStart(pidIn('pid')) === '' && processStart(pidIn('away')) === '');
    const listed = JSON.parse((await puppy(['list', '--json'])).stdout) as { runs: { id: string }[] };
    expect(listed.runs).toMatchObject([{ status: 'interrupted' }]);
    const asked = await tool(['resume', listed.runs[0]?.id ?? '']);
    expect(asked.requiresApproval?.kind).toBe('uncertain');
    const done = await tool(['resume', '--token', tokenOf(asked), '--answer', 'done']);
    expect(done).toMatchObject({ ok: true, status: 'ok' });
    expect(effects()).toBe('a\nb\n');
  });

  it('F25: ends its step on a signal and exits with the code of the signal', async () => {
    write('wf.puppy', 'steps:\n  - {id: a, run: "echo $$ > pid; exec sleep 60"}\n');
    const running = start(['run', 'wf.puppy', '--json']);
    await until(written('pid'));
    running.kill('SIGTERM');
    expect((await running.done).code).toBe(143);
    expect(processStart(pidIn('pid'))).toBe('');
  });

  it('can be cancelled from another process', async () => {
    write('wf.puppy', 'steps:\n  - {id: a, run: "echo $$ > pid; exec sleep 60"}\n');
    const running = start(['run', 'wf.puppy', '--json']);
    await until(written('pid'));
    const { runs } = JSON.parse((await puppy(['list', '--json'])).stdout) as { runs: { id: string }[] };
    expect(await tool(['cancel', runs[0]?.id ?? ''])).toMatchObject({ ok: true, status: 'cancelled' });
    expect(JSON.parse((await running.done).stdout)).toMatchObject({ status: 'cancelled' });
    expect(processStart(pidIn('pid'))).toBe('');
  });

  it('retries a failed run from the failed step', async () => {
    write(
      'wf.puppy',
      'steps:\n  - {id: a, run: echo a >> effects}\n  - {id: b, run: "test -e ok && echo fine"}\n',
    );
    const failed = await tool(['run', 'wf.puppy']);
    expect(failed).toMatchObject({ code: 1, ok: false, error: { type: 'runtime_error' } });
    write('ok', '');
    expect(await tool(['retry', failed.runId])).toMatchObject({ ok: true, output: ['fine\n'] });
    expect(effects()).toBe('a\n');
  });

  it('T9: does not execute text from arguments or output', async () => {
    write(
      'wf.puppy',
      `args: {who: {}}
steps:
  - {id: a, run: printf %s "$PUPPY_ARG_WHO"}
  - {id: b, run: "printf '%s|%s' \${who} $a.stdout"}
`,
    );
    const evil = '$(echo x >> effects)`echo y >> effects`"; echo z >> effects; \'';
    expect(await tool(['run', 'wf.puppy', '--arg', `who=${evil}`])).toMatchObject({
      output: [`${evil}|${evil}`],
    });
    expect(effects()).toBe('');
  });

  it('T24: passes 50 MB between steps and enforces the output limit', async () => {
    write(
      'wf.puppy',
      'steps:\n  - {id: a, run: "head -c 50000000 /dev/zero | tr \'\\\\0\' x"}\n  - {id: b, run: wc -c, stdin: $a.stdout}\n',
    );
    const told = await tool(['run', 'wf.puppy']);
    expect(Number(told.output[0])).toBe(50_000_000);
    const capped = await tool(['run', 'wf.puppy'], { PUPPY_MAX_OUTPUT_BYTES: '1000000' });
    expect(capped.error?.message).toMatch(/exceeded 1000000 bytes/);
  }, 60_000);

  it('T18, T19: passes no secret of its environment to steps and keeps runs private', async () => {
    const { output } = await tool(['run', 'exec env']);
    expect(output.join('\n')).not.toContain('hidden');
    const passed = await tool(['run', 'exec env'], { PUPPY_PASS_ENV: 'SECRET' });
    expect(passed.output).toContain('SECRET=hidden');
    expect(statSync(file('state')).mode & 0o777).toBe(0o700);
  });

  it('limits guesses of short approval IDs across processes', async () => {
    write('wf.puppy', gated);
    const asked = await tool(['run', 'wf.puppy']);
    const tries = Array.from({ length: 7 }, (_, at) => [1, 2, 3].map((n) => `0000${at}00${n}`)).flat();
    for (const group of [tries.slice(0, 7), tries.slice(7, 14), tries.slice(14)]) {
      await Promise.all(group.map((id) => puppy(['resume', '--id', id, '--approve', 'yes'])));
    }
    const right = await tool([
      'resume',
      '--id',
      asked.requiresApproval?.approvalId ?? '',
      '--approve',
      'yes',
    ]);
    expect(right.error?.message).toMatch(/Too many approval ids/);
    expect(await tool(['resume', '--token', tokenOf(asked), '--approve', 'yes'])).toMatchObject({
      status: 'ok',
    });
  }, 60_000);

  it('finds a workflow by name in the workflow folders, and suggests similar names', async () => {
    const env = { KENNEL_HOME: file('kennel') };
    const greets = (who: string): string => `steps:\n  - {id: a, run: echo ${who}}\n`;
    for (const folder of ['kennel/workflows/team', 'workflows']) mkdirSync(file(folder), { recursive: true });
    write('kennel/workflows/greet.puppy', greets('mine'));
    write('kennel/workflows/team/weekly.yaml', greets('team'));
    write('workflows/json.puppy', greets('json'));
    const ran = async (...words: readonly string[]) =>
      (await start(['run', ...words], env).done).stdout.trim();
    for (const name of ['greet', 'greet.puppy']) expect(await ran(name), name).toContain('mine');
    for (const name of ['weekly', 'team/weekly', 'team/weekly.yaml'])
      expect(await ran(name), name).toContain('team');
    // A pipeline command is no file name, and the file in this folder takes precedence.
    expect(await ran('json')).toBe('');
    write('greet.puppy', greets('here'));
    expect(await ran('greet.puppy')).toContain('here');
    expect(await start(['check', 'weekly'], env).done).toMatchObject({ code: 0 });
    expect((await start(['graph', 'greet'], env).done).stdout).toContain('flowchart');

    write('workflows/greet.yml', greets('other'));
    const two = await start(['run', 'greet'], env).done;
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('is the name of 2 workflows')]);
    const typo = await start(['run', 'wekly'], env).done;
    expect([typo.code, typo.stderr]).toEqual([
      2,
      expect.stringContaining('Did you mean the workflow "weekly"?'),
    ]);
    const gone = await start(['check', 'wekly.yaml'], env).done;
    expect([gone.code, gone.stderr]).toEqual([
      2,
      expect.stringContaining('There is no workflow "wekly.yaml"'),
    ]);
    const nothing = await start(['run', 'entirely-else', '--json'], env).done;
    expect([nothing.code, JSON.parse(nothing.stdout)]).toMatchObject([2, { error: { type: 'parse_error' } }]);
    expect(nothing.stdout).toContain('Unknown command: entirely-else');
  });

  it('shows each line that check reports, with control characters escaped', async () => {
    write('bad.puppy', 'name: x\nsteps: a: \u001b[31mb\n');
    const { code, stdout } = await start(['check', 'bad.puppy']).done;
    expect([code, stdout]).toEqual([1, expect.stringContaining('\n     2 | steps: a: <U+001B>[31mb\n')]);
    expect(stdout).toMatch(/^bad\.puppy:2:\d+: error: This is not YAML: /);
  });

  it('finds workflows by file or inner name, own ones before examples, and reports which file it took', async () => {
    const env = { KENNEL_HOME: file('kennel') };
    const greets = (who: string, name = ''): string => `${name}steps:\n  - {id: a, run: echo ${who}}\n`;
    mkdirSync(file('kennel/workflows'), { recursive: true });
    const shipped = path.resolve(import.meta.dirname, '../../resources/workflows');
    for (const name of readdirSync(shipped).map((each) => path.basename(each, '.puppy')))
      expect(await start(['check', name], env).done, name).toMatchObject({
        code: 0,
        stderr: `This is ${path.join(shipped, `${name}.puppy`)}.\n`,
      });

    mkdirSync(file('weekly-review'));
    mkdirSync(file('workflows'));
    write('workflows/mine.puppy', greets('mine', 'name: weekly-review\n'));
    const ran = await start(['run', 'weekly-review'], env).done;
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('mine') });
    expect(ran.stderr).toContain(`This is ${file('workflows/mine.puppy')}.`);
    write('workflows/other.puppy', greets('other', 'name: Ask around\n'));
    expect((await start(['run', 'Ask around'], env).done).stdout).toContain('other');
    write('kennel/workflows/weekly-review.puppy', greets('yours'));
    const two = await start(['run', 'weekly-review'], env).done;
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('is the name of 2 workflows')]);

    write('mine.puppy', greets('here'));
    const here = await start(['run', 'mine.puppy'], env).done;
    expect(here).toMatchObject({ code: 0, stdout: expect.stringContaining('here') });
    const said = `This is ${file('mine.puppy')}. ${file('workflows/mine.puppy')} has the same name.\n`;
    expect(here.stderr).toBe(said);
    expect((await start(['run', './mine.puppy'], env).done).stderr).toBe('');
  });

  it('loads only what a run needs, and keeps its compile cache private (T19)', async () => {
    write(
      'loaded.cjs',
      `let reports = 0;
    const { getReport } = process.report;
    process.report.getReport = (...words) => { reports += 1; return getReport(...words); };
    let listened = 0;
    const input = Object.getOwnPropertyDescriptor(process, 'stdin');
    Object.defineProperty(process, 'stdin', { ...input, get: () => { listened += 1; return input.get(); } });
    process.on('exit', () => {
      const required = Object.keys(require.cache).filter((name) => !name.endsWith('.node')).length - 1;
      const loaded = { node: process.moduleLoadList, zod: globalThis.__zod_globalConfig, reports, listened, required };
      require('node:fs').writeFileSync(${JSON.stringify(file('loaded.json'))}, JSON.stringify(loaded));
    });`,
    );
    write('one.puppy', "steps: [{id: a, run: ':'}]\n");
    const told = await puppy(['run', 'one.puppy'], { NODE_OPTIONS: `--require=${file('loaded.cjs')}` });
    expect(told).toMatchObject({ code: 0, stderr: '' });
    const loaded: unknown = JSON.parse(readFileSync(file('loaded.json'), 'utf8'));
    // The command reads no process report and no standard input, and loads only the native module of SQLite
    // as a separate file.
    expect(loaded).toMatchObject({ zod: { jitless: true }, reports: 0, listened: 0, required: 0 });
    const { node } = loaded as { readonly node: readonly string[] };
    expect(node).toContain('NativeModule crypto');
    // Modules that an `import` of Node's modules would load, and those that only interactive commands need.
    for (const name of [
      'internal/crypto/webcrypto',
      'internal/util/diff',
      'worker_threads',
      'readline',
      'perf_hooks',
    ])
      expect(node).not.toContain(`NativeModule ${name}`);
    const kept = process.platform === 'darwin' ? 'Library/Caches' : '.cache';
    expect(statSync(file(`${kept}/kennel/code`)).mode & 0o777).toBe(0o700);
    const compiled = readdirSync(file(`${kept}/kennel/code`), { recursive: true }).length - 1;
    expect(compiled).toBeGreaterThan(0);
    // Each compiled file costs a lookup, a read and a link.
    expect(compiled).toBeLessThanOrEqual(8);
  });

  it('plans a run without executing it: one envelope with steps, gates and checked arguments', async () => {
    write('child.puppy', 'args: {to: {}}\nsteps:\n  - {id: send, run: echo sent >> effects}\n');
    write(
      'plan.puppy',
      [
        'name: release',
        'args: {tag: {type: string}, dry: {type: boolean, default: false}}',
        'steps:',
        '  - {id: build, run: "echo ${tag} >> effects"}',
        '  - {id: look, pipeline: "exec echo x | approve --prompt Publish?"}',
        '  - {id: ok, when: $build.stdout != "", approval: {prompt: "Send ${tag}?", required_approver: ann}}',
        '  - {id: tell, workflow: ./child.puppy, workflow_args: {to: all}}',
        '',
      ].join('\n'),
    );
    const dry = (...more: string[]) => puppy(['run', '--dry-run', '--mode', 'tool', ...more]);
    const told = await dry('plan.puppy', '--args-json', '{"tag":"v1"}');
    const envelope = JSON.parse(told.stdout);
    expect([told.code, envelope]).toMatchObject([
      0,
      {
        protocolVersion: 1,
        ok: true,
        status: 'ok',
        dryRun: true,
        requiresApproval: null,
        requiresInput: null,
      },
    ]);
    expect(envelope.output).toHaveLength(1);
    expect(envelope.output[0]).toMatchObject({
      name: 'release',
      args: { tag: 'v1', dry: false },
      plan: [
        { path: 'build', kind: 'run', effect: 'once', does: 'echo ${tag} >> effects', when: null },
        { path: 'look', kind: 'pipeline' },
        { path: 'ok', kind: 'approval', when: '$build.stdout != ""' },
        { path: 'tell', kind: 'workflow', does: './child.puppy' },
        { path: 'tell/send', kind: 'run' },
      ],
      gates: [
        { path: 'look', stage: 2, kind: 'approval', prompt: 'Publish?' },
        { path: 'ok', kind: 'approval', prompt: 'Send ${tag}?', approvers: ['ann'], needed: 1 },
      ],
    });
    const people = await puppy(['run', '--dry-run', 'plan.puppy', '--arg', 'tag=v1']);
    expect([people.code, people.stdout]).toEqual([0, expect.stringMatching(/ok: approval: Send .*1 of ann/)]);
    for (const [why, bad] of [
      ["'tag' is missing", await dry('plan.puppy')],
      ['must be of type', await dry('plan.puppy', '--args-json', '{"tag":1}')],
      ["no argument 'tga'", await dry('plan.puppy', '--args-json', '{"tga":"x"}')],
      ['valid JSON', await dry('plan.puppy', '--args-json', '{')],
      ['Unknown command', await dry('exec a | aprove')],
    ] as const) {
      expect([bad.code, JSON.parse(bad.stdout)], why).toMatchObject([
        2,
        { ok: false, error: { type: 'parse_error', message: expect.stringContaining(why) } },
      ]);
    }
    expect(await puppy(['run', '--dry-run', 'plan.puppy'])).toMatchObject({ code: 2 });
    expect(effects()).toBe('');
  }, 30_000);

  it('checks, draws and runs doctor without executing a step', async () => {
    write('wf.puppy', gated);
    write('bad.puppy', 'steps:\n  - {id: a, run: echo x >> effects, aproval: yes}\n');
    expect(await puppy(['check', 'wf.puppy'])).toMatchObject({ code: 0 });
    expect(await puppy(['check', 'bad.puppy'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/bad\.puppy:2:\d+: error: .*aproval/),
    });
    expect((await puppy(['graph', 'wf.puppy'])).stdout).toMatch(/^flowchart TD\n/);
    expect((await puppy(['graph', 'wf.puppy', '--format', 'svg'])).stdout).toMatch(
      /^<svg [\s\S]*<title>g<\/title>[\s\S]*<\/svg>\n$/,
    );
    expect(effects()).toBe('');
    expect(await puppy(['doctor'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ok {4}the state folder/),
    });
    expect((await puppy(['version'])).stdout).toMatch(/^puppy \d/);
  });
});

it('Finished runs are archived by id or by age, listed, and brought back', async () => {
  const puppy = async (...words: string[]) => (await start(words).done).stdout;
  await puppy('run', 'exec echo hi');
  const listed = async (...flags: string[]): Promise<string[]> => {
    const { runs } = JSON.parse(await puppy('list', '--json', ...flags)) as { runs: { id: string }[] };
    return runs.map(({ id }) => id);
  };
  const [id = ''] = await listed();
  expect(await puppy('archive', id.slice(0, 12))).toBe(
    'Archived 1 run. "kennel puppy unarchive" brings them back.\n',
  );
  expect([await listed(), await listed('--archived')]).toEqual([[], [id]]);
  expect(await puppy('unarchive', id)).toBe('Brought back 1 run.\n');
  expect(JSON.parse(await puppy('archive', '--older-than', '0d', '--json'))).toEqual({ runs: [id] });
  expect(await listed()).toEqual([]);
  expect((await start(['archive']).done).stderr).toContain('Name the runs to archive');
}, 60_000);
