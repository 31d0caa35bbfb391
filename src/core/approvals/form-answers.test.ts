import { describe, expect, it } from 'vitest';
import { createApprovalRig, neverAborted } from '../../../test/fakes/approval-rig.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import type { ApprovalAnswer } from '../../contract/approvals.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import type { Question } from './approval-centre-ports.ts';

const question: Question = {
  kind: 'question',
  agentId: 'guide',
  agentName: 'Guide',
  subject: 'mcp_elicitation',
  key: 'one',
  args: {},
  title: 'wants a value',
  preview: { kind: 'text', body: 'n' },
  risk: 'medium',
  why: '',
  where: '',
  roomId: null,
  threadRootId: null,
  form: { schemaJson: '{}', defaultsJson: '{"n":1}' },
  accepts: (value) =>
    JSON.stringify(value) === '{"n":"x"}' ? err(textError('invalid_input', 'no')) : ok(value),
  endsWithHost: true,
};

async function asked() {
  const rig = createApprovalRig();
  const decision = rig.centre.ask(question, neverAborted);
  await settle();
  const [row] = rig.centre.waiting();
  if (!row) throw new Error('nothing waits');
  const { id, digest } = row.approval;
  const answer = (given: ApprovalAnswer) => rig.centre.decide(id, given, { digest, surface: 'terminal' });
  return { rig, id, answer, decision };
}

describe('Question with a form', () => {
  it('returns the values once, and stores them nowhere', async () => {
    const { rig, id, answer, decision } = await asked();
    expect(answer({ type: 'respond', response: { n: 'x' } })).toMatchObject({ ok: false });
    expect(rig.centre.waiting()).toHaveLength(1);
    expect(answer({ type: 'respond', response: { n: 'private' } })).toMatchObject({ ok: true });
    expect(await decision).toMatchObject({ type: 'allow', response: { n: 'private' } });
    const stored = JSON.stringify([rig.store.row(id), rig.audit, rig.told]);
    expect(stored).not.toContain('private');
  });

  it('takes a plain yes as a yes to the defaults', async () => {
    const { answer, decision } = await asked();
    answer({ type: 'allow', scope: 'once' });
    expect(await decision).toMatchObject({ type: 'allow', response: { n: 1 } });
  });

  it('passes no values on after a no', async () => {
    const { answer, decision } = await asked();
    answer({ type: 'deny', reason: '' });
    const denied = await decision;
    expect([denied.type, 'response' in denied]).toEqual(['deny', false]);
  });

  it('is withdrawn by the next start of the host, because nothing waits for it any more', async () => {
    const { rig, id } = await asked();
    rig.restart();
    expect(rig.centre.waiting()).toEqual([]);
    expect(rig.store.row(id)?.approval.state).toBe('cancelled');
  });
});
