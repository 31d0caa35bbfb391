import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { dmRoomId, isChannelId } from '../../contract/room-id.ts';
import type { GrantRow } from '../../core/approvals/approval-ports.ts';
import { shareText, shareTool } from '../../core/policy/audience.ts';
import { shareRuleText, sourcesText } from '../../core/policy/audience-words.ts';
import { roomSource, type ShareRule, type Source } from '../../core/policy/source.ts';
import { configInForce } from '../agents/agent-view.ts';
import { findAgent } from '../agents/find-agent.ts';
import { findTarget } from '../chat/find-room.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';

const named: Readonly<Record<string, Source>> = {
  workspace: 'files',
  notes: 'notes',
  tasks: 'tasks',
  workflows: 'workflows',
  settings: 'settings',
};

const notShared = appError('invalid_input', 'That cannot be shared. Nothing was changed.', {
  hint: 'Share workspace, notes, tasks, workflows, settings, chat, or the messages of a room: #channel or @person.',
});

const ownRoom = appError(
  'invalid_input',
  'Only you read there, so nothing is held back. Nothing was changed.',
);

function roomOf(context: HostContext, wanted: string): Result<string> {
  const { chat, agents } = context;
  const view = chat.refreshRooms();
  const target = findTarget(wanted, {
    rooms: Object.values(view.rooms),
    spaceNames: new Map(view.spaces.map((space) => [space.id, space.name])),
    agents: agents.list().map((agent) => {
      const { puffo_core: core, display_name: displayName } = configInForce(agent);
      return { id: agent.id, slug: core.slug || null, displayName };
    }),
    people: [...chat.people.all()],
  });
  return target.ok ? ok(target.value.roomId) : target;
}

/** `what` is a key of `named`, `chat` for the operator's direct messages with the agent, or a room. */
function sourceOf(context: HostContext, what: string): Result<Source> {
  const source = Object.hasOwn(named, what) ? named[what] : undefined;
  if (source) return ok(source);
  const self = context.operator.session()?.self;
  if (what === 'chat' && self) return ok(roomSource(dmRoomId(self.slug)));
  if (!/^[#@]/.test(what) && !isChannelId(what)) return err(notShared);
  const room = roomOf(context, what);
  return room.ok ? ok(roomSource(room.value)) : room;
}

function ruleOf(context: HostContext, wanted: string, what: readonly string[]): Result<ShareRule> {
  const room = roomOf(context, wanted);
  if (!room.ok) return room;
  const sources: Source[] = [];
  for (const one of what) {
    const source = sourceOf(context, one);
    if (!source.ok) return source;
    sources.push(source.value);
  }
  return ok({ roomId: room.value, sources: [...new Set(sources)] });
}

const covers = (share: ShareRule, rule: ShareRule): boolean =>
  share.roomId === rule.roomId && rule.sources.every((source) => share.sources.includes(source));

/** Standing answers on what an agent may reveal in which room, given before a question arises (T9). */
export const createShareHandlers = (context: HostContext): Pick<Handlers, 'grants.share'> => ({
  'grants.share': async ({ agent: wanted, room, what }) => {
    const agent = findAgent(context.agents, wanted);
    if (!agent.ok) return agent;
    const { id } = agent.value;
    const rule = ruleOf(context, room, what);
    if (!rule.ok) return rule;
    const { roomId, sources } = rule.value;
    const config = configInForce(agent.value);
    if (roomId === dmRoomId(config.puffo_core.slug)) return err(ownRoom);
    const open = context.approvals.parts();
    if (!open.ok) return open;
    const { grants } = open.value.centre;
    const known = grants.shareThat(id, (share) => covers(share, rule.value));
    if (known) return ok({ grant: known });
    const { rooms } = context.chat.refreshRooms();
    const name = (one: string): string =>
      rooms[one]?.kind === 'channel' ? `#${rooms[one].name}` : `@${one.replace(/^dm:/, '')}`;
    const { clock, random } = context.ports;
    const row: GrantRow = {
      grant: {
        id: `gr_${random.uuid()}`,
        agentId: id,
        agentName: config.display_name || id,
        tool: shareTool,
        scope: 'pattern',
        rule: shareRuleText(sourcesText(sources, name), name(roomId)),
        createdAt: clock.now(),
        lastUsedAt: null,
        uses: 0,
      },
      digest: null,
      pattern: shareText(rule.value),
      revokedAt: null,
    };
    const noted = await context.approvals.note({
      kind: 'grant',
      agentId: id,
      tool: shareTool,
      digest: '',
      outcome: 'pattern',
      detail: row.grant.rule,
    });
    if (!noted.ok) return noted;
    grants.add(row);
    return ok({ grant: row.grant });
  },
});
