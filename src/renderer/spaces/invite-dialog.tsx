import { type FormEvent, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { t } from '../../language/texts.ts';
import { byWords } from '../format/order.ts';
import { visibleLine } from '../format/visible-text.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Name } from '../parts/name.tsx';
import { FixButton, Note } from '../parts/notes.tsx';
import { RoleChip } from '../parts/role-chip.tsx';
import { go } from '../state/route.ts';
import { useAgent, useAgents, useHost, useRooms } from '../state/subscriptions.ts';
import type { ShownSpace } from './rights.ts';
import { type Invited, typedSlugs, useSendInvites } from './send-invites.ts';

interface InviteOf {
  readonly space: ShownSpace;
  /** `null` invites to the space itself. */
  readonly roomId: string | null;
  onClose(): void;
}

/** Own agents that are not members yet, in display order. */
function useOwnOutside(spaceId: string, roomId: string | null): readonly string[] {
  const inside = useRooms(
    useShallow((view) =>
      Object.values(view?.rooms ?? {})
        .filter((room) => (roomId === null ? room.spaceId === spaceId : room.id === roomId))
        .flatMap((room) => room.members.map((member) => member.slug)),
    ),
  );
  return useAgents(
    useShallow((agents) =>
      Object.values(agents ?? {})
        .filter((agent) => agent.slug !== null && !inside.includes(agent.slug))
        .sort((a, b) => byWords(a.displayName, b.displayName))
        .map((agent) => agent.id),
    ),
  );
}

export function InviteDialog({ space, roomId, onClose }: InviteOf) {
  const room = useRooms((view) => (roomId === null ? null : (view?.rooms[roomId] ?? null)));
  const own = useOwnOutside(space.id, roomId);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [typed, setTyped] = useState('');
  const demo = useHost((host) => host?.demo ?? false);
  const invites = useSendInvites(roomId === null ? { space: space.id } : { channel: roomId });
  const others = typedSlugs(typed);
  const count = chosen.length + others.length;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (count === 0 || invites.busy) return;
    const results = await invites.send([...chosen, ...others]);
    const failed = results.filter((one) => one.error !== null).map((one) => one.who);
    setChosen(chosen.filter((id) => failed.includes(id)));
    setTyped(others.filter((slug) => failed.includes(slug)).join(' '));
  };
  const toggle = (id: string): void =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const where = visibleLine(room === null ? space.name : `#${room.name}`);
  return (
    <Dialog title={t('spaces.inviteTo', { where })} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <Field
          label={t('spaces.others')}
          hint={t('spaces.othersHint')}
          value={typed}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
        />
        {own.length > 0 && (
          <fieldset className="pick-list">
            <legend>{t('spaces.ownAgents')}</legend>
            {own.map((id) => (
              <OwnAgent key={id} id={id} checked={chosen.includes(id)} onToggle={() => toggle(id)} />
            ))}
          </fieldset>
        )}
        {demo && (
          <Note tone="plain">
            <p>{t('spaces.demoReach')}</p>
            <button type="button" className="link" onClick={() => go({ view: 'settings', section: 'about' })}>
              {t('spaces.demoLeave')}
            </button>
          </Note>
        )}
        <Outcome done={invites.done} />
        <footer className="form-foot">
          <button type="submit" className="button is-primary" disabled={count === 0 || invites.busy}>
            {invites.busy ? t('spaces.inviting') : t('spaces.invite', { count })}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {invites.done.some((one) => one.error === null) ? t('spaces.done') : t('parts.cancel')}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function OwnAgent({ id, checked, onToggle }: { id: string; checked: boolean; onToggle(): void }) {
  const agent = useAgent(id);
  if (agent === null) return null;
  return (
    <label className="pick-row">
      <input type="checkbox" checked={checked} onChange={onToggle} />
      <StateDot state={agent.dot} size={12} />
      <Name>{agent.displayName}</Name>
      <RoleChip agent={agent} />
    </label>
  );
}

function Outcome({ done }: { done: readonly Invited[] }) {
  return (
    <ul className="outcome" aria-live="polite">
      {done.map((one) => (
        <li key={one.who} className={one.error === null ? 'is-good' : 'is-bad'}>
          <Icon name={one.error === null ? 'check' : 'warning'} size={14} />
          <span>
            <strong>
              <Name>{one.who}</Name>
            </strong>{' '}
            {one.words} {one.error !== null && <FixButton error={one.error} />}
          </span>
        </li>
      ))}
    </ul>
  );
}
