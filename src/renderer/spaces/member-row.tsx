import type { Member } from '../../contract/space-methods.ts';
import { t } from '../../language/texts.ts';
import { SpeakerAvatar } from '../agents/agent-avatar.tsx';
import { AgentChip } from '../chat/agent-chip.tsx';
import { roleWords } from '../format/states.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { Name } from '../parts/name.tsx';
import { TrustChip } from '../people/trust-chip.tsx';
import { useSeen } from '../state/presence.ts';
import { go } from '../state/route.ts';
import { useAgentBySlug } from '../state/subscriptions.ts';
import type { MemberChoice } from './member-change.tsx';
import { openSpaceDialog } from './open-dialog.ts';
import { PersonDot } from './person-dot.tsx';

interface RowOf {
  readonly member: Member;
  readonly self: boolean;
  /** The operator may remove members and assign roles. */
  readonly manage: boolean;
  readonly own: boolean;
  onChange(choice: MemberChoice['choice']): void;
}

export function MemberRow({ member, self, manage, own, onChange }: RowOf) {
  const changes = manage && !self && member.role !== 'owner';
  return (
    <li className="person">
      <MemberText member={member} self={self} />
      {member.role !== '' && (
        <span className={`chip${member.role === 'owner' ? ' is-accent' : ''}`}>{roleWords(member.role)}</span>
      )}
      {changes ? (
        <Menu label={t('spaces.change', { name: visibleLine(member.displayName) })}>
          {member.role !== 'admin' && (
            <MenuItem onPick={() => onChange('admin')}>{t('spaces.toAdmin')}</MenuItem>
          )}
          {member.role === 'admin' && (
            <MenuItem onPick={() => onChange('member')}>{t('spaces.toMember')}</MenuItem>
          )}
          {own && !member.agent && (
            <MenuItem onPick={() => onChange('owner')}>{t('spaces.toOwner')}</MenuItem>
          )}
          <MenuItem danger onPick={() => onChange('remove')}>
            {t('spaces.toRemoved')}
          </MenuItem>
        </Menu>
      ) : (
        <span className="menu-gap" />
      )}
    </li>
  );
}

interface TextOf {
  readonly member: Member;
  readonly self: boolean;
  readonly role?: string;
}

/** Avatar, name, handle and presence of a member. */
export function MemberText({ member, self, role = '' }: TextOf) {
  const seen = useSeen(member.agent ? member.slug : null);
  return (
    <>
      <SpeakerAvatar name={member.displayName} slug={member.slug} agent={member.agent} />
      <span className="person-words">
        <MemberName member={member} self={self} />
        <span className="soft">
          <Name>{`@${member.slug}`}</Name>
          {seen === null ? '' : ` · ${seen.words}`}
          {role === '' ? '' : ` · ${role}`}
        </span>
      </span>
    </>
  );
}

/** Name with a state dot; an own agent links to its page. */
function MemberName({ member, self }: { member: Member; self: boolean }) {
  const agent = useAgentBySlug(member.agent ? member.slug : null);
  return (
    <span className="person-name">
      {member.agent && <PersonDot slug={member.slug} />}
      {agent === null ? (
        <strong>
          <Name>{member.displayName}</Name>
        </strong>
      ) : (
        <button
          type="button"
          className="link"
          onClick={() => {
            openSpaceDialog(null);
            go({ view: 'agents', agent: agent.id });
          }}
        >
          <Name>{member.displayName}</Name>
        </button>
      )}
      {self && <span className="soft"> {t('spaces.you')}</span>}
      {member.agent && <AgentChip slug={member.slug} />}
      {!self && <TrustChip slug={member.slug} />}
    </span>
  );
}
