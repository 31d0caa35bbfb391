import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Approval, ApprovalsView } from '../../src/contract/approvals.ts';
import type { RunSummary, RunView } from '../../src/contract/workflow-methods.ts';
import { englishText } from '../../src/language/host-message.ts';
import { inEnglish } from '../fakes/in-english.ts';
import { follow, newDemoHome, startHost, type TestHost, until } from './host-rig.ts';

const { home, remove } = await newDemoHome();
let kennel: TestHost;
beforeAll(async () => {
  kennel = await startHost(home);
  await kennel.call('setup.tryDemo', {});
}, 60_000);
afterAll(async () => {
  await kennel?.stop();
  remove();
});

const done = join(home, 'workflows', 'done.txt');
const effects = (): string => {
  try {
    return readFileSync(done, 'utf8');
  } catch {
    return '';
  }
};

const guarded = (name: string, more = ''): string => `
name: ${name}
args:
  what: { type: string, default: all of it }
steps:
  - id: look
    run: echo "[1,2]"
  - id: ask
    approval:
      prompt: Ship \${what}?
      items: $look.json
${more}
  - id: ship
    run: echo ${name} >> done.txt
`;

const start = async (text: string, args: Record<string, unknown> = {}): Promise<RunSummary> =>
  kennel.call('runs.start', { text, args });

const question = (run: string): Promise<Approval> =>
  until('the question', async () => {
    const { approvals } = await kennel.call('approvals.list', { state: 'waiting', limit: 50 });
    return approvals.find(({ gate }) => gate?.runId === run);
  });

const standing = (run: string, status: RunSummary['status']) =>
  until(`${status} of ${run}`, async () => {
    const found = (await kennel.call('runs.get', { run })).run;
    return found.status === status ? found : undefined;
  });

describe('Run that asks', () => {
  it('is listed among the questions, approved from the tray, and runs each step once', async () => {
    const run = await start(guarded('one'), { what: 'the box' });
    const asked = await question(run.id);
    expect(inEnglish(asked)).toMatchObject({
      kind: 'workflow',
      agentName: 'one',
      title: 'asks: Ship the box?',
      gate: { items: ['1', '2'], named: [], runName: 'one' },
    });
    expect(effects()).not.toContain('one');
    const decided = await kennel.call('approvals.decide', {
      id: asked.id,
      digest: asked.digest,
      surface: 'tray',
      answer: { type: 'allow', scope: 'once' },
    });
    expect(decided.receipt).toMatchObject({ digest: asked.digest, answer: 'allow' });
    await standing(run.id, 'ok');
    expect(effects().match(/one/g)).toHaveLength(1);
    const { gates, steps } = await kennel.call('runs.get', { run: run.id });
    expect(gates[0]).toMatchObject({ decision: 'approve', contentHash: asked.digest });
    expect(gates[0]?.decidedBy).toMatch(/^(operator|[a-z].*-[0-9a-f]{4})$/);
    expect(steps.map(({ path, state }) => [path, state])).toEqual([
      ['look', 'done'],
      ['ask', 'done'],
      ['ship', 'done'],
    ]);
    expect(await kennel.call('receipts.verify', { id: asked.id })).toMatchObject({ ok: true });
    expect((await kennel.call('runs.log', { run: run.id })).verified).toBe(true);
  });

  it('ends when denied, with the reason recorded', async () => {
    const run = await start(guarded('two'));
    const asked = await question(run.id);
    const answer = { type: 'deny', reason: 'not today' } as const;
    const { id, digest } = asked;
    const decided = await kennel.call('approvals.decide', { id, digest, surface: 'window', answer });
    expect(decided.approval).toMatchObject({
      state: 'denied',
      decision: { as: 'reject', reason: 'not today' },
    });
    expect(englishText((await standing(run.id, 'cancelled')).message)).toContain('not approved');
    expect(effects()).not.toContain('two');
  });

  it('is decided once by two concurrent calls, and both report the same decision (I2)', async () => {
    for (const round of ['four', 'five', 'six']) {
      const run = await start(guarded(round));
      const { id, digest } = await question(run.id);
      const answers = await Promise.all([
        kennel.tryCall('runs.decide', { gate: id, digest, answer: { type: 'reject' } }),
        kennel.tryCall('approvals.decide', {
          id,
          digest,
          surface: 'window',
          answer: { type: 'allow', scope: 'once' },
        }),
      ]);
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      const ended = await until('the end', async () => {
        const { run: now } = await kennel.call('runs.get', { run: run.id });
        return now.endedAt === null ? undefined : now;
      });
      const { approval } = await kennel.call('approvals.get', { id });
      const allowed = approval.state === 'allowed';
      expect(ended.status).toBe(allowed ? 'ok' : 'cancelled');
      expect(effects().includes(round)).toBe(allowed);
    }
  });
});

