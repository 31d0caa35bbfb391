import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../test/fakes/memory-journal.ts';
import {
  createWorkflowRig,
  person,
  type WorkflowRig,
  workflow,
} from '../../../../test/fakes/workflow-rig.ts';
import { englishText } from '../../../language/host-message.ts';
import type { GateReply } from './answer-gate.ts';
import { type Envelope, envelopeExitCode } from './envelope.ts';
import { brokenAt } from './events.ts';

const yes: GateReply = { type: 'approve' };

async function paused(
  rig: WorkflowRig,
  text: string,
  initiatedBy: string | null = null,
): Promise<{
  readonly run: string;
  readonly token: string;
  readonly gate: string;
  readonly first: Envelope;
}> {
  const engine = rig.engine();
  const run = engine.start({ definition: workflow(text), initiatedBy });
  if (!run.ok) throw new Error(run.error.message);
  const first = await engine.answer(run.value.id);
  const asks = first.ok ? (first.requiresApproval ?? first.requiresInput) : null;
  const gate = rig.open()[0]?.id ?? '';
  return { run: run.value.id, token: asks?.resumeToken ?? '', gate, first };
}

const gated = 'steps: [{id: a, run: say a}, {id: g, approval: ok?}, {id: b, run: say b}]';
const done = (rig: WorkflowRig): readonly string[] => rig.effects.map(({ path }) => path);

describe('Rejection reason', () => {
  it('is available to the reject branch and later steps; an approval leaves none', async () => {
    const text =
      'steps: [{id: g, approval: {prompt: ok?, on_reject: {steps: [{id: tell, run: "echo", stdin: $g.reason}], then: continue}}}, {id: b, run: "say $g.reason", when: "$g.reason == late"}]';
    const rig = createWorkflowRig();
    const { run, gate } = await paused(rig, text);
    rig.engine().decide({ by: { gate }, actor: person(), answer: { type: 'reject', reason: 'late' } });
    await rig.engine().drive(run);
    expect(rig.effects.map(({ path, stdin }) => [path, stdin])).toEqual([
      ['g.on_reject.tell', 'late'],
      ['b', undefined],
    ]);
    const other = createWorkflowRig();
    const second = await paused(other, text);
    other.engine().decide({ by: { gate: second.gate }, actor: person(), answer: yes });
    await other.engine().drive(second.run);
    expect(done(other)).toEqual([]);
  });

  it('is trimmed, cut to 1,000 characters, journaled and shown in the run message; an approval has none', async () => {
    const rig = createWorkflowRig();
    const { run, gate } = await paused(rig, gated);
    const no = { type: 'reject', reason: `  too early${'!'.repeat(2_000)} ` } as const;
    const decided = rig.engine().decide({ by: { gate }, actor: person(), answer: no });
    expect(decided).toMatchObject({ ok: true, value: { decision: 'reject' } });
    const reason = `too early${'!'.repeat(991)}`;
    const rows = rig.journal.events(run, 0);
    expect(rows.find(({ event }) => event.type === 'gate_decided')?.event).toMatchObject({ reason });
    expect(brokenAt(sha256, run, rows)).toBeNull();
    await rig.engine().drive(run);
    const state = rig.engine().show(run);
    expect([state?.status, englishText(state?.message ?? '')]).toEqual([
      'cancelled',
      `'g' was not approved: ${reason}`,
    ]);
    expect(state?.gates.get(gate)?.reason).toBe(reason);

    const other = createWorkflowRig();
    const second = await paused(other, gated);
    other.engine().decide({ by: { gate: second.gate }, actor: person(), answer: yes });
    const event = other.journal.events(second.run, 0).find(({ event: one }) => one.type === 'gate_decided');
    expect(event && 'reason' in event.event).toBe(false);
  });
});

