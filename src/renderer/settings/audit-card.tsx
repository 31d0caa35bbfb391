import { useCallback, useEffect, useState } from 'react';
import type { AuditLine } from '../../contract/approvals.ts';
import type { AppError } from '../../contract/errors.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { CheckAgain } from '../parts/check-again.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { Ago } from '../parts/time.tsx';
import { useAction } from '../state/action.ts';
import { useAgent, useReplica } from '../state/subscriptions.ts';
import { auditText } from './audit-text.ts';

const pageSize = 20;

/** Audit log of calls and decisions; each line contains the hash of the line before. */
export function AuditCard() {
  const { link } = useReplica();
  const [lines, setLines] = useState<readonly AuditLine[] | null>(null);
  const [more, setMore] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const load = useCallback(
    async (newer: readonly AuditLine[]) => {
      const before = newer.at(-1)?.seq;
      const query = { limit: pageSize, ...(before === undefined ? {} : { before }) };
      const result = await link.call('audit.list', query);
      setError(result.ok ? null : result.error);
      if (!result.ok) return;
      setLines([...newer, ...result.value.lines]);
      setMore(result.value.hasMore);
    },
    [link],
  );
  useEffect(() => void load([]), [load]);
  return (
    <section className="card stack" aria-labelledby="audit-title">
      <h2 id="audit-title">{t('upkeep.audit')}</h2>
      <p className="soft">{t('upkeep.auditText')}</p>
      <Verify />
      <ErrorNote error={error} />
      {lines?.length === 0 && <p className="soft">{t('upkeep.auditEmpty')}</p>}
      {lines !== null && lines.length > 0 && (
        <ScrollRegion className="audit" label={t('upkeep.auditLast')}>
          <ul>
            {lines.map((line) => (
              <AuditRow key={line.seq} line={line} />
            ))}
          </ul>
        </ScrollRegion>
      )}
      {more && (
        <div>
          <button type="button" className="button is-small" onClick={() => void load(lines ?? [])}>
            {t('upkeep.auditOlder')}
          </button>
        </div>
      )}
    </section>
  );
}

function Verify() {
  const verify = useAction('audit.verify');
  const [found, setFound] = useState<MethodOutput<'audit.verify'> | null>(null);
  const run = async (): Promise<void> => {
    const result = await verify.run({});
    setFound(result.ok ? result.value : null);
  };
  const words = found?.ok
    ? t('upkeep.auditWhole', { n: found.lines })
    : t('upkeep.auditBroken', { problem: localize(found?.problem ?? '') });
  return (
    <CheckAgain
      label={verify.busy ? t('upkeep.auditChecking') : t('upkeep.auditCheck')}
      action={verify}
      found={found && { ok: found.ok, words }}
      onCheck={() => void run()}
    />
  );
}

const kinds = {
  call: 'auditCall',
  decision: 'auditDecision',
  grant: 'auditGrant',
  revoke: 'auditRevoke',
  brake: 'auditBrake',
  budget: 'auditBudget',
  policy: 'auditPolicy',
  contact: 'auditContact',
  start: 'auditStart',
  undo: 'auditUndo',
} as const satisfies Record<AuditLine['kind'], string>;

/** Ids of approvals and permissions inside a detail, which mean nothing to a reader. */
const idsInDetail = /(?:^| )[a-z]+_[0-9a-f-]{32,36}(?= |$)/g;

/** The agent's name and what happened; the ids are in the tooltip. */
function AuditRow({ line }: { line: AuditLine }) {
  const agent = useAgent(line.agentId);
  const who = agent?.displayName ?? line.agentId;
  const detail = line.detail.replace(idsInDetail, '').trim();
  const shown = line.kind === 'decision' ? auditText(detail) : detail;
  const about = [who, line.tool, auditText(line.outcome), shown].filter((part) => part !== '');
  const ids = [line.agentId, line.detail].filter((part) => part !== '').join(' · ');
  return (
    <li>
      <span className="soft">{line.seq}</span>
      <span title={visibleLine(ids)}>
        {t(`upkeep.${kinds[line.kind]}`)} <bdi>{visibleLine(about.join(' · '))}</bdi>
      </span>
      <span className="row-time">
        <Ago at={line.at} />
      </span>
    </li>
  );
}
