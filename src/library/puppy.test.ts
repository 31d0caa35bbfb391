import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processStart } from '../platform/process-tree.ts';
import {
  checkWorkflow,
  continueWorkflow,
  type Envelope,
  resumeWorkflow,
  runWorkflow,
  stringifyWorkflow,
} from './puppy.ts';

let root = '';
let stateDir = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kennel-puppy-')));
  stateDir = path.join(root, 'state');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const file = (name: string): string => path.join(root, name);
const write = (name: string, text: string): void => writeFileSync(file(name), text);
const effects = (): string => (existsSync(file('effects')) ? readFileSync(file('effects'), 'utf8') : '');
const env = { PATH: process.env.PATH };
const run = (source: Parameters<typeof runWorkflow>[0], options: Parameters<typeof runWorkflow>[1] = {}) =>
  runWorkflow(source, { root, stateDir, env, ...options });
const resume = (
  given: Parameters<typeof resumeWorkflow>[0],
  options: Parameters<typeof resumeWorkflow>[1] = {},
) => resumeWorkflow(given, { root, stateDir, env, ...options });
const tokenOf = (envelope: Envelope): string =>
  (envelope.ok && (envelope.requiresApproval ?? envelope.requiresInput)?.resumeToken) || '';
const refused = (type: string, message: string | RegExp) => ({
  ok: false,
  error: { type, message: typeof message === 'string' ? message : expect.stringMatching(message) },
});