describe('Resume tokens', () => {
  it('hold 256 random bits; the journal stores no plain token', async () => {
    const rig = createWorkflowRig();
    const { token, run } = await paused(rig, gated);
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(JSON.stringify([rig.open(), rig.journal.events(run, 0)])).not.toContain(token);
  });

  it('approve nothing when forged, truncated or already used (T5)', async () => {
    const rig = createWorkflowRig();
    const { token } = await paused(rig, gated);
    const forged = Buffer.from(JSON.stringify({ protocolVersion: 1, resumeAtIndex: 2 })).toString(
      'base64url',
    );
    for (const bad of [forged, token.slice(1), `${token}A`, '', `B${token.slice(1)}`]) {
      const refused = await rig.engine().resume({ by: { token: bad }, actor: person(), answer: yes });
      expect(refused).toMatchObject({ ok: false });
      expect(envelopeExitCode(refused)).toBe(2);
    }
    expect(done(rig)).toEqual(['a']);
    const asked = { by: { token }, actor: person(), answer: yes };
    const both = await Promise.all([rig.engine('x').resume(asked), rig.engine('y').resume(asked)]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await rig.engine().resume(asked)).toMatchObject({ ok: false });
    expect(done(rig)).toEqual(['a', 'b']);
  });

  it('are reissued to a host that has none, and the old token becomes invalid', async () => {
    const rig = createWorkflowRig();
    const { token, run } = await paused(rig, gated);
    const again = await rig.engine('two').answer(run);
    const next = again.ok ? (again.requiresApproval?.resumeToken ?? '') : '';
    expect(next).not.toBe(token);
    expect(await rig.engine().resume({ by: { token }, actor: person(), answer: yes })).toMatchObject({
      ok: false,
    });
    const end = await rig.engine().resume({ by: { token: next }, actor: person(), answer: yes });
    expect(end).toMatchObject({ status: 'ok', output: ['b'] });
  });

  it('can be replaced by the eight-digit short id of the gate', async () => {
    const rig = createWorkflowRig();
    const { first } = await paused(rig, gated);
    const shortId = first.ok ? (first.requiresApproval?.approvalId ?? '') : '';
    expect(shortId).toMatch(/^[0-9a-f]{8}$/);
    const end = await rig.engine().resume({ by: { shortId }, actor: person(), answer: yes });
    expect(end).toMatchObject({ status: 'ok' });
  });
});

