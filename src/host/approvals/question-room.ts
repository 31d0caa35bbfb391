import { readConversation } from '../../core/agents/thread-key.ts';
import type { ApprovalRow } from '../../core/approvals/approval-ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { OutboxDraft } from '../../core/puffo/stored-message.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { Account, ChannelView } from '../../services/puffo/account-types.ts';
import type { AgentOperator, OperatorTrust } from './operator-trust.ts';

// Chooses the room in which a question is asked, and the agent that asks it.

/** A running agent, as far as it sends questions; its store and account are `null` while it is offline. */
export interface QuestionSender {
  readonly slug: string;
  readonly store: Pick<AccountStore, 'outbox' | 'enqueue'> | null;
  readonly account: Pick<Account, 'kickOutbox'> | null;
}

export interface ConsentPlacesDeps {
  readonly agents: Pick<AgentStore, 'get' | 'list'>;
  sender(agentId: string): QuestionSender | null;
  /** The operator's channels; empty without a session. */
  channels(): readonly ChannelView[];
  readonly trust: Pick<OperatorTrust, 'operatorOf'>;
}

export interface ConsentPlaces {
  /** `null` if no agent can ask it. */
  speakerOf(row: ApprovalRow): string | null;
  place(row: ApprovalRow, agentId: string, operator: AgentOperator): Partial<OutboxDraft>;
  othersOf(row: ApprovalRow, operator: AgentOperator): readonly string[];
  /** Slugs to mention in the question: the people whose answer it waits for. */
  calledIn(where: Partial<OutboxDraft>, row: ApprovalRow, operator: AgentOperator): readonly string[];
}

const noChannel = { kind: 'dm', spaceId: null, channelId: null } as const;

/** The conversation with the operator in which the call was made, if it was made there. */
function conversationOf({ call }: ApprovalRow, { slug }: AgentOperator): string | null {
  const asked = call === null ? null : readConversation(call.threadKey);
  return asked?.kind === 'dm' && asked.slug === slug ? asked.conversationId : null;
}

export function createConsentPlaces({ agents, sender, channels, trust }: ConsentPlacesDeps): ConsentPlaces {
  const agentSlugs = (): readonly string[] =>
    agents.list().map(({ lastGood }) => lastGood?.puffo_core.slug ?? '');
  /** A slug is unique only on its server; elsewhere it may belong to a stranger (T8). */
  const besides = (agentId: string): readonly string[] => {
    const server = agents.get(agentId)?.lastGood?.puffo_core.server_url;
    const cores = agents.list().flatMap(({ lastGood }) => lastGood?.puffo_core ?? []);
    return cores.flatMap(({ slug, server_url: url }) => (url === server ? [slug] : []));
  };
  /** A question shows the planned action: only the operator, their agents and the approvers may read it. */
  const amongOurselves = (
    { members, encrypted }: Pick<ChannelView, 'members' | 'encrypted'>,
    { slug: self }: AgentOperator,
    others: readonly string[],
    agentId: string,
  ): boolean => {
    const ours = new Set([self, ...others, ...besides(agentId)]);
    return encrypted && members.length > 0 && members.every(({ slug }) => ours.has(slug));
  };
  const othersOf: ConsentPlaces['othersOf'] = ({ approval }, { slug }) =>
    (approval.gate?.named ?? []).filter((named) => named !== slug);
  const calledIn: ConsentPlaces['calledIn'] = ({ kind }, row, operator) => {
    if (kind !== 'channel' || othersOf(row, operator).length === 0) return [operator.slug];
    // A mentioned agent would start to work, and its answer would not count.
    const slugs = new Set(agentSlugs());
    return (row.approval.gate?.named ?? []).filter((slug) => !slugs.has(slug));
  };
  const place = (row: ApprovalRow, agentId: string, operator: AgentOperator): Partial<OutboxDraft> => {
    const { approval, call } = row;
    const known = channels();
    const others = othersOf(row, operator);
    const agent = sender(agentId)?.slug ?? '';
    const fits = (channel: ChannelView): boolean =>
      amongOurselves(channel, operator, others, agentId) &&
      others.every((slug) => channel.members.some((member) => member.slug === slug));
    const origin = call && known.find(({ id }) => id === approval.roomId);
    const holdsAgent = ({ members }: ChannelView): boolean => members.some(({ slug }) => slug === agent);
    // The approvers must see it: in the room of the request if that fits, else in the smallest room.
    const shared = others.length === 0 ? [] : known.filter((each) => holdsAgent(each) && fits(each));
    const [fewest] = shared.sort((a, b) => a.members.length - b.members.length);
    const channel = origin && fits(origin) ? origin : fewest;
    return channel
      ? { kind: 'channel', spaceId: channel.spaceId, channelId: channel.id, recipientSlug: null }
      : { ...noChannel, recipientSlug: operator.slug, conversationId: conversationOf(row, operator) };
  };

  /**
   * The agent that asks: the one concerned. A question of the operator's own run concerns none: it is in the inbox
   * alone, unless it names other approvers, whom an agent of their channel asks.
   */
  const speakerOf = (row: ApprovalRow): string | null => {
    if (row.approval.agentId !== '') return row.approval.agentId;
    const asks = agents.list().find(({ id }) => {
      const agent = sender(id);
      const operator = agent?.store && agent.account ? trust.operatorOf(id) : null;
      if (!operator || othersOf(row, operator).length === 0) return false;
      return place(row, id, operator).kind === 'channel';
    });
    return asks?.id ?? null;
  };

  return { place, othersOf, calledIn, speakerOf };
}
