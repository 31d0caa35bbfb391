import { useState } from 'react';
import type { Dot } from '../../contract/model.ts';
import { dmRoomId } from '../../contract/room-id.ts';
import type { SkillState, SkillView } from '../../contract/skill-methods.ts';
import { localize, t } from '../../language/texts.ts';
import { shortLine } from '../format/short-text.ts';
import { visibleLine } from '../format/visible-text.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Empty } from '../parts/empty.tsx';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { act } from '../state/action.ts';
import { go } from '../state/route.ts';
import { keepUnsent, showNotice, writingPlace } from '../state/screen.ts';
import { useAgent, useReplica } from '../state/subscriptions.ts';
import { useLook } from '../state/use-look.ts';
import { InstallSkills, UpdateSkill } from './install-skills.tsx';
import { SkillDialog } from './skill-dialog.tsx';

/** ms; a change of files is noticed by the next look. */
const lookMs = 10_000;

const dots: Readonly<Record<SkillState, Dot>> = {
  on: 'idle',
  off: 'offline',
  waiting: 'needs_you',
  changed: 'needs_you',
  hidden: 'offline',
  broken: 'error',
};

/** Skills of an agent, from every place; with `null` those of all agents. */
export function SkillList({ agent }: { agent: string | null }) {
  const { value, error, reload } = useLook('skills.list', agent === null ? {} : { agent }, lookMs);
  const [installs, setInstalls] = useState(false);
  const name = visibleLine(useAgent(agent ?? '')?.displayName ?? agent ?? '');
  const skills = value?.skills ?? [];
  const button = (
    <button type="button" className="button is-primary" onClick={() => setInstalls(true)}>
      <Icon name="plus" size={14} /> {t('skills.install')}
    </button>
  );
  return (
    <section className="servers stack" aria-label={t('settings.skills')}>
      <ErrorNote error={error} />
      {value === null && error === null && (
        <Skeleton words={t('skills.reading')} shape="rows" count={3} card />
      )}
      {value !== null && skills.length === 0 && (
        <div className="card">
          <Empty title={t('skills.noneTitle')}>
            <p>{t('skills.none')}</p>
            {button}
          </Empty>
        </div>
      )}
      {skills.length > 0 && (
        <>
          <p className="soft">{agent === null ? t('skills.lead') : t('skills.leadAgent', { name })}</p>
          <div className="button-row">{button}</div>
          <ul className="process-list" aria-label={t('skills.listOf')}>
            {skills.map((skill) => (
              <SkillRow
                key={`${skill.place}/${skill.folder}/${skill.name}`}
                agent={agent}
                skill={skill}
                onChanged={() => void reload()}
              />
            ))}
          </ul>
        </>
      )}
      {installs && (
        <InstallSkills
          agent={agent}
          onClose={() => {
            setInstalls(false);
            void reload();
          }}
        />
      )}
    </section>
  );
}

interface RowOf {
  readonly agent: string | null;
  readonly skill: SkillView;
  onChanged(): void;
}

/** Opened from the row of a skill. */
type Opened = 'files' | 'update' | 'remove' | null;

function SkillRow({ agent, skill, onChanged }: RowOf) {
  const [open, setOpen] = useState<Opened>(null);
  const { link } = useReplica();
  const { state, place, description, files, warnings, byAgent } = skill;
  const name = shortLine(skill.name, 80);
  const close = (): void => {
    setOpen(null);
    onChanged();
  };
  const remove = async (): Promise<void> => {
    setOpen(null);
    const owner = agent === null ? {} : { agent };
    if (await act(link, 'skills.remove', { ...owner, name: skill.name }))
      showNotice(t('skills.removed', { name }));
    onChanged();
  };
  return (
    <li className="card process server">
      <header>
        <StateDot state={dots[state]} size={12} label="" />
        <strong>
          <button
            type="button"
            className="link"
            aria-label={t('skills.showOf', { name })}
            onClick={() => setOpen('files')}
          >
            <bdi>{name}</bdi>
          </button>
        </strong>
        <span className={dots[state] === 'needs_you' ? 'server-waits' : 'soft'}>
          {t(`skills.state_${state}`)}
        </span>
        <SkillActions agent={agent} skill={skill} open={setOpen} onChanged={onChanged} />
      </header>
      {description !== '' && (
        <p>
          <bdi>{shortLine(description, 400)}</bdi>
        </p>
      )}
      <p className="fine">
        {[
          t(`skills.place_${place}`),
          ...(byAgent ? [t('skills.byAgent')] : []),
          ...(files.length > 0 ? [t('skills.files', { count: files.length })] : []),
        ].join(' · ')}
      </p>
      {state === 'changed' && <p className="soft">{t('skills.changedMeans')}</p>}
      {warnings.map((warning) => {
        const text = shortLine(localize(warning), 300);
        return (
          <p key={text} className={state === 'broken' ? 'server-reason' : 'fine'}>
            {text}
          </p>
        );
      })}
      {open === 'files' && <SkillDialog agent={agent} skill={skill} onClose={close} />}
      {open === 'update' && <UpdateSkill agent={agent} name={skill.name} onClose={close} />}
      {open === 'remove' && (
        <Confirm
          title={t('skills.removeTitle', { name })}
          verb={t('skills.removeVerb')}
          danger
          onConfirm={() => void remove()}
          onClose={() => setOpen(null)}
        >
          <p>{t('skills.removeText')}</p>
        </Confirm>
      )}
    </li>
  );
}

interface ActionsOf extends RowOf {
  open(what: Opened): void;
}

function SkillActions({ agent, skill, open, onChanged }: ActionsOf) {
  const { link } = useReplica();
  const { state, place, origin } = skill;
  const name = shortLine(skill.name, 80);
  const slug = useAgent(agent ?? '')?.slug ?? null;
  // Skills of the other place are changed on its own page.
  const isInstalled = origin !== null && place === (agent === null ? 'shared' : 'agent');
  const canSwitch = agent !== null && (state === 'on' || state === 'off');
  const turn = async (on: boolean): Promise<void> => {
    if (agent !== null) await act(link, 'skills.switch', { agent, name: skill.name, on });
    onChanged();
  };
  const tryIt = (): void => {
    if (slug === null) return;
    const room = dmRoomId(slug);
    keepUnsent(writingPlace(room, null), t('skills.tryMessage', { name }));
    go({ view: 'chat', room });
  };
  return (
    <span className="process-actions button-row">
      {canSwitch && (
        <input
          type="checkbox"
          role="switch"
          className="switch"
          aria-checked={state === 'on'}
          aria-label={t('skills.switchOf', { name })}
          checked={state === 'on'}
          onChange={({ target }) => void turn(target.checked)}
        />
      )}
      {state === 'waiting' && (
        <button
          type="button"
          className="button is-small is-primary"
          aria-label={t('skills.reviewOf', { name })}
          onClick={() => open('files')}
        >
          {t('skills.review')}
        </button>
      )}
      {state === 'on' && slug !== null && (
        <button
          type="button"
          className="button is-small"
          aria-label={t('skills.tryOf', { name })}
          onClick={tryIt}
        >
          {t('skills.tryIt')}
        </button>
      )}
      <Menu label={t('skills.actionsOf', { name })}>
        <MenuItem onPick={() => open('files')}>{t('skills.show')}</MenuItem>
        {isInstalled && <MenuItem onPick={() => open('update')}>{t('skills.update')}</MenuItem>}
        {isInstalled && (
          <MenuItem danger onPick={() => open('remove')}>
            {t('skills.remove')}
          </MenuItem>
        )}
      </Menu>
    </span>
  );
}
