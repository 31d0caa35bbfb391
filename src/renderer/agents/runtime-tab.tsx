import { type FormEvent, useState } from 'react';
import type { AgentDetail, AgentSummary } from '../../contract/model.ts';
import { FormFoot } from '../parts/form-foot.tsx';
import { useAction } from '../state/action.ts';
import { say } from '../state/screen.ts';
import type { Detail } from './agent-page.tsx';
import { ModelFields, type ModelForm } from './model-fields.tsx';
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
  const [form, setForm] = useState<ModelForm>({
    provider: runtime.provider,
    model: runtime.model,
    baseUrl: runtime.baseUrl,
    apiKey: '',
  });
  const change = (part: Partial<ModelForm>): void => setForm((old) => ({ ...old, ...part }));
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
      <ModelFields form={form} automatic keySet={runtime.apiKeySet} change={change} />
      <FormFoot action={set} />
    </form>
  );
}
