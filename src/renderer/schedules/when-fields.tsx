import { useId } from 'react';
import { t } from '../../language/texts.ts';
import { ChoiceField, Field } from '../parts/field.tsx';
import { Segments } from '../parts/segments.tsx';
import { oftens } from './cron-choice.ts';
import { CronPreview } from './cron-preview.tsx';
import { expressionIn, type ScheduleDraft } from './draft.ts';
import { weekdayWords } from './schedule-text.ts';

interface FieldsOf {
  readonly draft: ScheduleDraft;
  onChange(part: Partial<ScheduleDraft>): void;
}

/** Start condition: once, recurring, or when a file or a resource changes. */
export function WhenFields({ draft, onChange }: FieldsOf) {
  return (
    <fieldset className="schedule-part">
      <legend>{t('schedules.when')}</legend>
      <Segments
        label={t('schedules.when')}
        value={draft.when}
        options={[
          ['cron', t('schedules.again')],
          ['once', t('schedules.once')],
          ['file', t('schedules.onFile')],
          ['resource', t('schedules.onResource')],
        ]}
        onChange={(when) => onChange({ when })}
      />
      {draft.when === 'once' && (
        <Field
          label={t('schedules.at')}
          type="datetime-local"
          value={draft.once}
          onChange={(event) => onChange({ once: event.target.value })}
        />
      )}
      {draft.when === 'cron' && <CronFields draft={draft} onChange={onChange} />}
      {draft.when === 'file' && <FileFields draft={draft} onChange={onChange} />}
      {draft.when === 'resource' && <ResourceFields draft={draft} onChange={onChange} />}
    </fieldset>
  );
}

function CronFields({ draft, onChange }: FieldsOf) {
  const zones = useId();
  return (
    <>
      <div className="plan-fields">
        <ChoiceField
          label={t('schedules.often')}
          value={draft.often}
          options={[...oftens, 'expression' as const].map(
            (one) => [one, t(`schedules.often_${one}`)] as const,
          )}
          onChange={(often) =>
            onChange(often === 'expression' ? { often, expression: expressionIn(draft) } : { often })
          }
        />
        <OftenFields draft={draft} onChange={onChange} />
        <Field
          label={t('schedules.zone')}
          list={zones}
          maxLength={80}
          value={draft.timeZone}
          onChange={(event) => onChange({ timeZone: event.target.value })}
        />
        <datalist id={zones}>
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </div>
      <CronPreview expression={expressionIn(draft)} timeZone={draft.timeZone.trim()} />
    </>
  );
}

function OftenFields({ draft, onChange }: FieldsOf) {
  const { often } = draft;
  if (often === 'expression')
    return (
      <Field
        label={t('schedules.expression')}
        className="is-mono"
        spellCheck={false}
        maxLength={200}
        value={draft.expression}
        onChange={(event) => onChange({ expression: event.target.value })}
        hint={t('schedules.expressionHint')}
      />
    );
  if (often === 'hourly')
    return (
      <Field
        label={t('schedules.minute')}
        type="number"
        min={0}
        max={59}
        value={draft.minute}
        onChange={(event) => onChange({ minute: event.target.value })}
      />
    );
  return (
    <>
      {often === 'weekly' && (
        <ChoiceField
          label={t('schedules.day')}
          value={draft.day}
          options={[1, 2, 3, 4, 5, 6, 0].map((day) => [String(day), weekdayWords(day)] as const)}
          onChange={(day) => onChange({ day })}
        />
      )}
      {often === 'monthly' && (
        <Field
          label={t('schedules.date')}
          type="number"
          min={1}
          max={31}
          value={draft.date}
          onChange={(event) => onChange({ date: event.target.value })}
          hint={Number(draft.date) > 28 ? t('schedules.dateHint') : undefined}
        />
      )}
      <Field
        label={t('schedules.time')}
        type="time"
        value={draft.time}
        onChange={(event) => onChange({ time: event.target.value })}
      />
    </>
  );
}

function FileFields({ draft, onChange }: FieldsOf) {
  return (
    <div className="plan-fields">
      <Field
        label={t('schedules.path')}
        className="is-mono"
        spellCheck={false}
        maxLength={4_000}
        value={draft.path}
        onChange={(event) => onChange({ path: event.target.value })}
        hint={t('schedules.pathMeans')}
      />
      <Field
        label={t('schedules.glob')}
        className="is-mono"
        spellCheck={false}
        maxLength={300}
        placeholder="**/*.md"
        value={draft.glob}
        onChange={(event) => onChange({ glob: event.target.value })}
        hint={t('schedules.globHint')}
      />
      <RestField draft={draft} onChange={onChange} />
    </div>
  );
}

function ResourceFields({ draft, onChange }: FieldsOf) {
  return (
    <div className="plan-fields">
      <Field
        label={t('schedules.resource')}
        className="is-mono"
        spellCheck={false}
        maxLength={4_000}
        value={draft.uri}
        onChange={(event) => onChange({ uri: event.target.value })}
        hint={t('schedules.resourceHint')}
      />
      <Field
        label={t('schedules.server')}
        className="is-mono"
        spellCheck={false}
        maxLength={300}
        value={draft.server}
        onChange={(event) => onChange({ server: event.target.value })}
        hint={t('schedules.serverHint')}
      />
      <Field
        label={t('schedules.poll')}
        type="number"
        min={1}
        max={86_400}
        value={draft.poll}
        onChange={(event) => onChange({ poll: event.target.value })}
        hint={t('schedules.pollHint')}
      />
      <RestField draft={draft} onChange={onChange} />
    </div>
  );
}

function RestField({ draft, onChange }: FieldsOf) {
  return (
    <Field
      label={t('schedules.rest')}
      type="number"
      min={0.1}
      max={3_600}
      step={0.1}
      value={draft.rest}
      onChange={(event) => onChange({ rest: event.target.value })}
      hint={t('schedules.restHint')}
    />
  );
}
