import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { toolContext } from '../../../test/fakes/tool-context.ts';
import { ok } from '../../contract/result.ts';
import { sleep } from '../../core/lib/sleep.ts';
import type { ToolCallContext } from '../../core/tools/tool.ts';
import { createEngine, type Engine } from '../../core/workflows/engine/engine.ts';
import { definitionFrom, readWorkflow } from '../../core/workflows/file/read-workflow.ts';
import { createRunQueries } from '../../core/workflows/views/run-queries.ts';
import { createSystemClock } from '../../services/clock/system-clock.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { openWorkflowJournal } from '../../services/db/workflow-journal.ts';
import { createConfinedFiles } from '../../services/tools/confined/confined-files.ts';
import { createPuppyTools } from '../../services/tools/puppy/puppy-tools.ts';
import { createOwners } from '../../services/workflows/owners.ts';
import { sha256 } from '../../services/workflows/sha256.ts';
import { createWorkflowRunners, missingRunner } from '../../services/workflows/workflow-runners.ts';
import { type AgentPuppyDeps, createAgentPuppy } from './agent-puppy.ts';
import { createDriver } from './driver.ts';
import type { OpenRuns } from './open-runs.ts';
import { createRunSlots } from './run-slots.ts';
import { createWorkflowFiles } from './workflow-files.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function rig({ mayRun = false, agentId = 'guide' } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'kennel-puppy-'));
  const [workspace, folder] = [join(home, 'workspace'), join(home, 'workflows')];
  for (const path of [workspace, folder]) mkdirSync(path);
  const [clock, random, log] = [createSystemClock(), createSystemRandom(), createRecordingLog()];
  const opened = openWorkflowJournal({ path: join(home, 'workflows.db'), key: null, clock, log });
  if (!opened.ok) throw new Error(opened.error.message);
  const journal = opened.value;
  const book = createRunQueries({
    journal,
    sha256,
    breathe: async () => undefined,
    taskOf: () => null,
  });
  const programs = createWorkflowRunners({ journal, env: process.env, root: workspace });
  const none = missingRunner('This');
  const owners = createOwners();
  const quiet = { opened: () => undefined, reminded: () => undefined, closed: () => undefined };
  const runners = { ...programs, agent: none, model: none };
  const engine: Engine = createEngine({ journal, runners, owners, clock, random, sha256, gates: quiet });
  const driver = createDriver({
    engine,
    journal,
    clock,
    log,
    slots: { ...createRunSlots(() => undefined), agentOf: () => null },
    events: { onStood: () => undefined, onLook: () => undefined },
  });
  const owed: string[] = [];
  const words = {
    owe: (agent: string, run: string, thread: string) => void owed.push(`${agent} ${run} ${thread}`),
    seen: (agent: string, run: string) => void owed.push(`seen ${agent} ${run}`),
  };
  const runs = { engine, journal, book, driver, words } as unknown as OpenRuns;
  const files = createConfinedFiles({ cwd: workspace, readable: [workspace], writable: [workspace] });
  const deps: AgentPuppyDeps = {
    agentId,
    files,
    mayRunPrograms: () => mayRun,
    workflows: { runs: async () => ok(runs), begun: () => true },
    workflowFiles: async () => createWorkflowFiles(folder, null),
    wait: (ms, signal) => sleep(clock, ms, signal),
  };
  const puppy = createAgentPuppy(deps);
  ends.push(
    () => rmSync(home, { recursive: true }),
    journal.release,
    programs.close,
    () => driver.stop(),
  );
  const [run, resume] = createPuppyTools(puppy);
  if (!run || !resume) throw new Error('two tools');
  let calls = 0;
  const call = async (
    tool: typeof run,
    args: Record<string, unknown>,
    more: Partial<ToolCallContext> = {},
  ) => {
    calls += 1;
    const context = toolContext({ agentId: 'guide', callId: `call_${calls}`, ...more });
    const assessed = await tool.assess(args, context);
    if (assessed.blocked) return { assessed, told: null };
    const { details, awaits } = await tool.execute(args, context);
    return { assessed, told: details as Record<string, unknown>, awaits };
  };
  return { deps, driver, workspace, folder, call, run, resume, engine, journal, book, owed };
}

