import { describe, expect, it } from 'vitest';
import {
  child,
  createWorkflowRig,
  person,
  type WorkflowRig,
  workflow,
} from '../../../../test/fakes/workflow-rig.ts';
import type { Envelope } from './envelope.ts';
import type { StartRequest } from './new-run.ts';

const started = (rig: WorkflowRig, text: string, more: Partial<StartRequest> = {}): string => {
  const run = rig.engine().start({ definition: workflow(text), initiatedBy: null, ...more });
  if (!run.ok) throw new Error(run.error.message);
  return run.value.id;
};

const ran = (rig: WorkflowRig, text: string, more: Partial<StartRequest> = {}): Promise<Envelope> =>
  rig.engine().answer(started(rig, text, more), { patienceMs: 3_600_000 });

const paths = (rig: WorkflowRig): readonly string[] => rig.effects.map(({ path }) => path);
const outputOf = (envelope: Envelope): unknown => (envelope.ok ? envelope.output : envelope.error.message);
const statusOf = (envelope: Envelope): string => (envelope.ok ? envelope.status : envelope.error.type);

describe('Workflow steps', () => {
  it('run in order, read earlier outputs, and return the last output', async () => {
    const rig = createWorkflowRig();
    const envelope = await ran(
      rig,
      `
steps:
  - {id: a, run: 'say {"n":[10,20]}'}
  - {id: b, run: echo, stdin: $a.json.n.1}
  - {id: c, run: say no, when: $a.json.n.1 == 10}
`,
    );
    expect(outputOf(envelope)).toEqual([20]);
    expect(paths(rig)).toEqual(['a', 'b']);
  });

  it('read outputs of branches, also after a restart behind them', async () => {
    const rig = createWorkflowRig();
    const text = (wait: string) => `
steps:
  - id: both
    parallel:
      wait: ${wait}
      branches:
        - {id: left, run: 'say {"n":1}'}
        - {id: right, run: fail, on_error: continue}
  - {id: gate, approval: ok?}
  - {id: after, run: say $left.json.n $right.error}
`;
    for (const [wait, said] of [
      ['all', '1 true'],
      ['any', '1 false'],
    ] as const) {
      const asked = await ran(rig, text(wait));
      const by = { token: (asked.ok && asked.requiresApproval?.resumeToken) || '' };
      // Another program, which knows only the journal.
      const other = rig.engine(`other-${wait}`);
      const done = await other.resume({ by, actor: person('ann'), answer: { type: 'approve' } });
      expect(outputOf(done)).toEqual([said]);
    }
  });

  it('run only with valid arguments', async () => {
    const rig = createWorkflowRig();
    const text = `args: {who: {type: string}}\nsteps: [{id: a, run: "say \${who}"}]`;
    expect(outputOf(await ran(rig, text, { args: { who: 'bob' } }))).toEqual(['bob']);
    const wrong = (args: Record<string, string | number>) =>
      rig.engine().start({ definition: workflow(text), initiatedBy: null, args });
    expect(wrong({})).toMatchObject({ ok: false, error: { message: expect.stringContaining('who') } });
    expect(wrong({ whoo: 'x' })).toMatchObject({ ok: false, error: { hint: "Did you mean 'who'?" } });
    expect(wrong({ who: 3 })).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(rig.effects).toHaveLength(1);
  });

  it('stop the run on failure, or continue as on_error says', async () => {
    const rig = createWorkflowRig();
    const stop = await ran(rig, 'steps: [{id: a, run: fail x broken}, {id: b, run: say b}]');
    expect(outputOf(stop)).toBe('broken');
    const on = await ran(
      rig,
      'steps: [{id: c, run: fail, on_error: continue}, {id: d, run: say handled, when: $c.error == true}]',
    );
    expect(outputOf(on)).toEqual(['handled']);
    const rest = await ran(rig, 'steps: [{id: e, run: fail, on_error: skip_rest}, {id: f, run: say f}]');
    expect(statusOf(rest)).toBe('ok');
    expect(paths(rig)).toEqual(['a', 'c', 'd', 'e']);
  });

  it('that fail with on_error keep the last successful output', async () => {
    for (const onError of ['continue', 'skip_rest']) {
      const rig = createWorkflowRig();
      const text = `steps: [{id: a, run: say good}, {id: b, run: fail, on_error: ${onError}}]`;
      expect(outputOf(await ran(rig, text)), onError).toEqual(['good']);
    }
  });

  it('fail before they run if they read JSON from plain text, and name the step', async () => {
    const rig = createWorkflowRig();
    const text = 'steps: [{id: a, run: say plain words}, {id: b, run: "say got $a.json.name"}]';
    expect(outputOf(await ran(rig, text))).toBe(
      "Step 'b' reads $a.json.name, and the output of 'a' is plain text, not JSON.",
    );
    expect(paths(rig)).toEqual(['a']);
  });

  it('are retried after a journaled delay under the same key', async () => {
    const rig = createWorkflowRig();
    const before = rig.clock.now();
    const retry = '{max: 3, delay_ms: 1000, backoff: exponential}';
    const envelope = await ran(rig, `steps: [{id: a, run: flaky 3 fine, retry: ${retry}}]`);
    expect(outputOf(envelope)).toEqual(['fine']);
    expect(rig.clock.now() - before).toBe(3000);
    expect(new Set(rig.effects.map(({ key }) => key)).size).toBe(1);
  });

  it('end at their timeout, and a run at its own timeout', async () => {
    const rig = createWorkflowRig();
    expect(outputOf(await ran(rig, 'steps: [{id: a, run: slow 5000 x, timeout_ms: 400}]'))).toBe(
      "Step 'a' timed out after 400ms",
    );
    const whole = 'timeout_ms: 900\nsteps: [{id: b, run: slow 500 x}, {id: c, run: slow 500 y}]';
    expect(outputOf(await ran(rig, whole))).toBe('The run timed out after 900ms');
  });

  it('stop at the cost limit', async () => {
    const rig = createWorkflowRig();
    const text = 'cost_limit: {max_usd: 1}\nsteps: [{id: a, run: cost 1.5 x}, {id: b, run: say b}]';
    expect(outputOf(await ran(rig, text))).toMatch(/limit is \$1/);
    expect(paths(rig)).toEqual(['a']);
  });

  it('sleep until their wake time, also without a running program (F23)', async () => {
    const rig = createWorkflowRig();
    const run = started(rig, 'steps: [{id: s, sleep: 2d}, {id: b, run: say awake}]');
    const asleep = await rig.engine().answer(run);
    expect(asleep).toMatchObject({ status: 'waiting', wakeAt: rig.clock.now() + 172_800_000 });
    expect(rig.engine().due()).toEqual([]);
    rig.clock.jump(172_800_000);
    expect(rig.engine('two').due()).toEqual([run]);
    expect(outputOf(await rig.engine('two').answer(run))).toEqual(['awake']);
  });

  it('keep large outputs whole', async () => {
    const rig = createWorkflowRig();
    const run = started(
      rig,
      'steps: [{id: a, run: big 40000}, {id: g, approval: ok?}, {id: b, run: echo, stdin: $a.json}]',
    );
    const paused = await rig.engine().answer(run);
    const token = paused.ok ? (paused.requiresApproval?.resumeToken ?? '') : '';
    const end = await rig
      .engine('two')
      .resume({ by: { token }, actor: person(), answer: { type: 'approve' } });
    expect(outputOf(end)).toEqual(['x'.repeat(40_000)]);
  });
});