describe('runWorkflow', () => {
  it('accepts a pipeline, a file path, a file text and an object', async () => {
    write('hello.puppy', 'steps:\n  - {id: a, run: echo file}\n');
    const output = { ok: true, status: 'ok' };
    expect(await run('exec echo pipe')).toMatchObject({ ...output, output: ['pipe'] });
    expect(await run('hello.puppy')).toMatchObject({ ...output, output: ['file\n'] });
    expect(await run('steps:\n  - id: a\n    run: echo text\n')).toMatchObject({ output: ['text\n'] });
    expect(await run({ steps: [{ id: 'a', run: 'echo object' }] })).toMatchObject({ output: ['object\n'] });
    expect(await run({ pipeline: 'exec echo named' })).toMatchObject({ output: ['named'] });
  });

  it('refuses an invalid workflow without effects and reports the position', async () => {
    write('bad.puppy', 'steps:\n  - {id: a, run: echo x >> effects}\n  - {id: b, aproval: yes}\n');
    expect(await run('bad.puppy')).toMatchObject(refused('parse_error', /aproval.*bad\.puppy, line 3/));
    expect(await run('exec sh -c "echo x >> effects" | nope')).toMatchObject(refused('parse_error', /nope/));
    expect(await run('missing.puppy')).toMatchObject(refused('parse_error', /not found/));
    expect(await run('exec echo', { argsJson: '{' })).toMatchObject(
      refused('parse_error', /must be valid JSON/),
    );
    expect(await run({ steps: [] })).toMatchObject({ ok: false });
    expect(effects()).toBe('');
  });

  it('passes arguments and refuses missing or unknown ones', async () => {
    const workflow = { args: { who: {} }, steps: [{ id: 'a', run: 'printf %s "$PUPPY_ARG_WHO"' }] };
    expect(await run(workflow, { argsJson: '{"who":"Ann"}' })).toMatchObject({ output: ['Ann'] });
    expect(await run(workflow)).toMatchObject(refused('parse_error', /'who' is missing/));
    expect(await run(workflow, { args: { who: 'a', whoo: 'b' } })).toMatchObject(
      refused('parse_error', /whoo/),
    );
  });

  it('T14: works only below its root folder', async () => {
    mkdirSync(file('in'));
    symlinkSync('/tmp', file('out'));
    expect(await run('exec pwd', { cwd: 'in' })).toMatchObject({ output: [file('in')] });
    expect(await run('exec pwd', { cwd: '/tmp' })).toMatchObject(refused('parse_error', /relative path/));
    expect(await run('exec pwd', { cwd: '../..' })).toMatchObject(refused('parse_error', /must stay within/));
    expect(await run('exec pwd', { cwd: 'out' })).toMatchObject(refused('parse_error', /must stay within/));
  });

  it('stops a timed-out run with all its child processes', async () => {
    const slow = { steps: [{ id: 'a', run: 'sleep 60 & echo $! > pid; wait' }] };
    const told = await run(slow, { timeoutMs: 300 });
    expect(told).toMatchObject(refused('runtime_error', /puppy timed out after 300ms/));
    expect(processStart(Number(readFileSync(file('pid'), 'utf8')))).toBe('');
  });

  it('T24: stops a program during output beyond the cap', async () => {
    const told = await run("exec --shell 'yes'", { maxStdoutBytes: 200_000 });
    expect(told).toMatchObject(refused('runtime_error', /exceeded/));
    expect(
      await run(
        { steps: [{ id: 'a', run: 'head -c 9000 /dev/zero | tr "\\0" x' }] },
        { maxStdoutBytes: 1_024 },
      ),
    ).toMatchObject(refused('runtime_error', /exceeded maxStdoutBytes.*kept/));
  });

  it('truncates a too large gate but keeps its token', async () => {
    const asked = await run('exec seq 1 20000 | approve --preview-from-stdin', { maxStdoutBytes: 40_000 });
    const told = await run('exec seq 1 20000 | approve | head --n 1', { maxStdoutBytes: 400_000 });
    expect(asked).toMatchObject({ ok: true, status: 'needs_approval', truncated: true });
    expect(Buffer.byteLength(JSON.stringify(asked))).toBeLessThan(40_000);
    expect(await resume({ token: tokenOf(asked), approve: false })).toMatchObject({ status: 'cancelled' });
    expect(told).toMatchObject({ ok: true, status: 'needs_approval' });
    const cut = await continueWorkflow((told.ok && told.runId) || '', {
      root,
      stateDir,
      env,
      maxStdoutBytes: 40_000,
    });
    expect(cut).toMatchObject({ ok: true, status: 'needs_approval', truncated: true });
    expect(JSON.stringify(cut).length).toBeLessThan(40_000);
    expect(await resume({ token: tokenOf(cut), approve: true })).toMatchObject({ output: ['1'] });
  });

  it('starts one run per idempotency key', async () => {
    const workflow = { steps: [{ id: 'a', run: 'echo x >> effects; echo done' }] };
    const first = await run(workflow, { idempotencyKey: 'k1' });
    expect(await run(workflow, { idempotencyKey: 'k1' })).toEqual(first);
    expect(effects()).toBe('x\n');
    const other = { steps: [{ id: 'a', run: 'echo y >> effects' }] };
    expect(await run(other, { idempotencyKey: 'k1' })).toMatchObject(refused('runtime_error', /another run/));
  });

  it('T19: keeps run files readable only by the owner', async () => {
    mkdirSync(stateDir, { mode: 0o755 });
    await run('exec echo x');
    expect(statSync(stateDir).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(stateDir, 'workflows.db')).mode & 0o777).toBe(0o600);
  });

  it('reports an unusable state folder', async () => {
    write('plain', 'x');
    expect(await run('exec echo x', { stateDir: file('plain/state') })).toMatchObject(
      refused('runtime_error', /cannot be used/),
    );
  });

  it('reads child workflows once at the start and refuses a cycle', async () => {
    write(
      'child.puppy',
      'args: {who: {}}\nsteps:\n  - {id: g, approval: ok?}\n  - {id: a, run: printf %s "$PUPPY_ARG_WHO"}\n',
    );
    const parent = { steps: [{ id: 's', workflow: 'child.puppy', workflow_args: { who: 'bob' } }] };
    const asked = await run(parent);
    expect(asked).toMatchObject({ status: 'needs_approval' });
    write('child.puppy', 'steps:\n  - {id: a, run: echo other}\n');
    expect(await resume({ token: tokenOf(asked), approve: true })).toMatchObject({ output: ['bob'] });
    write('a.puppy', 'steps:\n  - {id: x, run: echo x >> effects}\n  - {id: s, workflow: b.puppy}\n');
    write('b.puppy', 'steps:\n  - {id: s, workflow: a.puppy}\n');
    expect(await run('a.puppy')).toMatchObject(refused('parse_error', /start itself again/));
    expect(effects()).toBe('');
  });

  it('lists and runs workflows of its folder by name in a pipeline', async () => {
    mkdirSync(file('workflows'));
    write('workflows/greet.puppy', 'args: {who: {}}\nsteps:\n  - {id: a, run: printf %s "$PUPPY_ARG_WHO"}\n');
    write('workflows/asks.puppy', 'steps:\n  - {id: a, approval: ok?}\n');
    expect(await run('workflows.list | pick name')).toMatchObject({
      output: [{ name: 'asks' }, { name: 'greet' }],
    });
    expect(await run(`workflows.run --name greet --args-json '{"who":"Ann"}'`)).toMatchObject({
      output: ['Ann'],
    });
    expect(await run('workflows.run --name asks')).toMatchObject(
      refused('runtime_error', /waits for an answer or a time/),
    );
    expect(await run('workflows.run --name ../greet')).toMatchObject(
      refused('runtime_error', /no workflow named/),
    );
  });

  it('fails a model step without a running Kennel unless it has a fallback', async () => {
    const asks = { id: 'm', llm_task: { prompt: 'hi', schema: { type: 'object' } } };
    expect(await run({ steps: [asks] })).toMatchObject(refused('runtime_error', /needs a running Kennel/));
    const rescued = { id: 'm', llm_task: { ...asks.llm_task, fallback: [{ id: 'f', run: 'echo rule' }] } };
    expect(await run({ steps: [rescued] })).toMatchObject({ output: ['rule\n'] });
  });
});

