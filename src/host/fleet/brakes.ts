import { z } from 'zod';
import { hostTextSchema } from '../../contract/host-text-schema.ts';
import { dmSlug, mainRoom } from '../../contract/room-id.ts';
import type { Brake as BrakeView } from '../../contract/work.ts';
import {
  type AgentBrake,
  type BrakeDeps,
  type BrakeThread,
  brakeWords,
  createBrake,
} from '../../core/agents/brake.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import { englishText, type HostText } from '../../language/host-message.ts';
import { readStoredRecords } from './stored-records.ts';

const recordSchema = z.array(
  z.object({
    roomId: z.string(),
    rootId: z.string(),
    turns: z.number(),
    why: hostTextSchema,
    at: z.number(),
    /** Ids of unanswered messages, oldest first. */
    heldBack: z.array(z.string()),
    /** Additional turns granted; the thread continues while `heldBack` is empty. */
    allowed: z.number(),
  }),
);
type BrakeRecord = z.infer<typeof recordSchema>[number];

const key = 'brakes';
/** Limits: threads per agent, and messages per thread. */
const mostThreads = 100;
const mostHeldBack = 50;
/** Threads of one room that a pair of agents may fill to the limit before a person must write. */
const pairRounds = 3;
/** Messages read to restore the counts after a start. */
const seedDepth = 200;

export interface AgentBrakesDeps {
  readonly agentId: string;
  readonly store: AccountStore;
  /** Also true for the host's own prompts and for the agent itself. */
  isAgent(slug: string): boolean;
  limit(): number;
  onChanged(brakes: readonly BrakeView[]): void;
}

/**
 * The loop brake: threads in which an agent stops answering because agents answered each other too long
 * (T27). Survives a restart.
 */
export interface AgentBrakes {
  list(): readonly BrakeView[];
  /** Counts a new message; returns true if this agent must not answer it. */
  observe(message: StoredMessage): boolean;
  /**
   * Counts a prompt of the host itself, so that an agent's own runs keep it busy no longer than other agents
   * could. Returns true if the agent must not answer.
   */
  observeOwn(word: StoredMessage): boolean;
  /** Call it before the message is stored; after a crash in between the message arrives again. */
  hold(message: StoredMessage, at: number): void;
  stoppedBy(message: StoredMessage): boolean;
  stands(thread: BrakeThread): boolean;
  /** Allows another round; returns the held messages, or `null` if the thread was not stopped. */
  goOn(thread: BrakeThread): readonly string[] | null;
  /**
   * Other agents continue in this thread; this agent joins the round instead of stopping it at its first
   * message.
   */
  joinRound(thread: BrakeThread): void;
}

/** Direct messages with one person count as a single thread, whatever their roots. */
const whole = ({ roomId, rootId }: BrakeThread): BrakeThread =>
  dmSlug(roomId) === null ? { roomId, rootId } : { roomId, rootId: '' };

const brakeDeps = ({ store, isAgent, limit }: AgentBrakesDeps, allowed: BrakeDeps['allowed']): BrakeDeps => ({
  isAgent,
  limit,
  allowed,
  recent: ({ roomId, rootId }) =>
    rootId === ''
      ? store.history({ roomId, limit: seedDepth }).messages
      : store.thread(rootId, seedDepth).filter((message) => message.roomId === roomId),
});