describe('Run that asks for input', () => {
  const form = `
name: form
steps:
  - id: ask
    input:
      prompt: How many?
      responseSchema: { type: object, properties: { n: { type: integer, maximum: 3 } }, required: [n] }
  - id: use
    run: echo "took $ask.response.n" >> done.txt
`;

  it('keeps asking until an answer fits the schema, and continues with it', async () => {
    const run = await start(form);
    const asked = await question(run.id);
    expect(asked).toMatchObject({ offers: [], gate: { kind: 'input' } });
    const decide = (answer: Parameters<typeof give>[0]) => give(answer);
    const give = (answer: { type: 'respond'; response: unknown } | { type: 'allow'; scope: 'once' }) =>
      kennel.tryCall('approvals.decide', { id: asked.id, digest: asked.digest, surface: 'window', answer });
    expect(await decide({ type: 'allow', scope: 'once' })).toMatchObject({
      error: { code: 'invalid_input' },
    });
    expect(await decide({ type: 'respond', response: { n: 9 } })).toMatchObject({
      error: { code: 'invalid_input' },
    });
    expect(await decide({ type: 'respond', response: { n: 2 } })).toMatchObject({ ok: true });
    await standing(run.id, 'ok');
    expect(effects()).toContain('took 2');
  });
});

describe('Files and views', () => {
  it('workflow files are listed, checked and saved only over the version read, and stay in the folder (T14)', async () => {
    const file = 'team/hello.puppy';
    const saved = await kennel.call('workflows.save', { file, text: guarded('hello'), was: null });
    expect(saved.findings).toEqual([]);
    expect(saved.args).toMatchObject([{ name: 'what', required: false, defaultJson: '"all of it"' }]);
    const { files, folder } = await kennel.call('workflows.list', {});
    expect(files.map(({ name, errors }) => [name, errors])).toContainEqual(['hello', 0]);
    const examples = files.filter(({ example }) => example);
    expect(examples.length).toBeGreaterThan(4);
    expect(examples.filter(({ errors }) => errors > 0)).toEqual([]);
    const read = await kennel.call('workflows.read', { file: join(folder, file) });
    writeFileSync(join(folder, file), guarded('changed'));
    const over = { file, text: guarded('mine'), was: read.hash };
    expect(await kennel.tryCall('workflows.save', over)).toMatchObject({ error: { code: 'conflict' } });
    for (const outside of ['../out.puppy', '/etc/out.puppy', 'a/../../out.puppy', 'plain.txt']) {
      expect((await kennel.tryCall('workflows.save', { file: outside, text: 'x', was: null })).ok).toBe(
        false,
      );
    }
    const broken = await kennel.call('workflows.check', { text: 'steps:\n  - id: a\n    rum: echo\n' });
    expect(broken.graph).toBeNull();
    expect(broken.findings[0]).toMatchObject({ severity: 'error', line: 3, column: expect.any(Number) });
    await kennel.call('workflows.remove', { file });
  });

  it('a run is followed live and found by text; the same key starts it once', async () => {
    const all = follow<{ runs: Record<string, RunSummary> }>(kennel.host, 'runs');
    const questions = follow<ApprovalsView>(kennel.host, 'approvals');
    const text = guarded('followed');
    const [first, again] = await Promise.all([
      kennel.call('runs.start', { text, key: 'k1' }),
      kennel.call('runs.start', { text, key: 'k1' }),
    ]);
    expect(again.id).toBe(first.id);
    const one = follow<RunView>(kennel.host, `run:${first.id}`);
    await until('it to wait', () => one.state().run?.status === 'waiting');
    expect(one.state().steps).toMatchObject({ look: { state: 'done' }, ask: { state: 'waiting' } });
    const timesOf = (path: string) =>
      one.state().steps[path]?.spans.map(({ kind, to }) => [kind, to === null]);
    expect([timesOf('look'), timesOf('ask')]).toEqual([[['work', false]], [['wait', true]]]);
    const [gate] = Object.values(one.state().gates);
    expect(gate?.shortId).toMatch(/^[0-9a-f]{8}$/);
    await until('the question', () => Object.hasOwn(questions.state().waiting, gate?.id ?? ''));
    await kennel.call('runs.decide', { shortId: gate?.shortId ?? '', answer: { type: 'approve' } });
    await until('its end', () => one.state().run?.status === 'ok');
    expect(one.state().steps).toMatchObject({ ship: { state: 'done' } });
    expect(timesOf('ask')).toEqual([['wait', false]]);
    await until('the question to go', () => !Object.hasOwn(questions.state().waiting, gate?.id ?? ''));
    const { approval, receipt } = await kennel.call('approvals.get', { id: gate?.id ?? '' });
    expect(approval.decision).toMatchObject({ surface: 'terminal', as: 'approve' });
    expect(receipt?.digest).toBe(gate?.contentHash);
    await until('the list', () => all.state().runs[first.id]?.status === 'ok');
    const found = await kennel.call('runs.list', { text: 'FOLLOW' });
    expect(found.runs.map(({ id }) => id)).toEqual([first.id]);
    const page = await kennel.call('runs.list', { limit: 2 });
    expect(page).toMatchObject({ hasMore: true, runs: [{ id: first.id }, {}] });
    const next = await kennel.call('runs.list', { limit: 2, before: page.runs[1]?.id ?? '' });
    expect(next.runs.map(({ id }) => id)).not.toContain(page.runs[1]?.id);
    for (const each of [all, questions, one]) each.stop();
  });

  it('a failed run reports why, and resumes from the failed step once the cause is fixed', async () => {
    const folder = join(home, 'workflows');
    mkdirSync(folder, { recursive: true });
    const text =
      'name: later\nsteps:\n  - id: first\n    run: echo first >> done.txt\n  - id: need\n    run: cat needed.txt\n';
    const run = await start(text);
    expect(englishText((await standing(run.id, 'failed')).message)).toContain("Step 'need' failed");
    writeFileSync(join(folder, 'needed.txt'), 'here');
    await kennel.call('runs.retry', { run: run.id });
    await standing(run.id, 'ok');
    expect(await kennel.call('runs.step', { run: run.id, path: 'need' })).toMatchObject({ stdout: 'here' });
    expect(effects().match(/first/g)).toHaveLength(1);
  });
});

