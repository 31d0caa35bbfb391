import { type FormEvent, useState } from 'react';
import { shownUses } from '../../contract/shown-limits.ts';
import type { Budget, UsageView } from '../../contract/work.ts';
import { usdWords } from '../../language/money.ts';
import { locale, t } from '../../language/texts.ts';
import { Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { ShareBar } from '../parts/share-bar.tsx';
import { useAction } from '../state/action.ts';
import { useForm } from '../state/form.ts';
import { showNotice } from '../state/screen.ts';

const limits = [
  'tokensPerDay',
  'tokensPerMonth',
  'usdPerDay',
  'usdPerMonth',
] as const satisfies (keyof Budget)[];

interface CardOf {
  readonly usage: UsageView;
  readonly agent: string | null;
  onChanged(): void;
}

/** Budget limits: a warning at 80 %, no new calls at 100 %. */
export function BudgetCard({ usage, agent, onChanged }: CardOf) {
  const [editing, setEditing] = useState(false);
  const none = limits.every((limit) => usage.budget[limit] === null);
  return (
    <section className="card stack" aria-labelledby="budget-title">
      <header className="card-head">
        <h2 id="budget-title">{agent === null ? t('usage.budgetOfAll') : t('usage.budget')}</h2>
        {!editing && (
          <button type="button" className="button is-small" onClick={() => setEditing(true)}>
            {none ? t('usage.setBudget') : t('usage.editBudget')}
          </button>
        )}
      </header>
      {none && !editing && <p className="soft">{t('usage.noLimit')}</p>}
      {shownUses(usage.used).map((use) => (
        <BudgetBar key={limitKey(use)} use={use} />
      ))}
      {editing && (
        <BudgetForm
          budget={usage.budget}
          agent={agent}
          onSaved={() => {
            setEditing(false);
            onChanged();
          }}
          onChanged={onChanged}
          onCancel={() => setEditing(false)}
        />
      )}
      <p className="field-hint">{t('usage.budgetHint')}</p>
    </section>
  );
}

type Use = UsageView['used'][number];

export const limitKey = ({ limit, scope, simulated }: Use): string => `${scope} ${limit} ${simulated}`;

function budgetWords({ limit, share, max }: Use): string {
  // A tiny share of a limit is not none.
  const digits = share < 0.01 ? { maximumSignificantDigits: 1 } : { maximumFractionDigits: 0 };
  const percent = (share * 100).toLocaleString(locale(), digits);
  const words = limit.startsWith('usd') ? usdWords(max) : max.toLocaleString(locale());
  const part = t('usage.shareOf', { percent, limit: words });
  if (share >= 1) return t('usage.usedUp', { share: part });
  return share >= 0.8 ? t('usage.nearlyUsedUp', { share: part }) : part;
}

function limitName({ limit, scope, simulated }: Use): string {
  const name = t(`usage.${limit}`);
  const whose = scope === 'total' ? t('usage.limitOfAll', { name }) : name;
  return simulated ? t('usage.limitSimulated', { name: whose }) : whose;
}

export const BudgetBar = ({ use }: { use: Use }) => (
  <ShareBar name={limitName(use)} share={use.share} words={budgetWords(use)} />
);

interface FormOf {
  readonly budget: Budget;
  readonly agent: string | null;
  onSaved(): void;
  /** The stored budget is another one now. */
  onChanged(): void;
  onCancel(): void;
}

type Texts = Record<keyof Budget, string>;

/** Returns `null` (no limit) if empty or not a number. */
function numberIn(text: string): number | null {
  const value = Number(text);
  return text.trim() === '' || !Number.isFinite(value) ? null : Math.max(0, value);
}

const budgetOf = (texts: Texts): Budget => {
  const whole = (text: string): number | null => {
    const value = numberIn(text);
    return value === null ? null : Math.round(value);
  };
  return {
    tokensPerDay: whole(texts.tokensPerDay),
    tokensPerMonth: whole(texts.tokensPerMonth),
    usdPerDay: numberIn(texts.usdPerDay),
    usdPerMonth: numberIn(texts.usdPerMonth),
  };
};

function BudgetForm({ budget, agent, onSaved, onChanged, onCancel }: FormOf) {
  const set = useAction('usage.setBudget');
  const form = useForm<Texts>({
    tokensPerDay: String(budget.tokensPerDay ?? ''),
    tokensPerMonth: String(budget.tokensPerMonth ?? ''),
    usdPerDay: String(budget.usdPerDay ?? ''),
    usdPerMonth: String(budget.usdPerMonth ?? ''),
  });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const result = await set.run({
      budget: budgetOf(form.value),
      before: budget,
      ...(agent === null ? {} : { agent }),
    });
    if (result.ok) {
      showNotice(t('usage.saved'));
      onSaved();
    } else onChanged();
  };
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <div className="budget-fields">
        {limits.map((limit) => (
          <Field
            key={limit}
            label={t(`usage.${limit}`)}
            type="number"
            min={0}
            step={limit.startsWith('usd') ? 0.01 : 1}
            placeholder={t('usage.placeholder')}
            value={form.value[limit]}
            onChange={(event) => form.change({ [limit]: event.target.value })}
          />
        ))}
      </div>
      <FormFoot action={set} form={form} label={t('usage.saveBudget')} onCancel={onCancel} />
    </form>
  );
}
