import { dmRoomAcross, dmSlug } from '../../contract/room-id.ts';
import type { Spend } from '../../contract/work.ts';
import type { TurnState, TurnSummary } from '../../contract/work-methods.ts';
import { messageText } from '../../core/agents/message-text.ts';
import type { TurnRecord } from '../../core/agents/turn-records.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import { isLocalEnvelopeId } from '../../core/puffo/ids.ts';
import type { HostText } from '../../language/host-message.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { configInForce, nameOfAgent } from '../agents/agent-view.ts';
import type { RoomNames } from '../chat/room-name.ts';
import type { WatchedTurn } from './live-work.ts';
import type { TurnStore } from './turn-stores.ts';

const nothing: Spend = { tokens: 0, usd: 0, unpriced: 0, simulated: false };
const askedLength = 160;
const detailLength = 400;

/** Records of other features about turns. */
export interface RecordedTurns {
  spend(turnIds: readonly string[]): ReadonlyMap<string, Spend>;
  waits(agentId: string, turnId: string): TurnSummary['waits'];
}

export interface TurnViewsDeps {
  readonly agents: Pick<AgentStore, 'get'>;
  readonly chat: RoomNames;
  readonly facts: RecordedTurns;
  /** The agent if it runs. */
  post(agentId: string): {
    readonly slug: string;
    readonly account: { channelName(roomId: string): string } | null;
    readonly store: AccountStore | null;
  } | null;
  /** The turn if it is open. */
  liveTurn(turnId: string): WatchedTurn | null;
  /** The operator, or `null` without one. */
  self(): { readonly slug: string } | null;
}

export interface TurnViews {
  summary(agent: LoadedAgent, store: TurnStore, record: TurnRecord): TurnSummary;
  summaries(agent: LoadedAgent, store: TurnStore, records: readonly TurnRecord[]): readonly TurnSummary[];
  /** Summaries of open turns, without those whose agent has just stopped. */
  live(turns: readonly WatchedTurn[]): readonly TurnSummary[];
  /** Maps an operator's room to the agent's. */
  agentRoom(agent: LoadedAgent, roomId: string): string;
}

export const createTurnViews = (deps: TurnViewsDeps): TurnViews => ({
  summary: (agent, store, record) =>
    summaryOf(deps, { agent, store, record, spend: deps.facts.spend([record.turnId]) }),
  summaries(agent, store, records) {
    const spend = deps.facts.spend(records.map(({ turnId }) => turnId));
    return records.map((record) => summaryOf(deps, { agent, store, record, spend }));
  },
  live(turns) {
    const spend = deps.facts.spend(turns.map(({ info }) => info.turnId));
    return turns.flatMap((turn) => {
      const agent = deps.agents.get(turn.agentId);
      const store = deps.post(turn.agentId)?.store;
      if (!agent || !store) return [];
      return despiteStore(() => [summaryOf(deps, { agent, store, record: recordOfLive(turn), spend })], []);
    });
  },
  agentRoom(agent, roomId) {
    const self = deps.self()?.slug;
    const { slug } = configInForce(agent).puffo_core;
    return self && dmSlug(roomId) === slug ? dmRoomAcross(roomId, self) : roomId;
  },
});

/**
 * Maps an agent's room to the operator's: its direct messages with the operator are theirs with the agent.
 */
function placeOf(
  { agents, chat, post, self }: TurnViewsDeps,
  agentId: string,
  roomId: string,
): Pick<TurnSummary, 'roomId' | 'roomName'> {
  const other = dmSlug(roomId);
  if (other !== null) {
    // An agent that has not opened yet has an empty slug.
    const slug = post(agentId)?.slug || agents.get(agentId)?.lastGood?.puffo_core.slug;
    const yours = other === self()?.slug && slug ? dmRoomAcross(roomId, slug) : null;
    return { roomId: yours, roomName: chat.people.get(other).displayName };
  }
  const room = chat.rooms.state().rooms[roomId];
  const name = room?.name ?? post(agentId)?.account?.channelName(roomId) ?? roomId;
  return { roomId: room ? roomId : null, roomName: `#${name}` };
}

function askedOf(store: TurnStore, envelopeIds: readonly string[]): string {
  const message = envelopeIds[0] === undefined ? null : store.message(envelopeIds[0]);
  if (!message) return '';
  const { text, attachments } = messageText(message);
  return cutCodePoints([text, ...attachments].join(' ').replace(/\s+/g, ' ').trim(), askedLength);
}

function liveState({ steps }: WatchedTurn): TurnState {
  const open = [...steps.values()].filter(({ endedAt }) => endedAt === null);
  const waits = open.length > 0 && open.every(({ state }) => state === 'waiting');
  return waits ? 'waiting' : 'running';
}

function liveDetail({ steps, trace }: WatchedTurn): HostText {
  const step = [...steps.values()].findLast(({ endedAt }) => endedAt === null);
  const last = trace.at(-1);
  return step?.title ?? (last?.kind === 'retry' ? last.error : '');
}

const rootOf = (rootId: string): string | null => (isLocalEnvelopeId(rootId) ? null : rootId);

const cutText = (text: HostText): HostText =>
  typeof text === 'string' ? cutCodePoints(text, detailLength) : text;

interface ShownTurn {
  readonly agent: LoadedAgent;
  readonly store: TurnStore;
  readonly record: TurnRecord;
  readonly spend: ReadonlyMap<string, Spend>;
}

function summaryOf(deps: TurnViewsDeps, { agent, store, record, spend }: ShownTurn): TurnSummary {
  const { turnId, roomId, rootId, envelopeIds, startedAt, endedAt, status, detail, stepCount } = record;
  const live = deps.liveTurn(turnId);
  const open = live ? liveState(live) : 'held';
  return {
    id: turnId,
    agentId: agent.id,
    agentName: nameOfAgent(agent),
    state: status === 'open' ? open : status,
    ...placeOf(deps, agent.id, roomId),
    rootId: rootOf(rootId),
    startedAt,
    endedAt,
    waits: deps.facts.waits(agent.id, turnId),
    steps: live ? live.steps.size : stepCount,
    spend: spend.get(turnId) ?? nothing,
    asked: askedOf(store, live?.info.envelopeIds ?? envelopeIds),
    detail: cutText(live ? liveDetail(live) : detail),
    changed: live?.changed ?? 0,
  };
}

/** An open turn in the format of the store. */
const recordOfLive = ({ info, steps }: WatchedTurn): TurnRecord => ({
  turnId: info.turnId,
  threadKey: info.threadKey,
  roomId: info.roomId,
  rootId: info.rootId,
  envelopeIds: info.envelopeIds,
  startedAt: info.startedAt,
  endedAt: null,
  status: 'open',
  detail: '',
  stepCount: steps.size,
  replyIds: [],
});
