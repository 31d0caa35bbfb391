/** Sample turns and log lines of the host. */

import type { MethodOutput } from '../../src/contract/methods.ts';
import type { LogLine, RawEvent, TurnPart, TurnSummary } from '../../src/contract/work-methods.ts';
import { say } from '../../src/language/say.ts';
import { now } from './fake-data.ts';

export const turn = (id: string, more: Partial<TurnSummary> = {}): TurnSummary => ({
  id,
  agentId: 'guide',
  agentName: 'Guide',
  state: 'done',
  roomId: 'ch_general',
  roomName: '#general',
  rootId: 'msg_1',
  startedAt: now - 600_000,
  endedAt: now - 596_000,
  waits: [],
  steps: 2,
  detail: '',
  changed: 0,
  spend: { tokens: 1_840, usd: 0.0123, unpriced: 0, simulated: false },
  asked: 'Tidy the notes, please',
  ...more,
});

const part = (
  id: string,
  kind: TurnPart['kind'],
  at: number,
  ms: number | null,
  more: Partial<TurnPart> = {},
): TurnPart => ({
  id,
  kind,
  title: '',
  state: 'done',
  firstAt: null,
  input: '',
  output: '',
  cut: false,
  model: null,
  startedAt: now - 600_000 + at,
  endedAt: ms === null ? null : now - 600_000 + at + ms,
  approvalId: null,
  ...more,
});

const model = (input: number, output: number, stop = 'stop'): TurnPart['model'] => ({
  provider: 'anthropic',
  model: 'claude-sonnet-4',
  input,
  output,
  cacheRead: 900,
  usd: 0.0061,
  stop,
});

/** Two requests, a pause, a call that waited for an hour, one that failed. */
export const parts = (): TurnPart[] => [
  part('u1', 'asked', 0, 0, { input: '- channel: #general\n- message: Tidy the notes, please' }),
  part('m2', 'model', 20, 1_400, { firstAt: now - 600_000 + 700, model: model(1_200, 80, 'toolUse') }),
  part('c:1', 'tool', 1_440, 90, {
    title: 'read notes.md',
    input: '{"tool": "read_file", "path": "notes.md"}',
    output: '# Notes',
  }),
  part('c:2', 'tool', 1_540, 3_600_500, {
    title: 'wrote notes.md, 12 lines',
    input: '{"tool": "write_file"}',
    output: 'x'.repeat(4_000),
    cut: true,
  }),
  part('a:ap_1', 'wait', 1_560, 3_600_000, { title: 'wants to write notes.md', approvalId: 'ap_1' }),
  part('t0', 'model', 3_602_100, 300, { state: 'failed', output: 'overloaded', model: model(0, 0, 'error') }),
  part('r1', 'retry', 3_602_400, 2_000, { output: 'overloaded' }),
  part('c:3', 'tool', 3_604_500, 40, {
    title: 'did not run ls',
    state: 'denied',
    input: '{}',
    output: 'Not today.',
  }),
  part('m9', 'model', 3_604_600, 900, { firstAt: now - 600_000 + 3_604_900, model: model(1_500, 40) }),
];

export const turns = (): TurnSummary[] => [
  turn('turn_running', {
    state: 'running',
    startedAt: now - 9_000,
    endedAt: null,
    steps: 1,
    asked: 'What is new in the wiki?',
    agentId: 'porter',
    agentName: 'Porter',
    detail: 'reading wiki/index.md',
    changed: 3,
    spend: { tokens: 310, usd: null, unpriced: 310, simulated: false },
  }),
  turn('turn_done', {
    endedAt: now - 600_000 + 3_605_500,
    waits: [{ from: now - 598_440, to: now - 598_440 + 3_600_000 }],
  }),
  turn('turn_failed', {
    state: 'failed',
    startedAt: now - 4_000_000,
    endedAt: now - 3_999_000,
    steps: 0,
    asked: 'Hello?',
    detail: 'There is no key for anthropic.',
    spend: { tokens: 0, usd: 0, unpriced: 0, simulated: false },
  }),
  turn('turn_dm', {
    state: 'stopped',
    startedAt: now - 90_000_000,
    endedAt: now - 89_990_000,
    roomId: null,
    roomName: 'Ada',
    detail: say('turns.stoppedByYou'),
    asked: 'Count to a million',
    spend: { tokens: 900, usd: 0.001, unpriced: 0, simulated: true },
  }),
];

export const turnView = (id: string): MethodOutput<'work.turn'> => ({
  turn: turns().find((one) => one.id === id) ?? turn(id),
  parts: parts(),
  omitted: 0,
  answer: 'Done: **12 lines** in notes.md.',
});

export const rawEvents = (): RawEvent[] => [
  {
    seq: 4,
    at: now,
    kind: 'user',
    json: '{"role":"user","content":[{"type":"text","text":"Tidy the notes"}]}',
  },
  { seq: 5, at: now, kind: 'assistant', json: '{"role":"assistant","content":[]}' },
];

const levels = ['info', 'info', 'debug', 'info', 'warn', 'info', 'error'] as const;
const events = [
  'host_ready',
  'turn_started',
  'sync',
  'message_sent',
  'model_retry',
  'turn_done',
  'store_fault',
];

const place = (n: number): number => ((n % 7) + 7) % 7;

export const logLine = (n: number, more: Partial<LogLine> = {}): LogLine => ({
  id: `7:${n}`,
  at: now - 1_000_000 + n * 137,
  level: levels[place(n)] ?? 'info',
  event: events[place(n)] ?? '',
  agent: n % 3 === 0 ? 'guide' : '',
  rest: `"number":${n},"turnId":"turn_${n % 11}"`,
  ...more,
});

export const logLines = (from: number, count: number): LogLine[] =>
  Array.from({ length: count }, (_, n) => logLine(from + n));
