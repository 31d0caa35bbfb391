/** Sample workflow files, runs and gates. */

import type { Approval } from '../../src/contract/approvals.ts';
import type { RunGate, RunStep, RunSummary } from '../../src/contract/workflow-methods.ts';
import { englishText } from '../../src/language/host-message.ts';
import { approval } from './ask-data.ts';
import { now } from './fake-data.ts';

const second = 1_000;
const minute = 60 * second;
export const runsFolder = '/home/ada/.kennel/workflows';
export const examplesFolder = '/opt/kennel/resources/workflows';

export const releaseText = `name: Release checklist
description: Builds, asks two people, and deploys to every server.
args:
  version: { type: string, description: Such as 1.4.0 }
  servers: { type: array, default: [alpha, beta] }
  mode: { type: string, enum: [careful, fast], default: careful }
  notify: { type: boolean, default: true }
steps:
  - id: checks
    parallel:
      branches:
        - id: test
          run: npm test
        - id: audit
          run: npm audit
  - id: notes
    llm-task:
      prompt: Write release notes
      schema: { type: object }
      fallback:
        - id: plain
          run: git log --oneline
  - id: approve
    approval:
      prompt: Release this version?
      items: $notes.json
      approvers: [you-3f9a, kit]
      needed: 2
      on_reject:
        - id: undo
          run: git tag -d v1
  - id: each
    for_each: \${servers}
    steps:
      - id: deploy
        run: deploy
        effect: once
  - id: tell
    when: $approve.approved
    run: echo done
`;

export const brokenText = `name: Broken
steps:
  - id: one
    run: echo one
    aproval: required
  - id: two
    run: echo $later.stdout
`;

export const runId = 'run-7f3a9c21d0';
const hash = 'b1946ac92492d2347c6235b8d2611184c5a1f8a9d5e7f1c0a3b2d4e6f8091a2b';

export const run = (id: string, change: Partial<RunSummary> = {}): RunSummary => ({
  id,
  name: 'Release checklist',
  file: `${runsFolder}/release.puppy`,
  definition: hash,
  status: 'ok',
  message: '',
  initiatedBy: 'operator',
  createdAt: now - 5 * minute,
  endedAt: now - 4 * minute,
  archivedAt: null,
  wakeAt: null,
  stepsDone: 6,
  running: [],
  gates: [],
  costUsd: 0,
  simulatedUsd: 0,
  unpriced: 0,
  ...change,
});

export const step = (path: string, change: Partial<RunStep> = {}): RunStep => ({
  path,
  state: 'done',
  attempts: 1,
  effect: 'idempotent',
  startedAt: now - 4 * minute,
  endedAt: now - 4 * minute + 1_300,
  output: '',
  cut: false,
  error: '',
  retryAt: null,
  task: null,
  taken: false,
  spans: [],
  waited: 0,
  ...change,
});

export const waitingSteps = (): RunStep[] => [
  step('checks', { startedAt: now - 290 * second, effect: 'pure' }),
  step('checks.test', { startedAt: now - 289 * second, output: '412 tests passed\n', attempts: 2 }),
  step('checks.audit', { startedAt: now - 288 * second, output: 'found 0 vulnerabilities\n' }),
  step('notes', {
    startedAt: now - 270 * second,
    endedAt: now - 262 * second,
    cut: true,
    output: '["Faster start","Gates in the inbox"]',
  }),
  step('approve', { startedAt: now - 260 * second, endedAt: null, state: 'waiting', effect: 'pure' }),
];

export const gate = (id: string, change: Partial<RunGate> = {}): RunGate => ({
  id,
  path: 'approve',
  kind: 'approval',
  prompt: 'Release this version?',
  items: ['{"change":"Faster start","risk":"low"}', '"Gates in the inbox"'],
  preview: '',
  schemaJson: '',
  defaultsJson: '',
  subjectJson: '',
  named: ['you-3f9a', 'kit'],
  needed: 2,
  notInitiator: false,
  votes: ['kit'],
  contentHash: hash,
  expiresAt: now + 30 * 24 * 60 * minute,
  decision: null,
  decidedBy: '',
  decidedAt: null,
  reason: '',
  responseJson: '',
  ...change,
});

type Gate = NonNullable<Approval['gate']>;

/** The same gate as an approval in the inbox. */
export const gateQuestion = (of: RunGate, change: Partial<Gate> = {}): Approval => {
  const { path, kind, prompt, items, preview, schemaJson, defaultsJson, subjectJson } = of;
  const { named, needed, notInitiator, votes } = of;
  return approval(of.id, {
    kind: 'workflow',
    agentId: '',
    agentName: 'Release checklist',
    subject: 'Release checklist',
    title: `asks: ${englishText(prompt)}`,
    preview: { kind: 'text', body: englishText(prompt) },
    argsJson: '{}',
    why: 'The run continues only if this is approved.',
    where: `release.puppy in ${runsFolder}`,
    sandbox: null,
    roomId: null,
    threadRootId: null,
    expiresAt: of.expiresAt ?? now + minute,
    offers: kind === 'approval' ? [{ scope: 'once', rule: 'this step of this run, once' }] : [],
    gate: {
      runId,
      runName: 'Release checklist',
      path,
      kind,
      prompt,
      items,
      preview,
      schemaJson,
      defaultsJson,
      subjectJson,
      named,
      needed,
      notInitiator,
      votes,
      ...change,
    },
  });
};

const answerSchema = {
  type: 'object',
  required: ['decision', 'count'],
  properties: {
    decision: { enum: ['send', 'redraft'], title: 'What now' },
    count: { type: 'integer', description: 'How many people get it.' },
    urgent: { type: 'boolean' },
    labels: { type: 'array', items: { type: 'string' } },
    from: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  },
};

export const inputGate = (): RunGate =>
  gate('gate_input', {
    path: 'review',
    kind: 'input',
    prompt: 'How shall the letter go out?',
    items: [],
    needed: 1,
    named: [],
    votes: [],
    subjectJson: '{"to":"everybody","words":812}',
    schemaJson: JSON.stringify(answerSchema),
    defaultsJson: '{"count":3,"from":{"name":"Ada"}}',
  });

export const uncertainGate = (): RunGate =>
  gate('gate_uncertain', {
    path: 'each[1].deploy',
    kind: 'uncertain',
    items: [],
    needed: 1,
    named: [],
    votes: [],
    prompt: 'Kennel stopped while this step ran. Did it happen?',
    preview: 'deploy beta',
  });
