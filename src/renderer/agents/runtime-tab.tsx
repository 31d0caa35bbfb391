import { type FormEvent, useState } from 'react';
import type { AgentDetail, AgentSummary } from '../../contract/model.ts';
import { ChoiceField, Field } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { say } from '../state/screen.ts';
import type { Detail } from './agent-page.tsx';
import { providerOptions } from './providers.ts';
import { TriggersCard } from './triggers-card.tsx';

/** How it thinks (runtime) and when it answers (triggers). */
export function RuntimeTab({ agent, detail: { detail, reload } }: { agent: AgentSummary; detail: Detail }) {
  if (detail === null) return <p className="soft">Reading its settings…</p>;
  return (
    <div className="two-columns is-even">
      <ModelCard
        key={`${detail.runtime.provider} ${detail.runtime.model}`}
        agent={agent}
        detail={detail}
        onSaved={reload}
      />
      <TriggersCard agent={agent} triggers={detail.triggers} onSaved={reload} />
    </div>
  );
}

const kindWords = {
  'chat-local': 'Chat: talks straight to a model',
  'sdk-local': 'Agent SDK on this computer',
  'cli-local': 'Command-line agent on this computer',
  'cli-docker': 'Command-line agent in a container',
} as const;

interface CardOf {
  readonly agent: AgentSummary;
  readonly detail: AgentDetail;
  onSaved(): void;
}

function ModelCard({ agent, detail, onSaved }: CardOf) {
  const { runtime } = detail;
  const set = useAction('agents.setRuntime');
  const [form, setForm] = useState({
    provider: runtime.provider,
    model: runtime.model,
    baseUrl: runtime.baseUrl,
    apiKey: '',
  });
  const change = (part: Partial<typeof form>): void => setForm((old) => ({ ...old, ...part }));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const { apiKey, ...rest } = form;
    const result = await set.run({ agent: agent.id, ...rest, ...(apiKey === '' ? {} : { apiKey }) });
    if (!result.ok) return;
    change({ apiKey: '' });
    say(result.value.warning === '' ? 'Saved.' : result.value.warning);
    onSaved();
  };
  return (
    <form className="card stack" aria-labelledby="model-title" onSubmit={(event) => void submit(event)}>
      <h2 id="model-title">Model</h2>
      <p className="soft">
        {kindWords[runtime.kind]}. Now using{' '}
        <strong>
          {agent.scripted ? 'the scripted helper' : agent.model || agent.provider || 'no model'}
        </strong>
        .
      </p>
      <ChoiceField
        label="Provider"
        value={form.provider}
        options={providerOptions(form.provider)}
        onChange={(provider) => change({ provider })}
      />
      <Field
        label="Model"
        spellCheck={false}
        value={form.model}
        placeholder="The provider’s usual one"
        onChange={(event) => change({ model: event.target.value })}
      />
      <Field
        label="Base URL"
        type="url"
        spellCheck={false}
        value={form.baseUrl}
        placeholder="The provider’s own"
        onChange={(event) => change({ baseUrl: event.target.value })}
        hint="Any address that speaks the OpenAI protocol."
      />
      <KeyField value={form.apiKey} isSet={runtime.apiKeySet} onChange={(apiKey) => change({ apiKey })} />
      <ErrorNote error={set.error} />
      <footer className="form-foot">
        <button type="submit" className="button is-primary" disabled={set.busy}>
          {set.busy ? 'Saving…' : 'Save'}
        </button>
      </footer>
    </form>
  );
}

export function KeyField({
  value,
  isSet,
  onChange,
}: {
  value: string;
  isSet: boolean;
  onChange(key: string): void;
}) {
  return (
    <Field
      label="API key"
      type="password"
      autoComplete="off"
      spellCheck={false}
      value={value}
      placeholder={isSet ? 'A key is stored' : 'None stored'}
      onChange={(event) => onChange(event.target.value)}
      hint={
        isSet
          ? 'Write a new key to replace the stored one. A stored key is never shown again.'
          : 'Goes sealed into the store on this computer and is never shown again.'
      }
    />
  );
}
