import type { PolicyMode } from '../../contract/approvals.ts';
import type { MethodInput, MethodOutput } from '../../contract/methods.ts';
import { localize, t } from '../../language/texts.ts';
import { RulesEditor } from '../agents/tools/rules-card.tsx';
import { ChoiceField } from '../parts/field.tsx';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { RadioField } from '../parts/radio-field.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { act } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';
import { useRead } from '../state/use-read.ts';

type Policy = MethodOutput<'policy.get'>;
type Change = MethodInput<'policy.set'>;

/** Policy rules of all agents, in addition to each agent's own. */
export function PolicyCard() {
  const { link } = useReplica();
  const { value, error, reload } = useRead('policy.get');
  const save = async (change: Change): Promise<boolean> => {
    // A rule list is saved as a whole, so it must not overwrite one that changed elsewhere.
    const version = change.rules === undefined ? {} : { version: value?.version };
    const saved = await act(link, 'policy.set', { ...change, ...version });
    await reload();
    return saved;
  };
  return (
    <>
      <ErrorNote error={error} />
      {value === null && error === null && <Skeleton words={t('settings.reading')} shape="form" card />}
      {value !== null && <Policies policy={value} save={save} />}
    </>
  );
}

interface PartOf {
  readonly policy: Policy;
  save(change: Change): Promise<boolean>;
}

function Policies({ policy, save }: PartOf) {
  return (
    <>
      {policy.problem !== '' && <Note tone="warning">{localize(policy.problem)}</Note>}
      <section className="card stack rules-card" aria-labelledby="all-rules-title">
        <h2 id="all-rules-title">{t('upkeep.rules')}</h2>
        <p className="soft">{t('upkeep.rulesText')}</p>
        <RulesEditor
          key={JSON.stringify(policy.rules)}
          agent={null}
          mode={policy.mode}
          rules={policy.rules}
          save={(rules) => save({ rules: [...rules] })}
        />
        <p className="fine">
          {t.rich('upkeep.rulesIn', { path: () => <code className="path">{policy.path}</code> })}
        </p>
      </section>
      <ModeForAll policy={policy} save={save} />
      <HowLong policy={policy} save={save} />
    </>
  );
}

type Mode = PolicyMode | 'own';
const modes = [
  ['own', 'modeOwn', 'modeOwnMeans'],
  ['ask', 'modeAsk', 'modeAskMeans'],
  ['trusted_folders', 'modeTrusted', 'modeTrustedMeans'],
  ['unattended', 'modeUnattended', 'modeUnattendedMeans'],
] as const;

function ModeForAll({ policy, save }: PartOf) {
  return (
    <section className="card stack">
      <RadioField<Mode>
        label={t('upkeep.mode')}
        hint={t('upkeep.modeHint')}
        value={policy.mode ?? 'own'}
        options={modes.map(
          ([mode, name, means]) => [mode, t(`upkeep.${name}`), t(`upkeep.${means}`)] as const,
        )}
        onChange={(mode) => void save({ mode: mode === 'own' ? null : mode })}
      />
    </section>
  );
}

const offered = [1, 8, 24, 72, 168];
const hoursWords = (hours: number): string => {
  if (!Number.isInteger(hours)) return t('upkeep.hoursOther', { n: hours });
  return hours >= 48 && hours % 24 === 0
    ? t('upkeep.days', { n: hours / 24 })
    : t('upkeep.hoursOption', { n: hours });
};

function HowLong({ policy: { approvalHours }, save }: PartOf) {
  const all = [...new Set([...offered, approvalHours])].sort((a, b) => a - b);
  return (
    <section className="card stack">
      <ChoiceField
        label={t('upkeep.hours')}
        hint={t('upkeep.hoursHint')}
        value={String(approvalHours)}
        options={all.map((hours) => [String(hours), hoursWords(hours)] as const)}
        onChange={(hours) => void save({ approvalHours: Number(hours) })}
      />
    </section>
  );
}