const defaults = { argsJson: '', cwd: '', timeoutMs: 20_000, maxStdoutBytes: 512_000 };
function definitionOf(text: string) {
  const definition = definitionFrom(readWorkflow(text));
  if (!definition.ok) throw new Error(definition.error.message);
  return definition.value;
}

const asks = 'name: ask\nsteps:\n  - id: ok\n    approval: Ship it?\n  - id: ship\n    run: echo shipped\n';

it('An operator workflow is shown whole for approval, and its gate gives the agent no token (T8)', async () => {
  const { folder, call, run, resume, engine, journal, owed } = rig();
  writeFileSync(join(folder, 'ask.puppy'), asks);
  const { assessed, told } = await call(run, { pipeline: 'ask.puppy' });
  expect(assessed).toMatchObject({
    risk: 'medium',
    effects: [{ kind: 'run', argv: ['puppy', 'ask', expect.stringMatching(/^sha256:[0-9a-f]{64}$/)] }],
  });
  expect(assessed.preview.body).toContain('echo shipped');
  expect(told).toMatchObject({
    ok: true,
    status: 'needs_approval',
    requiresApproval: { prompt: 'Ship it?' },
  });
  expect(JSON.stringify(told)).not.toMatch(/resumeToken|approvalId/);
  const runId = String(told?.runId);
  expect(owed).toEqual([expect.stringMatching(new RegExp(`^guide ${runId} .`))]);
  expect((await call(resume, { run: runId })).told).toMatchObject({ status: 'needs_approval' });
  expect((await call(resume, { run: runId, action: 'approve' })).assessed.blocked).toMatchObject({
    reason: 'invalid_arguments',
  });
  const gate = journal.openGates(runId)[0];
  const agent = { kind: 'agent', id: 'guide' } as const;
  expect(
    engine.decide({ by: { gate: gate?.id ?? '' }, actor: agent, answer: { type: 'approve' } }),
  ).toMatchObject({
    error: { code: 'forbidden' },
  });
  expect((await call(resume, { run: runId, action: 'cancel' })).told).toMatchObject({ status: 'cancelled' });
});

it('An agent-written workflow cannot start programs unless the agent’s shell may (T9)', async () => {
  const closed = rig();
  writeFileSync(join(closed.workspace, 'mine.puppy'), 'steps:\n  - id: a\n    run: touch x\n');
  for (const pipeline of ['mine.puppy', 'exec touch x', 'exec --shell "touch x" | head --n 1']) {
    const { assessed } = await closed.call(closed.run, { pipeline });
    expect(assessed.blocked?.message).toContain('you may not do that');
  }
  expect(closed.journal.runs({ limit: 9 })).toEqual([]);
  const open = rig({ mayRun: true });
  const { assessed, told } = await open.call(open.run, { pipeline: 'exec --json "echo [1,2]"' });
  expect(assessed.risk).toBe('high');
  expect(told).toMatchObject({ ok: true, status: 'ok', output: [1, 2] });
});

it('A declared effect, a raw value or a branch does not hide a program from the check (T9)', async () => {
  const closed = rig();
  const hidden = {
    named: '- id: a\n    effect: pure\n    pipeline: exec touch x',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a place of a workflow file
    raw: '- id: a\n    pipeline: head --n ${raw:more}',
    branch:
      '- id: ask\n    approval:\n      prompt: Yes?\n      on_reject:\n        steps:\n          - id: a\n            effect: pure\n            pipeline: exec touch x',
  };
  for (const [name, step] of Object.entries(hidden)) {
    writeFileSync(
      join(closed.workspace, `${name}.puppy`),
      `args:\n  more: {default: ""}\nsteps:\n  ${step}\n`,
    );
    const argsJson = JSON.stringify({ more: '1 | exec touch x' });
    const { assessed } = await closed.call(closed.run, { pipeline: `${name}.puppy`, argsJson });
    expect(assessed.blocked?.message, name).toContain('you may not do that');
  }
  writeFileSync(join(closed.folder, 'theirs.puppy'), `steps:\n  ${hidden.named}\n`);
  const { assessed } = await closed.call(closed.run, { pipeline: 'theirs.puppy' });
  expect(assessed).toMatchObject({ risk: 'medium', effects: [{ kind: 'run', sandbox: 'none' }] });
});

