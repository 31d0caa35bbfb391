import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { englishText } from '../../src/language/host-message.ts';
import { type Canaries, filesBelow, hits, watchProcesses } from './canary-search.ts';
import { newHome, startHost, type TestHost, until } from './host-rig.ts';

const canary = (name: string): string => `canary-${name}-${randomBytes(12).toString('hex')}`;
/** Secrets in the host's environment, which no step needs. */
const environment: Canaries = {
  KENNEL_PASSPHRASE: canary('passphrase'),
  ANTHROPIC_API_KEY: `sk-${canary('provider')}`,
  PUPPY_TOKEN: canary('gateway'),
  PUPPY_APPROVAL_APPROVED_BY: canary('approver'),
  NODE_OPTIONS_EXTRA: canary('other'),
};
/** Belongs only into the encrypted journal, and to clients that request it. */
const words: Canaries = {
  'an argument': canary('argument'),
  'what a step said': canary('output'),
  'what a step failed with': canary('failure'),
  'a question': canary('question'),
  'an answer': canary('answer'),
  'a kept value': canary('value'),
};

const { home, remove } = newHome();
const processes = watchProcesses();
let kennel: TestHost;
beforeAll(async () => {
  const { PATH = '' } = process.env;
  kennel = await startHost(home, { env: { PATH, HOME: home, ...(environment as Record<string, string>) } });
  await kennel.call('setup.tryDemo', {});
}, 60_000);
afterAll(async () => {
  await kennel?.stop();
  processes.stop();
  remove();
});

const text = `
args: { secret: {} }
steps:
  - { id: see, run: env }
  - { id: say, run: 'cat', stdin: '${words['what a step said']}' }
  - { id: fail, run: 'cat >&2; exit 3', stdin: '${words['what a step failed with']}', on_error: continue }
  - { id: keep, pipeline: "exec cat | state.set place", stdin: '${words['a kept value']}' }
  - id: ask
    input: { prompt: '${words['a question']}', response_schema: { type: string } }
`;

it('Steps see no secret of the host, and no file contains plain text of a run (T18)', async () => {
  const args = { secret: words['an argument'] };
  const { id: run } = await kennel.call('runs.start', { text, args });
  const gate = await until('the question', async () => {
    const { gates, run: now } = await kennel.call('runs.get', { run });
    if (now.status === 'failed') throw new Error(englishText(now.message));
    return gates[0];
  });
  const seen = (await kennel.call('runs.step', { run, path: 'see' })).stdout;
  expect(seen).toContain(`PUPPY_ARG_SECRET=${words['an argument']}`);
  expect(hits(environment, new Map([['a step', Buffer.from(seen)]]))).toEqual([]);
  const answer = { type: 'respond', response: words['an answer'] } as const;
  await kennel.call('runs.decide', { gate: gate.id, digest: gate.contentHash, answer });
  const ended = await until('the end', async () => {
    const got = await kennel.call('runs.get', { run });
    return got.run.status === 'ok' ? got : undefined;
  });
  // Proves that the host returned the secrets, so the search could have found them.
  const told = JSON.stringify([ended, await kennel.call('runs.log', { run, limit: 1_000 })]);
  expect(hits(words, new Map([['what the host tells', Buffer.from(told)]])).length).toBeGreaterThan(4);
  await kennel.stop();
  const files = filesBelow(home);
  expect([...files.keys()]).toEqual(expect.arrayContaining(['workflows.db', 'logs/host.log']));
  expect(hits({ ...environment, ...words }, files)).toEqual([]);
  const steps = new Map([...processes.seen].filter(([place]) => !place.includes('vitest')));
  expect(hits(environment, steps)).toEqual([]);
}, 60_000);