describe('Workflow blocks', () => {
  it('run branches in parallel and return the result of each', async () => {
    const rig = createWorkflowRig();
    const before = rig.clock.now();
    const envelope = await ran(
      rig,
      'steps: [{id: p, parallel: {branches: [{id: l, run: slow 500 one}, {id: r, run: slow 500 two}]}}]',
    );
    expect(outputOf(envelope)).toEqual([{ l: 'one', r: 'two' }]);
    expect(rig.clock.now() - before).toBe(500);
  });

  it('with wait any take the first success, not the first failure', async () => {
    const rig = createWorkflowRig();
    const branches = '[{id: bad, run: fail}, {id: good, run: slow 300 fine}, {id: late, run: slow 9000 x}]';
    const text = `steps: [{id: p, parallel: {wait: any, branches: ${branches}}}, {id: z, run: echo, stdin: $good.stdout}]`;
    expect(outputOf(await ran(rig, text))).toEqual(['fine']);
    expect(paths(rig)).toEqual(['p.bad', 'p.good', 'z']);
  });

  it('loop over a list with pauses and approvals in each round', async () => {
    const rig = createWorkflowRig();
    const text = `
steps:
  - {id: list, run: 'say ["x","y"]'}
  - id: each
    for_each: $list.json
    pause_ms: 1000
    steps:
      - {id: ask, approval: Send $item?}
      - {id: send, run: echo, stdin: $item}
`;
    const run = started(rig, text);
    const engine = rig.engine();
    const first = await engine.answer(run);
    expect(first).toMatchObject({ status: 'needs_approval', requiresApproval: { prompt: 'Send x?' } });
    const answer = async (envelope: Envelope): Promise<Envelope> =>
      rig.engine('later').resume(
        {
          by: { token: envelope.ok ? (envelope.requiresApproval?.resumeToken ?? '') : '' },
          actor: person(),
          answer: { type: 'approve' },
        },
        { patienceMs: 5000 },
      );
    const second = await answer(first);
    expect(second).toMatchObject({ requiresApproval: { prompt: 'Send y?' } });
    const end = await answer(second);
    expect(outputOf(end)).toEqual([
      { item: 'x', index: 0, ask: null, send: 'x' },
      { item: 'y', index: 1, ask: null, send: 'y' },
    ]);
    expect(paths(rig)).toEqual(['list', 'each[0].send', 'each[1].send']);
  });

  it('run other workflows, pinned at the start, with approvals inside', async () => {
    const rig = createWorkflowRig();
    const inner = `args: {who: {default: x}}\nsteps: [{id: g, approval: ok?}, {id: a, run: "say hello \${who}"}]`;
    const run = started(rig, 'steps: [{id: s, workflow: child.puppy, workflow_args: {who: bob}}]', {
      children: [child('child.puppy', inner)],
    });
    const paused = await rig.engine().answer(run);
    expect(paused).toMatchObject({ status: 'needs_approval' });
    const gate = rig.open()[0]?.id ?? '';
    const end = await rig.engine().resume({ by: { gate }, actor: person(), answer: { type: 'approve' } });
    expect(outputOf(end)).toEqual(['hello bob']);
    expect(paths(rig)).toEqual(['s/a']);
  });

  it('retry only the failed part of a block', async () => {
    const rig = createWorkflowRig();
    const branches = '[{id: once, run: say x}, {id: shaky, run: flaky 2 fine}]';
    const text = `steps: [{id: p, retry: {max: 2, delay_ms: 10}, parallel: {branches: ${branches}}}]`;
    expect(outputOf(await ran(rig, text))).toEqual([{ once: 'x', shaky: 'fine' }]);
    expect(paths(rig).toSorted()).toEqual(['p.once', 'p.shaky', 'p.shaky']);
  });

  it('end together at the timeout of the block', async () => {
    const rig = createWorkflowRig();
    const text =
      'steps: [{id: p, parallel: {timeout_ms: 700, branches: [{id: l, run: slow 9000 x}, {id: r, approval: ok?}]}}]';
    expect(outputOf(await ran(rig, text))).toBe("Step 'p' timed out after 700ms");
    expect(rig.open()).toEqual([]);
  });

  it('accept an approval in one branch while another branch works', async () => {
    const rig = createWorkflowRig();
    const text = `
steps:
  - id: p
    parallel:
      branches:
        - {id: ask, run: say shown, approval: go?}
        - {id: work, run: slow 5000 done}
  - {id: z, run: say end}
`;
    const run = started(rig, text);
    const engine = rig.engine();
    rig.onOpened(({ id: gate }) => {
      expect(engine.show(run)?.steps.get('p.work')?.open).toBe(true);
      expect(engine.decide({ by: { gate }, actor: person(), answer: { type: 'approve' } }).ok).toBe(true);
    });
    expect(outputOf(await engine.answer(run))).toEqual(['end']);
    expect(rig.told.opened).toHaveLength(1);
  });

  it('fall back to fixed rules if a model has no answer', async () => {
    const rig = createWorkflowRig();
    const text = `
steps:
  - id: m
    llm_task: {prompt: fail, schema: {type: object}, fallback: [{id: rule, run: say by-rule}]}
`;
    expect(outputOf(await ran(rig, text))).toEqual(['by-rule']);
  });
});