it('An approval does not cover a changed workflow, and a too long call is blocked (T8)', async () => {
  const { folder, call, run } = rig();
  const looks = async (text: string) => {
    writeFileSync(join(folder, 'ask.puppy'), text);
    const context = toolContext({ agentId: 'guide', callId: 'one' });
    return run.assess({ ...defaults, pipeline: 'ask.puppy' }, context);
  };
  const before = await looks(asks);
  const after = await looks(asks.replace('echo shipped', 'echo robbed'));
  expect(after.blocked).toBeUndefined();
  expect(after.effects).not.toEqual(before.effects);
  expect((await looks(asks)).effects).toEqual(before.effects);
  const { assessed } = await call(run, {
    pipeline: 'ask.puppy',
    argsJson: JSON.stringify({ x: 'y'.repeat(70_000) }),
  });
  expect(assessed.blocked?.reason).toBe('too_large');
});

it('An agent-written workflow uses only its own model, and no agent can act as the operator (T8, T9)', async () => {
  const { workspace, call, run } = rig();
  for (const named of ['model: big', 'provider: elsewhere']) {
    writeFileSync(
      join(workspace, 'think.puppy'),
      `steps:\n  - id: think\n    llm-task:\n      prompt: Hello\n      ${named}\n`,
    );
    const { assessed } = await call(run, { pipeline: 'think.puppy' });
    expect(assessed.blocked?.message, named).toContain('only yours is asked');
  }
  const other = rig({ agentId: 'operator' });
  const operators = other.engine.start({ definition: definitionOf(asks), initiatedBy: 'operator' });
  const id = operators.ok ? operators.value.id : '';
  expect((await other.call(other.resume, { run: id })).told).toMatchObject({ ok: false });
  expect((await other.call(other.run, { pipeline: 'commands.list' })).assessed.blocked).toBeDefined();
});

it('An agent can leave at most twenty runs waiting (T27)', async () => {
  const { folder, call, run, resume, journal } = rig();
  writeFileSync(join(folder, 'ask.puppy'), 'steps:\n  - id: ok\n    approval: Yes?\n');
  let first = '';
  for (let index = 0; index < 20; index += 1) {
    const { told } = await call(run, { pipeline: 'ask.puppy' });
    expect(told).toMatchObject({ status: 'needs_approval' });
    first ||= String(told?.runId);
  }
  const { told } = await call(run, { pipeline: 'ask.puppy' });
  expect(told).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('20 runs that you started') },
  });
  expect(journal.runs({ limit: 99 })).toHaveLength(20);
  await call(resume, { run: first, action: 'cancel' });
  expect((await call(run, { pipeline: 'ask.puppy' })).told).toMatchObject({ status: 'needs_approval' });
});

it('Workflow files are read only from the agent’s folders and the operator’s workflows (T14)', async () => {
  const { workspace, folder, call, run } = rig();
  writeFileSync(join(folder, '..', 'secret.puppy'), asks);
  symlinkSync(join(folder, '..', 'secret.puppy'), join(workspace, 'link.puppy'));
  for (const pipeline of [
    '../secret.puppy',
    'link.puppy',
    join(folder, '..', 'secret.puppy'),
    'none.puppy',
  ]) {
    expect((await call(run, { pipeline })).assessed.blocked, pipeline).toBeDefined();
  }
  expect((await call(run, { pipeline: 'commands.list', cwd: '..' })).assessed.blocked).toBeDefined();
});

