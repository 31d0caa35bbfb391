import { useState } from 'react';
import type { MethodInput } from '../../contract/methods.ts';
import type { ScheduleView } from '../../contract/schedule-methods.ts';
import { localize, t } from '../../language/texts.ts';
import { exactTime, untilTime } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { SwitchField } from '../parts/field.tsx';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { Note } from '../parts/notes.tsx';
import { Ago, useNow } from '../parts/time.tsx';
import { act } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useAgents, useReplica } from '../state/subscriptions.ts';
import { startsWords, whenWords } from './schedule-text.ts';

interface RowOf {
  readonly schedule: ScheduleView;
  onEdit(): void;
}

export function ScheduleItem({ schedule, onEdit }: RowOf) {
  const { link } = useReplica();
  const [removing, setRemoving] = useState(false);
  const { id, enabled, when, starts } = schedule;
  const name = visibleLine(schedule.name);
  const agents = useAgents((all) => all);
  const nameOf = (agent: string): string => agents?.[agent]?.displayName ?? agent;
  const runNow = async (input: MethodInput<'schedules.runNow'>): Promise<void> => {
    if (await act(link, 'schedules.runNow', input)) showNotice(t('schedules.ranNow', { name }));
  };
  const remove = async (): Promise<void> => {
    if (await act(link, 'schedules.remove', { id })) showNotice(t('schedules.removed', { name }));
    setRemoving(false);
  };
  return (
    <li className={`schedule${enabled ? '' : ' is-off'}`}>
      <div className="schedule-line">
        <SwitchField
          label={name}
          checked={enabled}
          onChange={(on) => void act(link, 'schedules.set', { id, enabled: on })}
          hint={
            <>
              <bdi>{whenWords(when)}</bdi> · <bdi>{startsWords(starts, nameOf)}</bdi>
            </>
          }
        />
        <Times schedule={schedule} />
        <Menu label={t('schedules.actions', { name })}>
          <MenuItem onPick={() => void runNow({ id })}>{t('schedules.runNow')}</MenuItem>
          <MenuItem onPick={onEdit}>{t('schedules.edit')}</MenuItem>
          <MenuItem danger onPick={() => setRemoving(true)}>
            {t('schedules.remove')}
          </MenuItem>
        </Menu>
      </div>
      {schedule.problem !== '' && (
        <Note tone="warning">
          <p>
            <bdi>{visibleLine(localize(schedule.problem))}</bdi>
          </p>
          {enabled && when.kind === 'file' && (
            <p>
              <button
                type="button"
                className="button is-small"
                aria-label={t('schedules.goOnOf', { name })}
                onClick={() => void act(link, 'schedules.set', { id, enabled: true })}
              >
                {t('schedules.goOn')}
              </button>
            </p>
          )}
        </Note>
      )}
      <Missed schedule={schedule} name={name} onRun={(missed) => void runNow({ id, missed })} />
      {removing && (
        <Confirm
          title={t('schedules.removeTitle', { name })}
          verb={t('schedules.removeVerb')}
          danger
          onConfirm={() => void remove()}
          onClose={() => setRemoving(false)}
        >
          <p>{t('schedules.removeText')}</p>
        </Confirm>
      )}
    </li>
  );
}

function Times({ schedule: { enabled, next, lastRun, when } }: { schedule: ScheduleView }) {
  const now = useNow();
  return (
    <p className="schedule-times fine">
      {!enabled && <span>{t('schedules.off')}</span>}
      {enabled && next !== null && (
        <time dateTime={new Date(next).toISOString()} title={exactTime(next)}>
          {t('schedules.next', { when: untilTime(next, now) })}
        </time>
      )}
      {enabled && next === null && (
        <span>
          {when.kind === 'file' || when.kind === 'resource' ? t('schedules.watches') : t('schedules.over')}
        </span>
      )}
      {lastRun !== null && (
        <span>{t.rich('schedules.last', { time: () => <Ago key="last" at={lastRun} /> })}</span>
      )}
    </p>
  );
}

interface MissedOf {
  readonly schedule: ScheduleView;
  readonly name: string;
  onRun(missed: number): void;
}

/** Starts missed while Kennel was not running: run the latest one, or dismiss all. */
function Missed({ schedule: { id, missed, missedCount }, name, onRun }: MissedOf) {
  const { link } = useReplica();
  const [latest] = missed;
  if (missedCount === 0 || latest === undefined) return null;
  return (
    <div className="schedule-missed">
      <Icon name="warning" size={16} />
      <p>{t('schedules.missed', { n: missedCount, latest: exactTime(latest) })}</p>
      <button
        type="button"
        className="button is-small"
        aria-label={t('schedules.runMissedOf', { name })}
        onClick={() => onRun(latest)}
      >
        {t('schedules.runMissed')}
      </button>
      <button
        type="button"
        className="button is-small is-plain"
        aria-label={t('schedules.putAwayOf', { name })}
        onClick={() => void act(link, 'schedules.putAway', { id })}
      >
        {t('schedules.putAway')}
      </button>
    </div>
  );
}