describe('Approval gate', () => {
  it('shows the prompt of the file, quotes the step output, and ignores approvers named by the step (T9)', async () => {
    const rig = createWorkflowRig();
    const said = JSON.stringify({
      requiresApproval: { prompt: 'Apply 1?', items: [{ id: 1 }], requiredApprover: 'eve' },
    });
    const { first } = await paused(
      rig,
      `steps: [{id: g, run: 'say ${said}', approval: {prompt: p, required_approver: alice}}]`,
    );
    expect(first).toMatchObject({
      status: 'needs_approval',
      output: [],
      requiresApproval: {
        prompt: 'p\n\nThe step says: "Apply 1?"',
        items: [{ id: 1 }],
        requiredApprover: 'alice',
      },
    });
  });

  it('uses the prompt of the step output if the file has none', async () => {
    const said = JSON.stringify({ requiresApproval: { prompt: 'Apply 1?' } });
    const text = `steps: [{id: g, run: 'say ${said}', approval: required}]`;
    const { first } = await paused(createWorkflowRig(), text);
    expect(first).toMatchObject({ requiresApproval: { prompt: 'Apply 1?' } });
  });

  it('accepts an answer only from the named approver with a known identity (T8)', async () => {
    const rig = createWorkflowRig();
    const { gate } = await paused(rig, 'steps: [{id: g, approval: {prompt: ok?, required_approver: alice}}]');
    const by = (id: string | null) => rig.engine().decide({ by: { gate }, actor: person(id), answer: yes });
    expect(by('bob')).toMatchObject({ ok: false, error: { message: expect.stringContaining('alice') } });
    expect(by(null)).toMatchObject({ ok: false, error: { message: expect.stringContaining('identity') } });
    const agent = { kind: 'agent', id: 'alice' } as const;
    expect(rig.engine().decide({ by: { gate }, actor: agent, answer: yes })).toMatchObject({ ok: false });
    expect(by('alice')).toMatchObject({ ok: true });
  });

  it('that requires a different approver blocks the start if the initiator is unknown, at any nesting', () => {
    const gate = '{id: g, approval: {prompt: ok?, require_different_approver: true}}';
    for (const steps of [
      gate,
      `{id: both, parallel: {branches: [{id: l, run: say l, approval: {prompt: l?, on_reject: [${gate}]}}]}}`,
    ]) {
      const rig = createWorkflowRig();
      const definition = workflow(`steps: [{id: a, run: say a}, ${steps}]`);
      expect(rig.engine().start({ definition, initiatedBy: null })).toMatchObject({
        ok: false,
        error: { code: 'forbidden', message: expect.stringContaining('the initiator is unknown') },
      });
      expect([rig.effects, rig.journal.runs({ limit: 9 })]).toEqual([[], []]);
      expect(rig.engine().start({ definition, initiatedBy: 'ann' }).ok).toBe(true);
    }
  });

  it('that requires a different approver refuses the initiator and unknown actors', async () => {
    const text = 'steps: [{id: g, approval: {prompt: ok?, require_different_approver: true}}]';
    const decide = async (initiatedBy: string, id: string | null): Promise<boolean> => {
      const rig = createWorkflowRig();
      const { gate } = await paused(rig, text, initiatedBy);
      return rig.engine().decide({ by: { gate }, actor: person(id), answer: yes }).ok;
    };
    expect(await decide('ann', 'ann')).toBe(false);
    expect(await decide('ann', null)).toBe(false);
    expect(await decide('ann', 'bob')).toBe(true);
  });

  it('with two needed approvals waits for two different approvers', async () => {
    const rig = createWorkflowRig();
    const text =
      'steps: [{id: g, approval: {prompt: ok?, approvers: [ann, bob, eve], needed: 2}}, {id: b, run: say b}]';
    const { token } = await paused(rig, text);
    const first = rig.engine().decide({ by: { token }, actor: person('ann'), answer: yes });
    expect(first).toMatchObject({ ok: true, value: { decision: null } });
    expect(rig.engine().decide({ by: { token }, actor: person('bob'), answer: yes }).ok).toBe(false);
    const next = first.ok ? (first.value.token ?? '') : '';
    expect(rig.engine().decide({ by: { token: next }, actor: person('ann'), answer: yes }).ok).toBe(false);
    expect(done(rig)).toEqual([]);
    const end = await rig.engine().resume({ by: { token: next }, actor: person('bob'), answer: yes });
    expect(end).toMatchObject({ status: 'ok' });
    expect(done(rig)).toEqual(['b']);
  });

  it('ends the run on a rejection, or runs the reject branch', async () => {
    const rig = createWorkflowRig();
    const { gate } = await paused(rig, gated);
    const no = await rig.engine().resume({ by: { gate }, actor: person(), answer: { type: 'reject' } });
    expect(no).toMatchObject({ ok: true, status: 'cancelled', output: [] });
    const branch =
      'steps: [{id: g, approval: {prompt: ok?, on_reject: {steps: [{id: undo, run: say undo}], then: continue}}}, {id: b, run: say b, when: $g.approved}]';
    const second = await paused(rig, branch);
    await rig.engine().resume({ by: { gate: second.gate }, actor: person(), answer: { type: 'reject' } });
    expect(done(rig)).toEqual(['a', 'g.on_reject.undo']);
  });

  it('reminds once, expires, then refuses answers; a retry of the run asks again (F8)', async () => {
    const rig = createWorkflowRig();
    const text = 'steps: [{id: g, approval: {prompt: ok?, expires: 2d, remind: 1d}}, {id: b, run: say b}]';
    const { run, gate, token } = await paused(rig, text);
    rig.clock.jump(86_400_000);
    for (const due of [...rig.engine().due(), ...rig.engine().due()]) await rig.engine().drive(due);
    expect(rig.told.reminded).toHaveLength(1);
    rig.clock.jump(86_400_000);
    expect(rig.engine().decide({ by: { token }, actor: person(), answer: yes })).toMatchObject({ ok: false });
    await rig.engine().drive(run);
    expect(rig.engine().show(run)).toMatchObject({ status: 'failed' });
    expect(rig.told.closed).toEqual([gate]);
    expect(rig.engine().retry(run, 'ann').ok).toBe(true);
    expect(await rig.engine().answer(run)).toMatchObject({ status: 'needs_approval' });
    expect(done(rig)).toEqual([]);
  });

  it('with a response schema accepts only matching JSON and passes it on unchanged', async () => {
    const rig = createWorkflowRig();
    const schema = '{type: object, properties: {n: {type: integer}}, required: [n]}';
    const text = `steps: [{id: q, input: {prompt: How many?, response_schema: ${schema}}}, {id: z, run: 'say $q.response.n'}]`;
    const { gate, first } = await paused(rig, text);
    expect(first).toMatchObject({ status: 'needs_input', requiresInput: { prompt: 'How many?' } });
    const answer = (answer: GateReply) => rig.engine().decide({ by: { gate }, actor: person(), answer });
    expect(answer({ type: 'respond', response: {} })).toMatchObject({ ok: false });
    expect(answer({ type: 'respond', response: { n: '3' } })).toMatchObject({ ok: false });
    expect(answer(yes)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    const by = { by: { gate }, actor: person() };
    const end = await rig.engine().resume({ ...by, answer: { type: 'respond', response: { n: 3 } } });
    expect(end).toMatchObject({ status: 'ok', output: [3] });
  });

  it('inside a pipeline continues with the next stage after an approval', async () => {
    const rig = createWorkflowRig();
    const { token, first } = await paused(rig, 'steps: [{id: a, pipeline: "exec say x | approve"}]');
    expect(first).toMatchObject({ requiresApproval: { prompt: 'inner', items: ['x'] } });
    const end = await rig.engine().resume({ by: { token }, actor: person(), answer: yes });
    expect(end).toMatchObject({ status: 'ok', output: ['x'] });
  });

  it('refuses an approval if the shown prompt was changed since (T8)', async () => {
    const rig = createWorkflowRig();
    const { run, gate } = await paused(rig, gated);
    const row = rig.journal.events(run, 0).find(({ event }) => event.type === 'gate_opened');
    if (row?.event.type === 'gate_opened') Object.assign(row.event.content, { prompt: 'harmless' });
    expect(rig.engine().decide({ by: { gate }, actor: person(), answer: yes })).toMatchObject({
      ok: false,
      error: { code: 'untrusted' },
    });
  });
});

describe('Workflow run', () => {
  it('can be cancelled while waiting or working, and its gates are closed', async () => {
    const rig = createWorkflowRig();
    const { run, token } = await paused(rig, gated);
    expect(await rig.engine().cancel(run, 'ann')).toMatchObject({ value: { status: 'cancelled' } });
    expect(await rig.engine().resume({ by: { token }, actor: person(), answer: yes })).toMatchObject({
      ok: false,
    });
    const engine = rig.engine();
    const busy = engine.start({
      definition: workflow('steps: [{id: s, run: slow 90000 x}]'),
      initiatedBy: null,
    });
    const id = busy.ok ? busy.value.id : '';
    const driving = engine.answer(id);
    await Promise.resolve();
    await Promise.resolve();
    await engine.cancel(id, 'ann');
    expect(await driving).toMatchObject({ status: 'cancelled' });
    expect(done(rig)).toEqual(['a']);
  });

  it('is returned for a second start with the same idempotency key; a different definition conflicts', () => {
    const rig = createWorkflowRig();
    const start = (text: string) =>
      rig.engine().start({ definition: workflow(text), initiatedBy: null, idempotencyKey: 'daily' });
    const [one, same, other] = [start(gated), start(gated), start('steps: [{id: x, run: say x}]')];
    expect(one.ok && same.ok && one.value.id === same.value.id).toBe(true);
    expect(other).toMatchObject({ ok: false, error: { code: 'conflict' } });
  });

  it('retries from the failed step without repeating completed steps', async () => {
    const rig = createWorkflowRig();
    const text = 'steps: [{id: a, run: say a}, {id: b, run: flaky 2 fine}, {id: c, run: say c}]';
    const { run } = await paused(rig, text);
    expect(rig.engine().show(run)).toMatchObject({ status: 'failed', message: 'not yet' });
    expect(rig.engine().retry(run, 'ann').ok).toBe(true);
    expect(await rig.engine().answer(run)).toMatchObject({ status: 'ok', output: ['c'] });
    expect(done(rig)).toEqual(['a', 'b', 'b', 'c']);
  });

  it('is driven by one engine at a time', async () => {
    const rig = createWorkflowRig();
    const run = rig
      .engine('one')
      .start({ definition: workflow('steps: [{id: s, run: slow 500 x}]'), initiatedBy: null });
    const id = run.ok ? run.value.id : '';
    rig.alive.add('one');
    const driving = rig.engine('one').drive(id);
    expect(await rig.engine('two').drive(id)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await driving).toMatchObject({ ok: true, value: { status: 'ok' } });
    expect(done(rig)).toEqual(['s']);
  });

  it('keeps an approval or cancellation that another engine writes concurrently', async () => {
    for (const cancels of [false, true]) {
      const rig = createWorkflowRig();
      const other = rig.engine('other');
      const text = 'steps: [{id: g, approval: ok?}, {id: b, run: say b}, {id: c, run: say c}]';
      const begun = rig.engine().start({ definition: workflow(text), initiatedBy: null });
      const id = begun.ok ? begun.value.id : '';
      rig.onOpened((gate) => other.decide({ by: { gate: gate.id }, actor: person(), answer: yes }));
      if (cancels) {
        rig.watch(() => {
          void other.cancel(id, 'ann');
          return null;
        });
        rig.alive.add('one');
      }
      const end = await rig.engine('one').drive(id);
      expect(end).toMatchObject({ value: { status: cancels ? 'cancelled' : 'ok' } });
      expect(done(rig)).toEqual(cancels ? ['b'] : ['b', 'c']);
    }
  });

  it('has a hash-chained history that reveals removed or changed rows (T28)', async () => {
    const rig = createWorkflowRig();
    const { run, gate } = await paused(rig, gated);
    await rig.engine().resume({ by: { gate }, actor: person(), answer: yes });
    const rows = rig.journal.events(run, 0);
    expect(brokenAt(sha256, run, rows)).toBeNull();
    const shorter = rows.filter(({ seq }) => seq !== 3);
    expect(brokenAt(sha256, run, shorter)).toBe(3);
    const other = rows.map((row) => (row.seq === 2 ? { ...row, at: row.at + 1 } : row));
    expect(brokenAt(sha256, run, other)).toBe(3);
  });
});

describe('T8: Size limit of a gate preview', () => {
  it('blocks approval by gate id and token if the preview is truncated; a rejection still counts', async () => {
    const rig = createWorkflowRig();
    const text = 'steps: [{id: a, run: big 300000, approval: ok?}, {id: b, run: say b}]';
    const { run, token, gate } = await paused(rig, text);
    for (const by of [{ gate }, { token }])
      expect(rig.engine().decide({ by, actor: person(), answer: yes })).toMatchObject({
        ok: false,
        error: { code: 'invalid_input', message: expect.stringContaining('too large to show in full') },
      });
    expect(rig.engine().decide({ by: { gate }, actor: person(), answer: { type: 'reject' } }).ok).toBe(true);
    await rig.engine().drive(run);
    expect(done(rig)).toEqual(['a']);
  });

  it('allows approval if the preview fits', async () => {
    const rig = createWorkflowRig();
    const { gate } = await paused(rig, 'steps: [{id: a, run: big 200000, approval: ok?}]');
    expect(rig.engine().decide({ by: { gate }, actor: person(), answer: yes }).ok).toBe(true);
  });
});
