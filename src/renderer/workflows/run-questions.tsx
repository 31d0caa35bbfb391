import type { RunGate } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { AskList } from '../inbox/ask-list.tsx';
import { useAsked, useShown } from '../state/asked.ts';

/** Open gates of this run as in the inbox; answered ones stay as one line. */
export function RunQuestions({ gates }: { gates: readonly RunGate[] }) {
  const ids = new Set(gates.map(({ id }) => id));
  const shown = useShown(useAsked()).filter(({ id }) => ids.has(id));
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="run-asks">
      <h2 id="run-asks" className="visually-hidden">
        {t('workflows.waitsForYou')}
      </h2>
      <AskList shown={shown} compact />
    </section>
  );
}
