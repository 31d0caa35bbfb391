import { useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { AgentSummary, Room } from '../../contract/model.ts';
import { localize, t } from '../../language/texts.ts';
import { byWords } from '../format/order.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { useRooms } from '../state/subscriptions.ts';

/** Returns the channels that the agent is not a member of. */
function useChannels(slug: string | null): { readonly outside: readonly Room[]; readonly any: boolean } {
  const channels = useRooms(
    useShallow((view) => Object.values(view?.rooms ?? {}).filter((room) => room.kind === 'channel')),
  );
  return {
    outside: channels
      .filter((room) => !room.members.some((member) => member.slug === slug))
      .sort((a, b) => byWords(a.name, b.name)),
    any: channels.length > 0,
  };
}

export function InviteAgent({ agent, onClose }: { agent: AgentSummary; onClose(): void }) {
  const { outside, any } = useChannels(agent.slug);
  return (
    <Dialog title={t('agents.inviteTitle', { name: visibleLine(agent.displayName) })} onClose={onClose}>
      <div className="stack">
        <p className="soft">
          {outside.length > 0
            ? t('agents.inviteText')
            : any
              ? t('agents.everywhere')
              : t('agents.noChannels')}
        </p>
        <ul className="rows">
          {outside.map((room) => (
            <Channel key={room.id} agent={agent} room={room} />
          ))}
        </ul>
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            {t('agents.done')}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}

function Channel({ agent, room }: { agent: AgentSummary; room: Room }) {
  const invite = useAction('invites.send');
  const [sent, setSent] = useState<string | null>(null);
  const name = visibleLine(room.name);
  const run = async (): Promise<void> => {
    const result = await invite.run({ channel: room.id, who: agent.id });
    if (result.ok) setSent(localize(result.value.note) || t('agents.invited'));
  };
  return (
    <li className="invite-row">
      <span className="row-name">
        # <bdi>{name}</bdi>
      </span>
      {sent === null ? (
        <button
          type="button"
          className="button is-small"
          disabled={invite.busy}
          aria-label={t('agents.inviteTo', { channel: name })}
          onClick={() => void run()}
        >
          {t('agents.inviteVerb')}
        </button>
      ) : (
        <span className="soft" role="status">
          {sent}
        </span>
      )}
      <ErrorNote error={invite.error} />
    </li>
  );
}