it('An agent cannot see other runs, and a timeout or a too large output is reported', async () => {
  const { folder, call, run, resume, engine, book } = rig();
  writeFileSync(join(folder, 'slow.puppy'), 'steps:\n  - id: nap\n    run: sleep 20\n');
  const slow = (await call(run, { pipeline: 'slow.puppy', timeoutMs: 300 })).told;
  expect(slow).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('puppy timed out after 300ms') },
  });
  const ended = book.find(String(slow?.runId));
  expect(ended).toMatchObject({ value: { status: 'cancelled' } });
  writeFileSync(
    join(folder, 'big.puppy'),
    'steps:\n  - id: big\n    run: head -c 5000 /dev/zero | tr "\\\\0" x\n',
  );
  const big = (await call(run, { pipeline: 'big.puppy', maxStdoutBytes: 1024 })).told;
  expect(big).toMatchObject({ error: { message: expect.stringContaining('exceeded maxStdoutBytes') } });
  writeFileSync(
    join(folder, 'wide.puppy'),
    'steps:\n  - {id: many, run: "seq 1 3000"}\n  - {id: ok, approval: {prompt: Fine?, preview: $many.stdout}}\n',
  );
  const wide = (await call(run, { pipeline: 'wide.puppy', maxStdoutBytes: 2048 })).told;
  expect(wide).toMatchObject({
    ok: true,
    status: 'needs_approval',
    truncated: true,
    runId: expect.any(String),
  });
  expect(JSON.stringify(wide).length).toBeLessThan(2_600);
  expect((await call(resume, { run: String(wide?.runId) })).told).toMatchObject({ status: 'needs_approval' });
  if (!ended.ok) throw new Error(ended.error.message);
  const definition = book.definition(ended.value);
  const other = engine.start({ definition, initiatedBy: 'operator' });
  const id = other.ok ? other.value.id : '';
  expect((await call(resume, { run: id, action: 'cancel' })).told).toMatchObject({ ok: false });
  expect(book.find(id)).toMatchObject({ value: { status: 'running' } });
});

it('A repeated call of a task returns its first run, also for another agent, without new effects', async () => {
  const { call, deps, driver, engine, folder, journal, run } = rig();
  const path = join(folder, 'ask.puppy');
  writeFileSync(path, asks);
  const ofTask = { turnId: 'task-7', threadKey: 'task|7', callId: 'c1' };
  const first = await call(run, { pipeline: 'ask.puppy' }, ofTask);
  expect(first.awaits).toBe(first.told?.runId);
  writeFileSync(path, 'name: other\nsteps:\n  - id: x\n    run: echo other\n');
  const again = await call(run, { pipeline: 'ask.puppy' }, ofTask);
  expect(again).toMatchObject({ awaits: first.awaits, assessed: { risk: 'low', effects: [] } });
  expect(again.assessed.preview.body).toContain('echo shipped');
  const gate = journal.openGates(first.awaits ?? '')[0]?.id ?? '';
  const person = { kind: 'person', id: 'ada' } as const;
  expect(engine.decide({ by: { gate }, actor: person, answer: { type: 'approve' } })).toMatchObject({
    ok: true,
  });
  driver.wake();
  const heir = createPuppyTools(createAgentPuppy({ ...deps, agentId: 'heir' }))[0];
  if (!heir) throw new Error('a tool');
  await expect
    .poll(async () => (await call(heir, { pipeline: 'ask.puppy' }, { ...ofTask, agentId: 'heir' })).told)
    .toMatchObject({ ok: true, status: 'ok', output: ['shipped\n'] });
  expect(journal.runs({ limit: 9 })).toHaveLength(1);
});

it('A repeated chat call returns the end of its run and cancels the pending notification', async () => {
  const { call, owed, run } = rig({ mayRun: true });
  const begin = { pipeline: 'exec --json "echo [1]"' };
  const left = await call(run, begin, { callId: 'c1', signal: AbortSignal.abort('interrupted') });
  expect(owed).toEqual([expect.stringContaining(`guide ${left.awaits} `)]);
  const again = await call(run, begin, { callId: 'c1' });
  expect(again.told).toMatchObject({ runId: left.awaits, status: 'ok', output: [1] });
  expect(owed.slice(1)).toEqual([`seen guide ${left.awaits}`]);
});

it('An interrupted turn leaves its run working, and a stopped turn cancels it', async () => {
  const { call, journal, run } = rig({ mayRun: true });
  const statusFor = async (reason: 'interrupted' | 'stopped'): Promise<unknown> => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(reason), 300);
    const { told } = await call(
      run,
      { pipeline: 'exec --shell "sleep 2; echo done"' },
      { signal: abort.signal },
    );
    return journal.run(String(told?.runId))?.status;
  };
  expect(await statusFor('interrupted')).toBe('running');
  expect(await statusFor('stopped')).toBe('cancelled');
});
