import { t } from '../../language/texts.ts';
import { Empty } from '../parts/empty.tsx';
import { askNewAgent } from '../state/screen.ts';
import { useAgents } from '../state/subscriptions.ts';
import { askImport } from './moving/import-state.ts';

/**
 * Page without a selected agent: a hint if agents exist, otherwise buttons to create or import the first one.
 */
export function NoAgentChosen() {
  const none = useAgents((agents) => agents !== null && Object.keys(agents).length === 0);
  if (!none)
    return (
      <Empty page title={t('agents.chooseTitle')}>
        {t('agents.chooseText')}
      </Empty>
    );
  return (
    <Empty page title={t('agents.firstTitle')}>
      <p>{t('agents.firstText')}</p>
      <p className="actions is-centred">
        <NewAgentButton />
        <button type="button" className="button" onClick={() => askImport(true)}>
          {t('agents.import')}
        </button>
      </p>
    </Empty>
  );
}

export function NewAgentButton() {
  return (
    <button type="button" className="button is-primary" onClick={() => askNewAgent(true)}>
      {t('agents.create')}
    </button>
  );
}
