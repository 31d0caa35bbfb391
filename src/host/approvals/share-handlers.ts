import { fail } from '../../contract/fail.ts';
import type { RoomsView } from '../../contract/model.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { dmRoomId, isChannelId, mainRoom } from '../../contract/room-id.ts';
import type { GrantRow } from '../../core/approvals/approval-ports.ts';
import { shareText, shareTool } from '../../core/policy/audience.ts';
import { shareRuleText, sourcesText } from '../../core/policy/audience-text.ts';
import { roomSource, type ShareRule, type Source } from '../../core/policy/source.ts';
import type { Clock, Random } from '../../core/ports.ts';
import { englishText } from '../../language/host-message.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Addressable } from '../chat/find-room.ts';
import { findRoomId } from '../chat/find-room-id.ts';
import type { Handlers } from '../dispatch.ts';
import type { Approvals } from './approvals.ts';

export interface ShareHandlersDeps {
  readonly approvals: Pick<Approvals, 'parts' | 'note'>;
  readonly agents: Pick<AgentStore, 'get' | 'list'>;
  readonly chat: {
    refreshRooms(): RoomsView;
    readonly people: { all(): Iterable<Addressable['people'][number]> };
  };
  /** The operator; `null` without a session. */
  self(): { readonly slug: string } | null;
  readonly clock: Clock;
  readonly random: Random;
}

type Rooms = Pick<ShareHandlersDeps, 'chat' | 'agents' | 'self'>;

const named: Readonly<Record<string, Source>> = {
  workspace: 'files',
  notes: 'notes',
  tasks: 'tasks',
  workflows: 'workflows',
  settings: 'settings',
};

const notShared = fail('invalid_input', 'approvals.invalidShare', {}, { help: 'approvals.shareableItems' });

const ownRoom = fail('invalid_input', 'approvals.ownRoomNotHeld');

/** `what` is a key of `named`, `chat` for the operator's direct messages with the agent, or a room. */
function toSource(rooms: Rooms, what: string): Result<Source> {
  const source = Object.hasOwn(named, what) ? named[what] : undefined;
  if (source) return ok(source);
  const self = rooms.self();
  if (what === 'chat' && self) return ok(roomSource(dmRoomId(self.slug)));
  if (!/^[#@]/.test(what) && !isChannelId(what)) return err(notShared);
  const room = findRoomId(rooms, what);
  return room.ok ? ok(roomSource(room.value)) : room;
}

function toRule(rooms: Rooms, wanted: string, what: readonly string[]): Result<ShareRule> {
  const room = findRoomId(rooms, wanted);
  if (!room.ok) return room;
  const sources: Source[] = [];
  for (const one of what) {
    const source = toSource(rooms, one);
    if (!source.ok) return source;
    sources.push(source.value);
  }
  // A rule holds for all conversations with a person.
  return ok({ roomId: mainRoom(room.value), sources: [...new Set(sources)] });
}

const covers = (share: ShareRule, rule: ShareRule): boolean =>
  share.roomId === rule.roomId && rule.sources.every((source) => share.sources.includes(source));

/** Standing answers on what an agent may reveal in which room, given before a question arises (T9). */
export const createShareHandlers = (deps: ShareHandlersDeps): Pick<Handlers, 'grants.share'> => ({
  'grants.share': async ({ agent: wanted, room, what }) => {
    const agent = findAgent(deps.agents, wanted);
    if (!agent.ok) return agent;
    const { id } = agent.value;
    const rule = toRule(deps, room, what);
    if (!rule.ok) return rule;
    const { roomId, sources } = rule.value;
    const config = configInForce(agent.value);
    if (roomId === dmRoomId(config.puffo_core.slug)) return err(ownRoom);
    const open = deps.approvals.parts();
    if (!open.ok) return open;
    const { grants } = open.value.centre;
    const known = grants.shareThat(id, (share) => covers(share, rule.value));
    if (known) return ok({ grant: known });
    const { rooms } = deps.chat.refreshRooms();
    const name = (one: string): string =>
      rooms[one]?.kind === 'channel' ? `#${rooms[one].name}` : `@${one.replace(/^dm:/, '')}`;
    const { clock, random } = deps;
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
    const noted = await deps.approvals.note({
      kind: 'grant',
      agentId: id,
      tool: shareTool,
      digest: '',
      outcome: 'pattern',
      detail: englishText(row.grant.rule),
    });
    if (!noted.ok) return noted;
    grants.add(row);
    return ok({ grant: row.grant });
  },
});
