import type { ApprovalRow } from '../../core/approvals/approval-ports.ts';
import type { OutboxDraft } from '../../core/ports.ts';
import type { ChannelView } from '../../services/puffo/account-types.ts';
import type { HostContext } from '../context.ts';
import type { AgentOperator, OperatorTrust } from './operator-trust.ts';

// Where in the chat a question is put, and who says it.

export interface ConsentPlaces {
  /** Null: nobody is there to say it. */
  speakerOf(row: ApprovalRow): string | null;
  place(row: ApprovalRow, agentId: string, operator: AgentOperator): Partial<OutboxDraft>;
  /** Those besides the operator who are to answer. */
  othersOf(row: ApprovalRow, operator: AgentOperator): readonly string[];
  /** Whom the question calls by name where it is put: the people whose answer it waits for. */
  calledIn(where: Partial<OutboxDraft>, row: ApprovalRow, operator: AgentOperator): readonly string[];
}

export function createConsentPlaces(
  context: () => Pick<HostContext, 'agents' | 'fleet' | 'operator'>,
  trust: Pick<OperatorTrust, 'operatorOf'>,
): ConsentPlaces {
  const agentSlugs = (): readonly string[] =>
    context()
      .agents.list()
      .map(({ lastGood }) => lastGood?.puffo_core.slug ?? '');
  /** A slug names somebody only at its server: elsewhere it may belong to a stranger (T8). */
  const besides = (agentId: string): readonly string[] => {
    const { agents } = context();
    const server = agents.get(agentId)?.lastGood?.puffo_core.server_url;
    const cores = agents.list().flatMap(({ lastGood }) => lastGood?.puffo_core ?? []);
    return cores.flatMap(({ slug, server_url: url }) => (url === server ? [slug] : []));
  };
  /** A question shows what is about to be done: only where nobody reads but the operator, their agents and whoever is to answer. */
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
    // An agent that is called begins to work, and its answer would not count.
    const agents = new Set(agentSlugs());
    return (row.approval.gate?.named ?? []).filter((slug) => !agents.has(slug));
  };
  const place = (row: ApprovalRow, agentId: string, operator: AgentOperator): Partial<OutboxDraft> => {
    const { approval, call } = row;
    const { operator: self, fleet } = context();
    const channels = self.session()?.self.account.rooms().channels ?? [];
    const others = othersOf(row, operator);
    const agent = fleet.post(agentId)?.slug ?? '';
    const fits = (channel: ChannelView): boolean =>
      amongOurselves(channel, operator, others, agentId) &&
      others.every((slug) => channel.members.some((member) => member.slug === slug));
    const origin = call && channels.find(({ id }) => id === approval.roomId);
    const holdsAgent = ({ members }: ChannelView): boolean => members.some(({ slug }) => slug === agent);
    // Those who are named have to see it: where it was asked for, else among as few as possible.
    const shared = others.length === 0 ? [] : channels.filter((each) => holdsAgent(each) && fits(each));
    const [fewest] = shared.sort((a, b) => a.members.length - b.members.length);
    const channel = origin && fits(origin) ? origin : fewest;
    return channel
      ? { kind: 'channel', spaceId: channel.spaceId, channelId: channel.id, recipientSlug: null }
      : { kind: 'dm', spaceId: null, channelId: null, recipientSlug: operator.slug };
  };

  /** Who puts it into the chat: the agent that it is about, else any that is there, and best one that those who are named see. */
  const speakerOf = (row: ApprovalRow): string | null => {
    if (row.approval.agentId !== '') return row.approval.agentId;
    const { agents, fleet } = context();
    const there = agents.list().flatMap(({ id }) => {
      const agent = fleet.post(id);
      const operator = agent?.store && agent.account ? trust.operatorOf(id) : null;
      return operator ? [{ id, operator }] : [];
    });
    const seen =
      (row.approval.gate?.named ?? []).length === 0
        ? undefined
        : there.find(({ id, operator }) => place(row, id, operator).kind === 'channel');
    return (seen ?? there[0])?.id ?? null;
  };

  return { place, othersOf, calledIn, speakerOf };
}