describe('Repeated run', () => {
  it('reuses earlier steps, asks again, and both runs refer to each other (T8)', async () => {
    const text = guarded('twice', '').replace(
      'run: echo "[1,2]"',
      'run: echo "[1,2]"; echo looked >> done.txt',
    );
    const first = await start(text);
    const asked = await question(first.id);
    await kennel.call('runs.decide', { gate: asked.id, answer: { type: 'approve' } });
    await standing(first.id, 'ok');
    const before = await kennel.call('runs.get', { run: first.id });
    expect(before).toMatchObject({ forkedFrom: null, forks: [], fileNow: 'none' });
    const known = await kennel.call('runs.places', { run: first.id });
    expect(known.more).toBe(0);
    expect(known.places.map(({ from, asked: { paths }, once }) => [from, paths, once.paths])).toEqual([
      ['look', [], ['look', 'ship']],
      ['ask', [], ['ship']],
      ['ship', ['ask'], ['ship']],
    ]);
    const second = await kennel.call('runs.again', { run: first.id, from: 'ship', key: 'one click' });
    expect((await kennel.call('runs.again', { run: first.id, from: 'ship', key: 'one click' })).id).toBe(
      second.id,
    );
    const again = await question(second.id);
    expect(effects().match(/twice/g)).toHaveLength(1);
    await kennel.call('runs.decide', { gate: again.id, answer: { type: 'approve' } });
    await standing(second.id, 'ok');
    expect([effects().match(/twice/g)?.length, effects().match(/looked/g)?.length]).toEqual([2, 1]);
    const now = await kennel.call('runs.get', { run: second.id });
    expect(now.forkedFrom).toEqual({ run: first.id, from: 'ship', by: 'operator' });
    expect(now.steps.map(({ path, taken }) => [path, taken])).toContainEqual(['look', true]);
    const after = await kennel.call('runs.get', { run: first.id });
    expect(after.forks).toEqual([{ run: second.id, from: 'ship', by: 'operator' }]);
    expect(after.run.endedAt).toBe(before.run.endedAt);
    expect(await kennel.call('runs.log', { run: first.id })).toMatchObject({ verified: true });
  });

  it('uses the original file or the current one, and reports whether it has changed', async () => {
    const folder = join(home, 'workflows');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'changing.puppy');
    writeFileSync(file, 'name: changing\nsteps:\n  - {id: a, run: echo old}\n');
    const first = await kennel.call('runs.start', { file });
    await standing(first.id, 'ok');
    expect(await kennel.call('runs.get', { run: first.id })).toMatchObject({ fileNow: 'same' });
    writeFileSync(file, 'name: changing\nsteps:\n  - {id: a, run: echo new}\n');
    expect(await kennel.call('runs.get', { run: first.id })).toMatchObject({ fileNow: 'changed' });
    const pinned = await kennel.call('runs.again', { run: first.id });
    const current = await kennel.call('runs.again', { run: first.id, current: true });
    for (const { id } of [pinned, current]) await standing(id, 'ok');
    expect(await kennel.call('runs.step', { run: pinned.id, path: 'a' })).toMatchObject({ stdout: 'old\n' });
    expect(await kennel.call('runs.step', { run: current.id, path: 'a' })).toMatchObject({ stdout: 'new\n' });
  });
});

