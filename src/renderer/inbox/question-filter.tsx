import { useMemo } from 'react';
import type { Approval } from '../../contract/approvals.ts';
import { localize, t } from '../../language/texts.ts';
import { approvalKinds, approvalKindText } from '../format/consent.ts';
import { byWords } from '../format/order.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ChoiceField, Field } from '../parts/field.tsx';
import { useAgents } from '../state/subscriptions.ts';

export type AnswerFilter = 'all' | 'allowed' | 'denied' | 'expired' | 'cancelled';
const answers: readonly AnswerFilter[] = ['all', 'allowed', 'denied', 'expired', 'cancelled'];

export interface Wanted {
  readonly text: string;
  /** Empty for all agents. */
  readonly agent: string;
  readonly kind: Approval['kind'] | '';
  readonly answer: AnswerFilter;
}

export const wantsAll: Wanted = { text: '', agent: '', kind: '', answer: 'all' };
export const hasQuestionFilter = ({ text, agent, kind, answer }: Wanted): boolean =>
  text.trim() !== '' || agent !== '' || kind !== '' || answer !== 'all';

export function isWanted({ text, agent, kind }: Wanted, approval: Approval): boolean {
  if (agent !== '' && approval.agentId !== agent) return false;
  if (kind !== '' && approval.kind !== kind) return false;
  const { agentName, title, subject, preview, where } = approval;
  const all = [agentName, localize(title), subject, preview.body, localize(where)].join('\n').toLowerCase();
  return all.includes(text.trim().toLowerCase());
}

interface FilterOf {
  readonly wanted: Wanted;
  /** Offers the filter by answer, which waiting approvals do not have. */
  readonly answered: boolean;
  onChange(wanted: Wanted): void;
}

export function QuestionFilter({ wanted, answered, onChange }: FilterOf) {
  const agents = useAgents((all) => all);
  const names = useMemo(
    () =>
      Object.values(agents ?? {})
        .map((one) => [one.id, visibleLine(one.displayName)] as const)
        .sort((a, b) => byWords(a[1], b[1])),
    [agents],
  );
  const change = (part: Partial<Wanted>): void => onChange({ ...wanted, ...part });
  return (
    <search className="filters">
      <Field
        label={t('inbox.find')}
        type="search"
        maxLength={200}
        placeholder={t('inbox.findHint')}
        value={wanted.text}
        onChange={(event) => change({ text: event.target.value })}
      />
      <ChoiceField
        label={t('inbox.agent')}
        value={wanted.agent}
        options={[['', t('inbox.allAgents')], ...names]}
        onChange={(agent) => change({ agent })}
      />
      <ChoiceField
        label={t('inbox.kind')}
        value={wanted.kind}
        options={[
          ['', t('inbox.allKinds')],
          ...approvalKinds.map((kind) => [kind, approvalKindText(kind)] as const),
        ]}
        onChange={(kind: Wanted['kind']) => change({ kind })}
      />
      {answered && (
        <ChoiceField
          label={t('inbox.answer')}
          value={wanted.answer}
          options={answers.map(
            (one) => [one, one === 'all' ? t('inbox.anyAnswer') : t(`inbox.${one}`)] as const,
          )}
          onChange={(answer: AnswerFilter) => change({ answer })}
        />
      )}
    </search>
  );
}
