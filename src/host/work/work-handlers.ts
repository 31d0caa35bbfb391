import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { RawEvent, TurnSummary } from '../../contract/work-methods.ts';
import { messageText } from '../../core/agents/message-text.ts';
import type { TurnRecord } from '../../core/agents/turn-records.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';
import { lastWords, shownParts, type TurnSources, timelineOf } from './timeline.ts';
import { TurnPages } from './turn-pages.ts';
import { noSuchTurn, type TurnStore, withTurns } from './turn-stores.ts';
import { summaryOf } from './turn-words.ts';

type WorkRows = Pick<Handlers, 'work.turns' | 'work.turn' | 'work.part' | 'work.raw' | 'logs.read'>;

/** Characters of one part when requested in full, and of a page of raw events. */
const wholeLimit = 2_000_000;
const rawPage = 1_000_000;

interface TurnRef {
  readonly turn: string;
  readonly agent?: string | undefined;
}

interface Found {
  readonly agent: LoadedAgent;
  readonly record: TurnRecord;
  readonly store: TurnStore;
}

export function createWorkRows(context: HostContext): WorkRows {
  const pages = new TurnPages(context);
  const look = <T>(ref: TurnRef, read: (found: Found) => T): Promise<Result<T>> => find(context, ref, read);
  return {
    'work.turns': (input) => pages.read(input),
    'work.turn': (ref) =>
      look(ref, (found) => {
        const { turn, sources } = tellAll(context, found);
        return { turn, ...shownParts(timelineOf(sources)), answer: answerOf(found, sources) };
      }),
    'work.part': async ({ part, ...ref }) => {
      const found = await look(ref, (one) => {
        const { sources } = tellAll(context, one);
        return timelineOf(sources).find(({ id }) => id === part) ?? null;
      });
      if (!found.ok) return found;
      if (!found.value) return err(appError('not_found', 'This turn has no such part any more.'));
      const { input, output } = found.value;
      return ok({ input: input.slice(0, wholeLimit), output: output.slice(0, wholeLimit) });
    },
    'work.raw': ({ after, ...ref }) => look(ref, (found) => rawAfter(found, after)),
    'logs.read': (input) => context.logs.read(input),
  };
}

async function find<T>(context: HostContext, ref: TurnRef, read: (found: Found) => T): Promise<Result<T>> {
  const { agents } = context;
  const named = ref.agent === undefined ? null : findAgent(agents, ref.agent);
  if (named && !named.ok) return named;
  context.chat.refreshRooms();
  const matches: Result<T>[] = [];
  for (const agent of named ? [named.value] : agents.list()) {
    const looked = await withTurns(context, agent, (store) => {
      const records = store.turns.startingWith(ref.turn);
      const exact = records.find(({ turnId }) => turnId === ref.turn);
      for (const record of exact ? [exact] : records) matches.push(ok(read({ agent, record, store })));
    });
    if (!looked.ok && named) return looked;
  }
  const [first] = matches;
  if (first && matches.length === 1) return first;
  if (!first) return err(noSuchTurn(ref.turn));
  return err(
    appError('conflict', `Several turns begin with "${ref.turn}".`, { hint: 'Type more of the id.' }),
  );
}

function tellAll(
  context: HostContext,
  { agent, record, store }: Found,
): {
  readonly turn: TurnSummary;
  readonly sources: TurnSources;
} {
  const { turnId } = record;
  const live = context.work.turn(turnId);
  const kept = store.turns.contents(turnId);
  const spend = context.usage.ofTurns([turnId]);
  return {
    turn: summaryOf(context, agent, store, record, spend),
    sources: {
      ...kept,
      ...(live ? { steps: [...live.steps.values()], trace: live.trace } : {}),
      approvals: approvalsOf(context, agent.id, turnId),
      open: live !== null,
    },
  };
}

function approvalsOf(context: HostContext, agentId: string, turnId: string): TurnSources['approvals'] {
  if (!context.approvals.begun()) return [];
  const parts = context.approvals.parts();
  if (!parts.ok) return [];
  return despiteStore(() => parts.value.store.ofTurn(agentId, turnId), []).map(({ approval }) => approval);
}

function answerOf({ record, store }: Found, sources: TurnSources): string {
  const said = record.replyIds.flatMap((id) => {
    const message = store.message(id);
    return message ? [messageText(message).text] : [];
  });
  return (said.length > 0 ? said.join('\n\n') : lastWords(sources)).slice(0, wholeLimit);
}

function rawAfter({ record, store }: Found, after: number): { events: RawEvent[]; next: number | null } {
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
