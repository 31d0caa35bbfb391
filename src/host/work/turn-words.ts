import { dmRoomId, dmSlug } from '../../contract/room-id.ts';
import type { Spend } from '../../contract/work.ts';
import type { TurnState, TurnSummary } from '../../contract/work-methods.ts';
import { messageText } from '../../core/agents/message-text.ts';
import type { TurnRecord } from '../../core/agents/turn-records.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import { isLocalEnvelopeId } from '../../core/puffo/ids.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { HostContext } from '../context.ts';
import type { LiveTurn } from './live-work.ts';
import type { TurnStore } from './turn-stores.ts';

const nothing: Spend = { tokens: 0, usd: 0, unpriced: 0, simulated: false };
const askedLength = 160;
const detailLength = 400;

type Place = Pick<TurnSummary, 'roomId' | 'roomName'>;

/**
 * Maps an agent's room to the operator's: its direct messages with the operator are theirs with the agent.
 */
export function placeOf(context: HostContext, agentId: string, roomId: string): Place {
  const { chat, operator, fleet } = context;
  const self = operator.session()?.self.slug;
  const other = dmSlug(roomId);
  if (other !== null) {
    const slug = fleet.post(agentId)?.slug ?? context.agents.get(agentId)?.lastGood?.puffo_core.slug;
    const yours = other === self && slug ? dmRoomId(slug) : null;
    return { roomId: yours, roomName: chat.people.get(other).displayName };
  }
  const room = chat.rooms.state().rooms[roomId];
  const name = room?.name ?? fleet.post(agentId)?.account?.channelName(roomId) ?? roomId;
  return { roomId: room ? roomId : null, roomName: `#${name}` };
}

/** Maps an operator's room to the agent's. */
export function agentRoom(context: HostContext, agent: LoadedAgent, roomId: string): string {
  const self = context.operator.session()?.self.slug;
  const { slug } = configInForce(agent).puffo_core;
  return self && dmSlug(roomId) === slug ? dmRoomId(self) : roomId;
}

function askedOf(store: TurnStore, envelopeIds: readonly string[]): string {
  const message = envelopeIds[0] === undefined ? null : store.message(envelopeIds[0]);
  if (!message) return '';
  const { text, attachments } = messageText(message);
  return cutCodePoints([text, ...attachments].join(' ').replace(/\s+/g, ' ').trim(), askedLength);
}

function liveState({ steps }: LiveTurn): TurnState {
  const open = [...steps.values()].filter(({ endedAt }) => endedAt === null);
  const waits = open.length > 0 && open.every(({ state }) => state === 'waiting');
  return waits ? 'waiting' : 'running';
}

function liveDetail({ steps, trace }: LiveTurn): string {
  const step = [...steps.values()].findLast(({ endedAt }) => endedAt === null);
  const last = trace.at(-1);
  return step?.title ?? (last?.kind === 'retry' ? last.error : '');
}

const rootOf = (rootId: string): string | null => (isLocalEnvelopeId(rootId) ? null : rootId);

export function summaryOf(
  context: HostContext,
  agent: LoadedAgent,
  store: TurnStore,
  record: TurnRecord,
  spend: ReadonlyMap<string, Spend>,
): TurnSummary {
  const { turnId, roomId, rootId, envelopeIds, startedAt, endedAt, status, detail, stepCount } = record;
  const live = context.work.turn(turnId);
  const open = live ? liveState(live) : 'held';
  return {
    id: turnId,
    agentId: agent.id,
    agentName: configInForce(agent).display_name || agent.id,
    state: status === 'open' ? open : status,
    ...placeOf(context, agent.id, roomId),
    rootId: rootOf(rootId),
    startedAt,
    endedAt,
    steps: live ? live.steps.size : stepCount,
    spend: spend.get(turnId) ?? nothing,
    asked: askedOf(store, live?.info.envelopeIds ?? envelopeIds),
    detail: cutCodePoints(live ? liveDetail(live) : detail, detailLength),
    changed: live?.changed ?? 0,
  };
}

/** An open turn in the format of the store. */
const recordOfLive = ({ info, steps }: LiveTurn): TurnRecord => ({
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

/** Summaries of open turns, without those whose agent has just stopped. */
export function liveSummaries(context: HostContext, turns: readonly LiveTurn[]): readonly TurnSummary[] {
  const spend = context.usage.ofTurns(turns.map(({ info }) => info.turnId));
  return turns.flatMap((turn) => {
    const agent = context.agents.get(turn.agentId);
    const store = context.fleet.post(turn.agentId)?.store;
    if (!agent || !store) return [];
    return despiteStore(() => [summaryOf(context, agent, store, recordOfLive(turn), spend)], []);
  });
}
