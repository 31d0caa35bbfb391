import { useMemo } from 'react';
import { t } from '../../language/texts.ts';
import { roomLabel } from '../chat/conversations.ts';
import { byWords } from '../format/order.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ChoiceField } from '../parts/field.tsx';
import { useAgents, useRooms } from '../state/subscriptions.ts';
import { stateWords } from './turn-text.ts';
import type { StateChoice, TimeChoice, WantedTurns } from './use-turns.ts';

type Options = readonly (readonly [string, string])[];

const sorted = (options: Options): Options => [...options].sort((a, b) => byWords(a[1], b[1]));

export function useAgentNames(): Options {
  const agents = useAgents((all) => all);
  return useMemo(
    () => sorted(Object.values(agents ?? {}).map((one) => [one.id, visibleLine(one.displayName)] as const)),
    [agents],
  );
}

export function useRoomNames(): Options {
  const rooms = useRooms((all) => all?.rooms);
  return useMemo(
    () => sorted(Object.values(rooms ?? {}).map((one) => [one.id, roomLabel(one)] as const)),
    [rooms],
  );
}

const stateOptions = (): readonly (readonly [StateChoice, string])[] => [
  ['all', t('work.allStates')],
  ['open', t('work.open')],
  ...(['done', 'silent', 'failed', 'stopped'] as const).map((one) => [one, stateWords(one)] as const),
];

const timeOptions = (): readonly (readonly [TimeChoice, string])[] => [
  ['any', t('work.anyTime')],
  ['hour', t('work.lastHour')],
  ['day', t('work.lastDay')],
  ['week', t('work.lastWeek')],
];

interface FilterOf {
  readonly wanted: WantedTurns;
  /** False on the page of one agent. */
  readonly byAgent: boolean;
  onChange(wanted: WantedTurns): void;
}

export function TurnFilter({ wanted, byAgent, onChange }: FilterOf) {
  const agents = useAgentNames();
  const rooms = useRoomNames();
  const change = (part: Partial<WantedTurns>): void => onChange({ ...wanted, ...part });
  return (
    <search className="filters">
      {byAgent && (
        <ChoiceField
          label={t('work.agent')}
          value={wanted.agent}
          options={[['', t('work.allAgents')], ...agents]}
          onChange={(agent) => change({ agent })}
        />
      )}
      <ChoiceField
        label={t('work.room')}
        value={wanted.room}
        options={[['', t('work.allRooms')], ...rooms]}
        onChange={(room) => change({ room })}
      />
      <ChoiceField
        label={t('work.state')}
        value={wanted.state}
        options={stateOptions()}
        onChange={(state: StateChoice) => change({ state })}
      />
      <ChoiceField
        label={t('work.time')}
        value={wanted.time}
        options={timeOptions()}
        onChange={(time: TimeChoice) => change({ time })}
      />
    </search>
  );
}
