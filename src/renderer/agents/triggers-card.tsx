import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { AgentSummary, ChannelTrigger, Room, Triggers } from '../../contract/model.ts';
import { ChoiceField, SwitchField } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';
import { visibleLine } from '../words/visible-text.ts';

type ChannelRule = ChannelTrigger | 'usual';

const rules: readonly (readonly [ChannelRule, string])[] = [
  ['usual', 'As set above'],
  ['all', 'Every message'],
  ['mention', 'Only when mentioned'],
  ['never', 'Never'],
];

interface CardOf {
  readonly agent: AgentSummary;
  readonly triggers: Triggers;
  onSaved(): void;
}

/** When it answers. Each change is saved at once. */
export function TriggersCard({ agent, triggers, onSaved }: CardOf) {
  const set = useAction('agents.setRuntime');
  const { rooms } = useReplica();
  const channels = useStore(
    rooms.store,
    useShallow((value) => Object.values(value.state?.rooms ?? {}).filter((room) => room.kind === 'channel')),
  );
  const save = async (change: { onMention?: boolean; onDm?: boolean; channels?: Triggers['channels'] }) => {
    const result = await set.run({ agent: agent.id, ...change });
    if (result.ok) onSaved();
  };
  const rule = (room: Room, chosen: ChannelRule): void => {
    const { [room.id]: _, ...others } = triggers.channels;
    void save({ channels: chosen === 'usual' ? others : { ...others, [room.id]: chosen } });
  };
  return (
    <section className="card stack" aria-labelledby="triggers-title">
      <h2 id="triggers-title">When it answers</h2>
      <SwitchField
        label="When somebody mentions it"
        checked={triggers.on_mention}
        onChange={(onMention) => void save({ onMention })}
        hint={agent.slug === null ? undefined : `with @${visibleLine(agent.slug)}`}
      />
      <SwitchField
        label="In direct messages"
        checked={triggers.on_dm}
        onChange={(onDm) => void save({ onDm })}
      />
      {channels.map((room) => (
        <ChoiceField
          key={room.id}
          label={`In #${visibleLine(room.name)}`}
          value={triggers.channels[room.id] ?? 'usual'}
          options={rules}
          onChange={(chosen) => rule(room, chosen)}
        />
      ))}
      <ErrorNote error={set.error} />
      <p className="field-hint">Changes here are saved at once and count from the next message.</p>
    </section>
  );
}
