import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import type { RunSummary } from '../../src/contract/workflow-methods.ts';
import { runKennel } from './demo-rig.ts';
import { newDemoHome, startHost, type TestHost, until } from './host-rig.ts';

const place = await newDemoHome();
let kennel: TestHost;

beforeAll(async () => {
  kennel = await startHost(place.home);
  await kennel.call('setup.tryDemo', {});
}, 60_000);
afterAll(async () => {
  await kennel?.stop();
  place.remove();
});

const run = (...args: string[]) => runKennel(place.home, args);

const gate = (name: string): string =>
  `name: ${name}\nsteps:\n  - id: ask\n    approval: Ship ${name}?\n  - id: ship\n    run: echo ${name}\n`;

async function waiting(text: string): Promise<{ id: string; asked: Approval }> {
  const { id } = await kennel.call('runs.start', { text });
  const asked = await until('the question', async () => {
    const { approvals } = await kennel.call('approvals.list', { kind: 'workflow' });
    return approvals.find((approval) => approval.gate?.runId === id);
  });
  return { id, asked };
}

const ended = (id: string): Promise<RunSummary> =>
  until('the end', async () => {
    const { run: now } = await kennel.call('runs.get', { run: id });
    return now.endedAt === null ? undefined : now;
  });

describe('Gate of a run', () => {
  it('is shown in full in the terminal and allowed there', async () => {
    const { id, asked } = await waiting(gate('alpha'));
    expect((await run('approvals', 'list')).out).toContain('alpha asks: Ship alpha?');
    const shown = await run('approvals', 'show', asked.id.slice(0, 8));
    expect(shown.out).toContain('| Ship alpha?');
    expect(shown.out).toContain(`Digest: ${asked.digest}`);
    const allowed = await run('approvals', 'allow', asked.id);
    expect(allowed.out).toContain('Allowed (once)');
    expect((await ended(id)).status).toBe('ok');
    expect((await run('approvals', 'allow', asked.id)).code).not.toBe(0);
  });

  it("of the operator's own run is posted by no agent; the inbox alone asks (T8)", async () => {
    const { id, asked } = await waiting(gate('beta'));
    const { digest } = asked;
    const answer = { type: 'allow', scope: 'once' } as const;
    await kennel.call('approvals.decide', { id: asked.id, digest, answer, surface: 'window' });
    expect((await ended(id)).status).toBe('ok');
    for (const to of ['guide', 'checker']) {
      const { messages } = await kennel.call('chat.history', { room: to });
      expect(messages.filter(({ text }) => text.includes('Workflow `beta`'))).toEqual([]);
    }
    const { approval, receipt } = await kennel.call('approvals.get', { id: asked.id });
    expect(approval.decision).toMatchObject({ surface: 'window', as: 'approve' });
    expect(receipt?.digest).toBe(digest);
  });

  it('that needs input accepts matching JSON in the terminal', async () => {
    const form =
      '{ type: object, properties: { n: { type: integer } }, required: [n], additionalProperties: false }';
    const text = `name: form\nsteps:\n  - id: ask\n    input:\n      prompt: How many?\n      responseSchema: ${form}\n  - id: use\n    run: echo got $ask.response.n\n`;
    const { id, asked } = await waiting(text);
    expect((await run('approvals', 'show', asked.id)).out).toContain(`kennel approvals respond ${asked.id}`);
    expect((await run('approvals', 'respond', asked.id, 'seven')).code).toBe(2);
    const misfit = await run('approvals', 'respond', asked.id, '{"n":"many"}');
    expect(misfit.err).toContain('The question stays open');
    const fits = await run('approvals', 'respond', asked.id, '{"n":7}');
    expect(fits.out).toContain('Answered');
    await ended(id);
    expect((await kennel.call('runs.get', { run: id })).outputJson).toContain('got 7');
    const settle = await run('approvals', 'settle', asked.id, 'done');
    expect(settle.code).not.toBe(0);
  });

  it('for another approver rejects the operator and names who decides (T8)', async () => {
    const { id, asked } = await waiting(
      'name: four\nsteps:\n  - id: ask\n    approval:\n      prompt: Ship?\n      approvers: [ann-0000]\n  - id: ship\n    run: echo x\n',
    );
    const refused = await run('approvals', 'allow', asked.id);
    expect(refused.err).toContain('ann-0000');
    const own = await waiting(
      'name: five\nsteps:\n  - id: ask\n    approval:\n      prompt: Ship?\n      require_different_approver: true\n',
    );
    expect((await run('approvals', 'allow', own.asked.id)).err).toContain('someone else');
    for (const one of [id, own.id]) {
      expect((await kennel.call('runs.get', { run: one })).run.status).toBe('waiting');
      await kennel.call('runs.cancel', { run: one });
    }
  });
});