describe('Gate under attack', () => {
  it('rejects a forged digest, a forged token and a guessed ID (T8)', async () => {
    const run = await start(guarded('three'));
    const { id } = await question(run.id);
    const digest = 'f'.repeat(64);
    const allow = { type: 'allow', scope: 'once' } as const;
    const forged = await kennel.tryCall('approvals.decide', { id, digest, surface: 'tray', answer: allow });
    expect(forged).toMatchObject({ error: { code: 'conflict' } });
    const approve = { type: 'approve' } as const;
    const tries = [{ gate: id, digest }, { token: 'A'.repeat(43) }, { token: 'x' }, { gate: 'none' }];
    for (const by of tries) {
      expect((await kennel.tryCall('runs.decide', { ...by, answer: approve })).ok).toBe(false);
    }
    const codes = new Set<string>();
    for (let guess = 0; guess < 8; guess += 1) {
      const shortId = `0000000${guess}`;
      const told = await kennel.tryCall('runs.decide', { shortId, answer: approve });
      codes.add(told.ok ? 'ok' : told.error.code);
    }
    expect([...codes].sort()).toEqual(['not_found', 'rate_limited']);
    expect((await kennel.call('runs.get', { run: run.id })).run.status).toBe('waiting');
    expect(effects()).not.toContain('three');
    await kennel.call('runs.cancel', { run: run.id });
    const { approval } = await kennel.call('approvals.get', { id });
    expect(approval).toMatchObject({ state: 'cancelled', decision: { as: 'withdrawn' } });
  });
});

describe('Step for an agent', () => {
  it('runs as a task of the agent, and passes its result to the next step', async () => {
    const text = `
name: ask-guide
steps:
  - id: guide
    agent: { name: guide, goal: Say hello }
  - id: after
    run: wc -c
    stdin: $guide.stdout
`;
    const run = await start(text);
    await standing(run.id, 'ok');
    const { steps } = await kennel.call('runs.get', { run: run.id });
    const [first] = steps;
    expect(first).toMatchObject({ path: 'guide', state: 'done', task: expect.any(Number) });
    const { task } = await kennel.call('tasks.get', { task: first?.task ?? 0 });
    expect(task).toMatchObject({ status: 'done' });
    expect(Number((await kennel.call('runs.step', { run: run.id, path: 'after' })).stdout)).toBeGreaterThan(
      1,
    );
  });

  it('for a model uses its fallback if no answer fits the schema', async () => {
    const text = `
name: sort-mail
steps:
  - id: sort
    llm_task:
      prompt: Which kind?
      schema: { type: object, properties: { kind: { enum: [a, b] } }, required: [kind] }
      fallback:
        - id: rule
          run: echo '{"kind":"a"}'
  - id: after
    run: echo "kind $sort.json.kind"
`;
    const run = await start(text);
    await standing(run.id, 'ok');
    expect((await kennel.call('runs.step', { run: run.id, path: 'after' })).stdout).toContain('kind a');
    const { steps } = await kennel.call('runs.get', { run: run.id });
    expect(steps.find(({ path }) => path === 'sort')).toMatchObject({ state: 'failed' });
  });
});