export function createAgentBrakes(deps: AgentBrakesDeps): AgentBrakes {
  const { store, agentId } = deps;
  let records = readStoredRecords(store, key, recordSchema);

  const find = (given: BrakeThread): BrakeRecord | undefined => {
    const { roomId, rootId } = whole(given);
    return records.find((one) => one.roomId === roomId && one.rootId === rootId);
  };
  const allowed = (thread: BrakeThread): number => find(thread)?.allowed ?? 0;
  const keep = (next: readonly BrakeRecord[]): void => {
    records = next.slice(-mostThreads);
    store.setValue(key, JSON.stringify(records));
    deps.onChanged(list());
  };
  const list = (): readonly BrakeView[] => shown(agentId, records);
  const threadOf = (message: StoredMessage): BrakeThread =>
    whole({ roomId: message.roomId, rootId: threadRootOf(message, (id) => store.message(id)) });
  /** Created with the first message: most agents of a large fleet get none after a start. */
  let counts: { readonly brake: AgentBrake; readonly pairs: Pairs } | null = null;
  const counted = () => {
    counts ??= { brake: createBrake(brakeDeps(deps, allowed)), pairs: createPairs(deps) };
    return counts;
  };
  /** Grants a full round from the current count on. */
  const allowRound = (thread: BrakeThread): void => {
    const known = find(thread);
    const { run } = counted().brake.standing(thread);
    const more = Math.max(0, run - deps.limit()) + deps.limit();
    const record = known ?? { ...thread, turns: run, why: '', at: 0 };
    keep([...records.filter((one) => one !== known), { ...record, heldBack: [], allowed: more }]);
  };

  return {
    list,
    observe(message) {
      const thread = threadOf(message);
      const run = counted().brake.observe({ ...thread, senderSlug: message.senderSlug });
      const pair = counted().pairs.observe(message);
      const braked = run.braked || pair > deps.limit() * pairRounds + allowed(thread);
      const known = find(thread);
      // A person wrote in the thread: earlier grants expire.
      if (known && known.heldBack.length === 0 && !deps.isAgent(message.senderSlug))
        keep(records.filter((one) => one !== known));
      return braked;
    },
    observeOwn: (word) =>
      ownTurns(counted().brake, word, threadOf(word)) > deps.limit() + allowed(threadOf(word)) / 2,
    hold(message, at) {
      const thread = threadOf(message);
      const known = find(thread);
      const { run } = counted().brake.standing(thread);
      const record = known ?? { ...thread, turns: run, why: '', at, heldBack: [], allowed: 0 };
      keep([...records.filter((one) => one !== known), holding(record, message.envelopeId, run, at)]);
    },
    stoppedBy: (message) => find(threadOf(message))?.heldBack[0] === message.envelopeId,
    stands: (thread) => (find(thread)?.heldBack.length ?? 0) > 0,
    goOn(given) {
      const thread = whole(given);
      counted().pairs.reset(thread.roomId);
      const known = find(thread);
      if (!known || known.heldBack.length === 0) return null;
      allowRound(thread);
      return known.heldBack;
    },
    joinRound(given) {
      const thread = whole(given);
      counted().pairs.reset(thread.roomId);
      if (counted().brake.standing(thread).run > 0) allowRound(thread);
    },
  };
}

/** Each turn counts twice: as the host's prompt and as the agent's message. */
const ownTurns = (brake: AgentBrake, { senderSlug }: StoredMessage, thread: BrakeThread): number =>
  brake.observe({ ...thread, senderSlug }).run / 2;

/** Reason and time come from the first held message. */
function holding(record: BrakeRecord, id: string, turns: number, at: number): BrakeRecord {
  const before = record.heldBack.filter((one) => one !== id);
  const since = before.length === 0 ? { why: brakeWords({ run: turns }), at } : {};
  return { ...record, turns, heldBack: [...before, id].slice(-mostHeldBack), ...since };
}

const shown = (agentId: string, records: readonly BrakeRecord[]): readonly BrakeView[] =>
  records
    .filter(({ heldBack }) => heldBack.length > 0)
    .map(({ roomId, rootId, turns, why, at }) => ({ agentId, roomId, rootId, turns, why, at }));

interface Pairs {
  /**
   * Messages that this agent got from the sender in this room since a person last wrote there; 0 for a
   * person.
   */
  observe(message: Pick<StoredMessage, 'roomId' | 'senderSlug'>): number;
  reset(roomId: string): void;
}

/** Counts across all threads and conversations of a room, so that new ones do not evade the limit. */
function createPairs({ store, isAgent }: Pick<AgentBrakesDeps, 'store' | 'isAgent'>): Pairs {
  const rooms = new Map<string, Map<string, number>>();
  const seed = (roomId: string): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const { senderSlug } of store.history({ roomId, limit: seedDepth }).messages) {
      if (isAgent(senderSlug)) counts.set(senderSlug, (counts.get(senderSlug) ?? 0) + 1);
      else counts.clear();
    }
    return counts;
  };
  return {
    observe({ roomId: anyRoom, senderSlug }) {
      const roomId = mainRoom(anyRoom);
      if (!isAgent(senderSlug)) {
        rooms.set(roomId, new Map());
        return 0;
      }
      const counts = rooms.get(roomId) ?? seed(roomId);
      rooms.set(roomId, counts);
      const count = (counts.get(senderSlug) ?? 0) + 1;
      counts.set(senderSlug, count);
      return count;
    },
    reset: (roomId) => void rooms.set(mainRoom(roomId), new Map()),
  };
}

/** Sent once in the stopped thread. */
export const brakeNotice = (why: HostText): string =>
  `${englishText(why)}\n\nWrite \`continue\` here to let us continue.`;