describe('resumeWorkflow', () => {
  const gated = {
    steps: [
      { id: 'a', run: 'echo a >> effects' },
      { id: 'g', approval: { prompt: 'ok?', approvers: ['ann'] } },
      { id: 'b', run: 'echo b >> effects; echo fin' },
    ],
  };

  it('accepts one answer, only from the named approver', async () => {
    const token = tokenOf(await run(gated));
    expect(await resume({ token, approve: true })).toMatchObject(refused('parse_error', /ann/));
    expect(await resume({ token, approve: true, approvedBy: 'bob' })).toMatchObject(
      refused('parse_error', /ann/),
    );
    expect(await resume({ token, approve: true, approvedBy: 'ann' })).toMatchObject({ output: ['fin\n'] });
    expect(await resume({ token, approve: true, approvedBy: 'ann' })).toMatchObject(
      refused('parse_error', /not found/),
    );
    expect(effects()).toBe('a\nb\n');
  });

  it('refuses invalid tokens and none or several answers', async () => {
    const token = tokenOf(await run(gated));
    expect(await resume({ token: '' })).toMatchObject(refused('parse_error', 'token required'));
    expect(await resume({ token: token.slice(0, -1), approve: true })).toMatchObject(
      refused('parse_error', /token/),
    );
    expect(await resume({ token })).toMatchObject(refused('parse_error', /exactly one/));
    expect(await resume({ token, approve: true, cancel: true })).toMatchObject(
      refused('parse_error', /exactly one/),
    );
    const forged = Buffer.from(JSON.stringify({ v: 1, kind: 'workflow-file', resumeAtIndex: 2 })).toString(
      'base64url',
    );
    expect(await resume({ token: forged, approve: true })).toMatchObject(refused('parse_error', /token/));
    expect(effects()).toBe('a\n');
  });

  it('ends the run on cancel', async () => {
    const token = tokenOf(await run(gated));
    expect(await resume({ token, cancel: true })).toMatchObject({
      ok: true,
      status: 'cancelled',
      output: [],
    });
    expect(await resume({ token, approve: true, approvedBy: 'ann' })).toMatchObject({ ok: false });
    expect(effects()).toBe('a\n');
  });
});

describe('Interrupted run', () => {
  it('F25: continues on request and asks about the interrupted step', async () => {
    const control = new AbortController();
    const workflow = {
      steps: [
        { id: 'a', run: 'echo a >> effects; sleep 60' },
        { id: 'b', run: 'echo b' },
      ],
    };
    const running = run(workflow, { signal: control.signal });
    while (effects() === '') await new Promise((go) => setTimeout(go, 10));
    control.abort();
    const laid = await running;
    const runId = (laid.ok && laid.runId) || '';
    const asked = await continueWorkflow(runId, { root, stateDir, env });
    expect(asked).toMatchObject({ status: 'needs_approval', requiresApproval: { kind: 'uncertain' } });
    const done = await resume({ token: tokenOf(asked), answer: 'done' });
    expect(done).toMatchObject({ ok: true, output: ['b\n'] });
    expect(effects()).toBe('a\n');
  });
});

describe('checkWorkflow and stringifyWorkflow', () => {
  it('report findings and write canonical text', async () => {
    expect(await checkWorkflow({ steps: [{ id: 'a', run: 'echo', nope: 1 }] }, root)).toMatchObject([
      { severity: 'error', rule: 'unknown-field' },
    ]);
    expect(await checkWorkflow('exec echo | where', root)).toMatchObject([
      { severity: 'error', rule: 'pipeline' },
    ]);
    const text = await stringifyWorkflow({ steps: [{ id: 'a', command: 'echo hi' }] });
    expect(text).toContain('run: echo hi');
    expect(await stringifyWorkflow(text)).toBe(text);
    await expect(stringifyWorkflow({ steps: [] })).rejects.toThrow();
  });
});
