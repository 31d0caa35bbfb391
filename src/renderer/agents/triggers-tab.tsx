import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { AgentSummary, ChannelTrigger, Room, Triggers } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { byWords } from '../format/order.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ChoiceField, SwitchField } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useAction } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';
import type { Detail } from './agent-detail.ts';

type ChannelRule = ChannelTrigger | 'usual';

const rules = ['usual', 'all', 'unaddressed', 'mention', 'never'] as const satisfies ChannelRule[];

export function TriggersTab({ agent, detail: { detail, reload } }: { agent: AgentSummary; detail: Detail }) {
  if (detail === null) return <Skeleton words={t('runtime.reading')} shape="form" card />;
  return <TriggersCard agent={agent} triggers={detail.triggers} onSaved={reload} />;
}

interface CardOf {
  readonly agent: AgentSummary;
  readonly triggers: Triggers;
  onSaved(): void;
}

/** Channels that the agent is a member of, and channels that a trigger rule names. */
function useChannels(agent: AgentSummary, triggers: Triggers): readonly Room[] {
  const { rooms } = useReplica();
  return useStore(
    rooms.store,
    useShallow((value) =>
      Object.values(value.state?.rooms ?? {})
        .filter((room) => room.kind === 'channel')
        .filter(
          (room) =>
            Object.hasOwn(triggers.channels, room.id) ||
            room.members.some((member) => member.slug === agent.slug),
        )
        .sort((a, b) => byWords(a.name, b.name)),
    ),
  );
}

/** Events on which the agent answers; each change is saved at once. */
function TriggersCard({ agent, triggers, onSaved }: CardOf) {
  const set = useAction('agents.setRuntime');
  const channels = useChannels(agent, triggers);
  const save = async (change: {
    onMention?: boolean;
    onDm?: boolean;
    holdFirstContact?: boolean;
    channels?: Record<string, ChannelTrigger | null>;
  }) => {
    const result = await set.run({ agent: agent.id, ...change });
    if (result.ok) onSaved();
  };
  const rule = (room: Room, chosen: ChannelRule): void =>
    void save({ channels: { [room.id]: chosen === 'usual' ? null : chosen } });
  return (
    <section className="card stack one-form" aria-labelledby="triggers-title">
      <h2 id="triggers-title">{t('runtime.triggers')}</h2>
      <SwitchField
        label={t('runtime.onMention')}
        checked={triggers.on_mention}
        onChange={(onMention) => void save({ onMention })}
        hint={agent.slug === null ? undefined : t('runtime.withHandle', { slug: visibleLine(agent.slug) })}
      />
      <SwitchField
        label={t('runtime.onDm')}
        checked={triggers.on_dm}
        onChange={(onDm) => void save({ onDm })}
      />
      {triggers.on_dm && (
        <SwitchField
          label={t('runtime.holdFirstContact')}
          hint={t('runtime.holdFirstContactHint')}
          checked={triggers.hold_first_contact}
          onChange={(holdFirstContact) => void save({ holdFirstContact })}
        />
      )}
      {channels.map((room) => (
        <ChoiceField
          key={room.id}
          label={t('runtime.inChannel', { channel: visibleLine(room.name) })}
          value={triggers.channels[room.id] ?? 'usual'}
          options={rules.map((key) => [key, t(`runtime.${key}`)] as const)}
          onChange={(chosen: ChannelRule) => rule(room, chosen)}
        />
      ))}
      {channels.length === 0 && <p className="soft">{t('runtime.noChannels')}</p>}
      <ErrorNote error={set.error} />
      <p className="field-hint">{t('runtime.atOnce')}</p>
    </section>
  );
}
