import { useState } from 'react';
import { type LogLevelName, type LogLine, logLevels } from '../../contract/work-methods.ts';
import { locale, t } from '../../language/texts.ts';
import { saveAs } from '../files/fetch-file.ts';
import { readableJson } from '../format/readable-json.ts';
import { exactTime } from '../format/time.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { ExactText } from '../parts/exact-text.tsx';
import { ChoiceField, Field } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { copyText } from '../state/copy.ts';
import type { LogBuffer, LogFilter } from './log-buffer.ts';
import { wholeLog } from './log-buffer.ts';
import { LogList } from './log-list.tsx';
import { lineJson, logLineText } from './log-text.ts';
import { useAgentNames } from './turn-filter.tsx';
import { type LogState, useLog } from './use-log.ts';

const copiedLines = 5_000;

export function LogView({ agent = '' }: { agent?: string }) {
  const [filter, setFilter] = useState(() => (agent === '' ? wholeLog : { ...wholeLog, agent }));
  const [selected, setSelected] = useState<LogLine | null>(null);
  const state = useLog(filter);
  const { buffer, version, error } = state;
  return (
    <div className="log">
      <div className="log-tools">
        <LogTools filter={filter} onChange={setFilter} />
        <LogActions buffer={buffer} />
      </div>
      <ErrorNote error={error} />
      {version === null || buffer.shown.length === 0 ? (
        <LogEmpty state={state} picky={filter !== wholeLog} />
      ) : (
        <LogList state={state} selected={selected} onSelect={setSelected} />
      )}
      {selected !== null && <LineDetails line={selected} onClose={() => setSelected(null)} />}
    </div>
  );
}

function LogTools({ filter, onChange }: { filter: LogFilter; onChange(filter: LogFilter): void }) {
  const agents = useAgentNames();
  const levels = logLevels.map((level) => [level, t(`log.level_${level}`)] as const);
  return (
    <search className="filters">
      <Field
        label={t('log.find')}
        type="search"
        maxLength={200}
        placeholder={t('log.findHint')}
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.target.value })}
      />
      <ChoiceField
        label={t('log.level')}
        value={filter.level}
        options={levels}
        onChange={(level: LogLevelName) => onChange({ ...filter, level })}
      />
      <ChoiceField
        label={t('log.agent')}
        value={filter.agent}
        options={[['', t('log.everybody')], ...agents]}
        onChange={(agent) => onChange({ ...filter, agent })}
      />
    </search>
  );
}

function LogActions({ buffer }: { buffer: LogBuffer }) {
  const copy = (): void => copyText(buffer.shown.slice(-copiedLines).map(logLineText).join('\n'));
  const save = (): void =>
    saveAs('kennel-log.jsonl', new Blob([buffer.shown.map(lineJson).join('\n'), '\n']));
  return (
    <p className="turn-links">
      <button
        type="button"
        className="button is-small"
        title={t('log.copyHint', { n: copiedLines.toLocaleString(locale()) })}
        onClick={copy}
      >
        {t('log.copy')}
      </button>
      <button type="button" className="button is-small" title={t('log.exportHint')} onClick={save}>
        {t('log.export')}
      </button>
    </p>
  );
}

function LogEmpty({ state, picky }: { state: LogState; picky: boolean }) {
  const { version, busy, ended, readTo } = state;
  const at = readTo === null ? null : exactTime(readTo);
  const words = (): string => {
    if (version === null) return t('log.reading');
    if (busy || !ended) return at === null ? t('log.reading') : t('log.searching', { at });
    if (!picky) return t('log.empty');
    return at === null ? t('log.noneFits') : t('log.noneFitsUntil', { until: at });
  };
  return (
    <p className="card-empty log-lines" role="status">
      {words()}
    </p>
  );
}

function LineDetails({ line, onClose }: { line: LogLine; onClose(): void }) {
  const json = lineJson(line);
  return (
    <div className="card log-details">
      <header>
        <time dateTime={new Date(line.at).toISOString()}>{exactTime(line.at)}</time>
        <span>
          <CopyButton label={t('log.copyLine')} text={json} />
          <button type="button" className="button is-small" onClick={onClose}>
            {t('log.close')}
          </button>
        </span>
      </header>
      <ScrollRegion className="fall-text" label={t('log.lineDetails')}>
        <pre>
          <ExactText text={readableJson(json)} />
        </pre>
      </ScrollRegion>
    </div>
  );
}
