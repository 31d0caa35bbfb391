import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import type { ToolStep } from '../../contract/work.ts';
import type { TurnInfo } from '../../core/supervisor/worker-ports.ts';
import { englishText } from '../../language/host-message.ts';
import { newPost } from './agent-record.ts';
import { workerEvents } from './turn-events.ts';

const turnOf = (name: string): TurnInfo => ({
  turnId: name,
  roomId: `dm:${name}`,
  rootId: name,
  threadKey: `dm|${name}`,
  envelopeIds: [`msg_${name}`],
  startedAt: 1,
});

const stepOf = (state: ToolStep['state'], title: string): ToolStep => ({
  callId: 'c',
  tool: 't',
  title,
  state,
  detail: '',
  startedAt: 1,
  approvalId: state === 'waiting' ? 'ap_1' : null,
  endedAt: state === 'running' || state === 'waiting' ? null : 2,
});

function rig() {
  const post = newPost('guide');
  const quiet = () => undefined;
  const events = workerEvents({
    post,
    clock: createVirtualClock(),
    touched: quiet,
    onMarks: quiet,
    turns: [{ started: quiet, grew: quiet, reset: quiet, stepped: quiet, ended: quiet }],
  });
  const acts: Record<string, (turn: TurnInfo, words: string) => void> = {
    begins(turn) {
      events.onTurnStarted(turn);
      events.onActivity(turn, `answering @${turn.turnId}`);
    },
    waits: (turn, words) => events.onStep(turn, stepOf('waiting', words)),
    does: (turn, words) => events.onStep(turn, stepOf('running', words)),
    did: (turn, words) => events.onStep(turn, stepOf('done', words)),
    retries: (turn, words) => events.onRetrying(turn, { inMs: 5_000, error: textError('timeout', words) }),
    ends: (turn) => events.onTurnEnded(turn, { status: 'done', replyIds: [] }),
  };
  return {
    post,
    run(script: string) {
      for (const step of script.split(', ')) {
        const [who = '', act = '', ...words] = step.split(' ');
        acts[act]?.(turnOf(who), words.join(' '));
      }
    },
  };
}

const cases: readonly [script: string, activity: string, working: readonly string[]][] = [
  ['ada begins', 'answering @ada', ['ada']],
  ['ada begins, ada waits writing x', 'waiting for you: writing x for @ada', ['ada']],
  ['ada begins, ada waits writing x, bob begins', 'answering @bob', ['ada', 'bob']],
  ['ada begins, ada waits writing x, bob begins, bob does reading y', 'reading y for @bob', ['ada', 'bob']],
  ['ada begins, ada waits writing x, bob begins, bob ends', 'waiting for you: writing x for @ada', ['ada']],
  [
    'ada begins, ada waits writing x, bob begins, bob waits reading y',
    'waiting for you: reading y for @bob',
    ['ada', 'bob'],
  ],
  [
    'ada begins, ada waits writing x, bob begins, bob waits reading y, ada does writing x, ada did wrote x',
    'writing x for @ada',
    ['ada', 'bob'],
  ],
  [
    'ada begins, ada waits writing x, bob begins, bob retries too slow',
    'waiting 5 s to try again: too slow',
    ['ada', 'bob'],
  ],
  ['ada begins, ada waits writing x, bob begins, ada ends, bob ends', '', []],
];

describe('Agent activity with several open turns', () => {
  it.each(cases)('shows one activity after: %s', (script, activity, working) => {
    const r = rig();
    r.run(script);
    expect(englishText(r.post.activity)).toBe(activity);
    expect([...r.post.working]).toEqual(working.map((name) => `msg_${name}`));
  });
});
