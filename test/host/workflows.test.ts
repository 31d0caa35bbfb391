import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Approval, ApprovalsView } from '../../src/contract/consent.ts';
import type { RunSummary, RunView } from '../../src/contract/workflow-methods.ts';
import { follow, newHome, startHost, type TestHost, until } from './host-rig.ts';

const { home, remove } = newHome();
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

describe('a run that asks', () => {
  it('is shown among the questions, approved from the tray, and does every step once', async () => {
    const run = await start(guarded('one'), { what: 'the box' });
    const asked = await question(run.id);
    expect(asked).toMatchObject({
      kind: 'workflow',
      agentName: 'one',
      title: 'asks: Ship the box?',
      gate: { items: ['1', '2'], named: [], runName: 'one' },
    });
    expect(effects()).not.toContain('one');
    const decided = await kennel.call('approvals.decide', {
      ...{ id: asked.id, digest: asked.digest, surface: 'tray' },
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
});
