import type { FindingView } from '../../contract/workflow-methods.ts';
import { englishText } from '../../language/host-message.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';

interface ListOf {
  readonly findings: readonly FindingView[];
  readonly checking: boolean;
  onOpen(finding: FindingView): void;
}

/** Limit of listed findings. */
const most = 100;

const placeText = ({ line, column }: FindingView): string =>
  t('workflows.place', { line: String(line), column: String(column) });

/** Errors and warnings with suggested fixes; each links to its line. */
export function FindingsList({ findings, checking, onOpen }: ListOf) {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const words =
    findings.length === 0
      ? t('workflows.fine')
      : t('workflows.found', { errors, warnings: findings.length - errors });
  return (
    <section className="card findings" aria-label={t('workflows.findings')}>
      <p role="status" className={errors > 0 ? 'finding is-error' : undefined}>
        <Icon name={findings.length === 0 ? 'check' : 'warning'} size={16} />{' '}
        {checking ? t('workflows.checking') : words}
      </p>
      <ul>
        {findings.slice(0, most).map((finding) => (
          <li
            key={`${finding.rule} ${finding.path} ${finding.line}:${finding.column} ${englishText(finding.message)}`}
          >
            <button
              type="button"
              className={`finding is-${finding.severity}`}
              onClick={() => onOpen(finding)}
            >
              <Icon name={finding.severity === 'error' ? 'close' : 'warning'} size={14} />
              <span>
                <strong>{t(`workflows.severity_${finding.severity}`)}</strong>
                {finding.line > 0 && ` · ${placeText(finding)}`}
                {': '}
                <bdi>{visibleLine(localize(finding.message))}</bdi>
                {finding.hint !== '' && (
                  <span className="fine finding-hint">
                    <bdi>{visibleLine(localize(finding.hint))}</bdi>
                  </span>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {findings.length > most && (
        <p className="fine">{t('workflows.moreFindings', { n: findings.length - most })}</p>
      )}
    </section>
  );
}
