import { fail } from '../../contract/fail.ts';
import { err, ok } from '../../contract/result.ts';
import type { RawEvent } from '../../contract/work-methods.ts';
import { messageText } from '../../core/agents/message-text.ts';
import { approvalsOfTurn, type PastApprovals } from '../approvals/past-approvals.ts';
import type { Handlers } from '../dispatch.ts';
import type { FoundTurn, TurnFinder } from './find-turn.ts';
import type { LiveWork } from './live-work.ts';
import type { Logs } from './logs.ts';
import { lastWords, shownParts, type TimelineSources, timelineOf } from './timeline.ts';
import type { TurnPages } from './turn-pages.ts';
import type { TurnViews } from './turn-view.ts';

type TurnHandlers = Pick<Handlers, 'work.turns' | 'work.turn' | 'work.part' | 'work.raw' | 'logs.read'>;

/** Characters of one part when requested in full, and of a page of raw events. */
const wholeLimit = 2_000_000;
const rawPage = 1_000_000;

export interface WorkDeps {
  readonly pages: TurnPages;
  readonly turns: TurnFinder;
  readonly views: TurnViews;
  readonly live: Pick<LiveWork, 'turn'>;
  readonly approvals: PastApprovals;
  readonly logs: Pick<Logs, 'read'>;
}

export function createTurnHandlers(deps: WorkDeps): TurnHandlers {
  const { pages, turns, views, logs } = deps;
  return {
    'work.turns': (input) => pages.read(input),
    'work.turn': (ref) =>
      turns.find(ref, (found) => {
        const { agent, store, record } = found;
        const turn = views.summary(agent, store, record);
        const sources = sourcesOf(deps, found);
        return { turn, ...shownParts(timelineOf(sources)), answer: answerOf(found, sources) };
      }),
    'work.part': async ({ part, ...ref }) => {
      const found = await turns.find(
        ref,
        (one) => timelineOf(sourcesOf(deps, one)).find(({ id }) => id === part) ?? null,
      );
      if (!found.ok) return found;
      if (!found.value) return err(fail('not_found', 'turns.unknownTurnPart'));
      const { input, output } = found.value;
      return ok({ input: input.slice(0, wholeLimit), output: output.slice(0, wholeLimit) });
    },
    'work.raw': ({ after, ...ref }) => turns.find(ref, (found) => rawAfter(found, after)),
    'logs.read': (input) => logs.read(input),
  };
}

function sourcesOf({ approvals, live }: WorkDeps, { agent, record, store }: FoundTurn): TimelineSources {
  const { turnId } = record;
  const open = live.turn(turnId);
  return {
    ...store.turns.contents(turnId),
    ...(open ? { steps: [...open.steps.values()], trace: open.trace } : {}),
    approvals: approvalsOfTurn(approvals, agent.id, turnId),
    open: open !== null,
  };
}

function answerOf({ record, store }: FoundTurn, sources: TimelineSources): string {
  const said = record.replyIds.flatMap((id) => {
    const message = store.message(id);
    return message ? [messageText(message).text] : [];
  });
  return (said.length > 0 ? said.join('\n\n') : lastWords(sources)).slice(0, wholeLimit);
}

function rawAfter({ record, store }: FoundTurn, after: number): { events: RawEvent[]; next: number | null } {
  const { messages } = store.turns.contents(record.turnId);
  const left = messages.filter(({ seq }) => seq > after);
  const events: RawEvent[] = [];
  let size = 0;
  for (const { seq, message } of left) {
    const json = JSON.stringify(message);
    size += json.length;
    if (events.length > 0 && size > rawPage) break;
    events.push({ seq, at: message.timestamp, kind: message.role, json });
  }
  return { events, next: events.length < left.length ? (events.at(-1)?.seq ?? null) : null };
}
