import { z } from 'zod';
import { dmSlug } from '../../contract/room-id.ts';
import type { Brake as BrakeView } from '../../contract/work.ts';
import { type Brake, type BrakeThread, brakeWords, createBrake } from '../../core/agents/brake.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { AccountStore, StoredMessage } from '../../core/ports.ts';

const recordSchema = z.array(
  z.object({
    roomId: z.string(),
    rootId: z.string(),
    turns: z.number(),
    why: z.string(),
    at: z.number(),
    /** What was not answered, oldest first. */
    heldBack: z.array(z.string()),
    /** Further turns that were granted; with none held back the thread goes on. */
    allowed: z.number(),
  }),
);
type BrakeRecord = z.infer<typeof recordSchema>[number];

const key = 'brakes';
/** Threads remembered per agent; messages kept per thread. */
const mostThreads = 100;
const mostHeldBack = 50;
/** Threads of one room that a pair of agents may fill, each up to the limit, before a person has to say something. */
const pairRounds = 3;
/** Messages looked at to count anew after a start. */
const seedDepth = 200;

export interface AgentBrakesDeps {
  readonly agentId: string;
  readonly store: AccountStore;
  /** True also of the host's own words, and of the agent itself. */
  isAgent(slug: string): boolean;
  limit(): number;
  onChanged(brakes: readonly BrakeView[]): void;
}

/** Where one agent stands still because agents have answered each other for too long (T27). Survives a restart. */
export interface AgentBrakes {
  list(): readonly BrakeView[];
  /** Counts a new message; true when this agent must not answer it. */
  observe(message: StoredMessage): boolean;
  /**
   * Counts a word of the host's own, which asks for a turn that nobody wrote for: an agent keeps itself busy with its runs no
   * longer than others keep it busy. True when it must not answer.
   */
  observeOwn(word: StoredMessage): boolean;
  /** Before the message is stored: a crash in between costs nothing, since it comes again. */
  hold(message: StoredMessage, at: number): void;
  /** The thread came to a stop with this message. */
  stoppedBy(message: StoredMessage): boolean;
  stands(thread: BrakeThread): boolean;
  /** For another round; returns what was held back, or null where nothing stood. */
  goOn(thread: BrakeThread): readonly string[] | null;
  /** Others were let go on there: this agent takes part in the round, and does not stop it at its first message. */
  joinRound(thread: BrakeThread): void;
}

/** A direct message is one thread, whatever roots are in it. */
const whole = ({ roomId, rootId }: BrakeThread): BrakeThread =>
  dmSlug(roomId) === null ? { roomId, rootId } : { roomId, rootId: '' };

export function createAgentBrakes(deps: AgentBrakesDeps): AgentBrakes {
  const { store, agentId } = deps;
  let records = read(store);

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
  const brake: Brake = createBrake({
    isAgent: deps.isAgent,
    limit: deps.limit,
    allowed,
    recent: ({ roomId, rootId }) =>
      rootId === ''
        ? store.history({ roomId, limit: seedDepth }).messages
        : store.thread(rootId, seedDepth).filter((message) => message.roomId === roomId),
  });

  const pairs = createPairs(deps);
  /** As many again from here on, however far it had run over. */
  const allowRound = (thread: BrakeThread): void => {
    const known = find(thread);
    const { run } = brake.standing(thread);
    const more = Math.max(0, run - deps.limit()) + deps.limit();
    const record = known ?? { ...thread, turns: run, why: '', at: 0 };
    keep([...records.filter((one) => one !== known), { ...record, heldBack: [], allowed: more }]);
  };

  return {
    list,
    observe(message) {
      const thread = threadOf(message);
      const run = brake.observe({ ...thread, senderSlug: message.senderSlug });
      const pair = pairs.observe(message);
      const braked = run.braked || pair > deps.limit() * pairRounds + allowed(thread);
      const known = find(thread);
      // A person has written there: what was granted before counts no more.
      if (known && known.heldBack.length === 0 && !deps.isAgent(message.senderSlug))
        keep(records.filter((one) => one !== known));
      return braked;
    },
    observeOwn: (word) => ownTurns(brake, word, threadOf(word)) > deps.limit() + allowed(threadOf(word)) / 2,
    hold(message, at) {
      const thread = threadOf(message);
      const known = find(thread);
      const { run } = brake.standing(thread);
      const record = known ?? { ...thread, turns: run, why: '', at, heldBack: [], allowed: 0 };
      keep([...records.filter((one) => one !== known), holding(record, message.envelopeId, run, at)]);
    },
    stoppedBy: (message) => find(threadOf(message))?.heldBack[0] === message.envelopeId,
    stands: (thread) => (find(thread)?.heldBack.length ?? 0) > 0,
    goOn(given) {
      const thread = whole(given);
      pairs.reset(thread.roomId);
      const known = find(thread);
      if (!known || known.heldBack.length === 0) return null;
      allowRound(thread);
      return known.heldBack;
    },
    joinRound(given) {
      const thread = whole(given);
      pairs.reset(thread.roomId);
      if (brake.standing(thread).run > 0) allowRound(thread);
    },
  };
}

/** Each of them is counted twice: by the word of the host, and by what the agent says then. */
const ownTurns = (brake: Brake, { senderSlug }: StoredMessage, thread: BrakeThread): number =>
  brake.observe({ ...thread, senderSlug }).run / 2;

/** Why and since when are those of the first message that is held back. */
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
  /** How much this agent has heard from the sender in this room since a person last wrote there; 0 for a person. */
  observe(message: Pick<StoredMessage, 'roomId' | 'senderSlug'>): number;
  reset(roomId: string): void;
}

/** Over all threads of a room: whoever begins a new thread for each message is counted too. */
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
    observe({ roomId, senderSlug }) {
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
    reset: (roomId) => void rooms.set(roomId, new Map()),
  };
}

/** A record that cannot be read brakes nothing: the counts are taken anew. */
function read(store: AccountStore): readonly BrakeRecord[] {
  const text = store.getValue(key);
  return text === null ? [] : (jsonAs(recordSchema, text) ?? []);
}

/** Said once in the thread that stands still. */
export const brakeNotice = (why: string): string => `${why}\n\nWrite \`continue\` here to let us go on.`;
