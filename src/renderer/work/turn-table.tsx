import type { TurnPart, TurnSummary } from '../../contract/work-methods.ts';
import { t } from '../../language/texts.ts';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { durationWords, partStateWords, partTitle, turnPartKindText } from './turn-text.ts';

export function TurnTable({ turn, parts }: { turn: TurnSummary; parts: readonly TurnPart[] }) {
  return (
    <details>
      <summary>{t('work.asTable')}</summary>
      <ScrollRegion className="table-scroll" label={t('work.table')}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('work.col_part')}</th>
              <th scope="col">{t('work.col_state')}</th>
              <th scope="col">{t('work.col_start')}</th>
              <th scope="col">{t('work.col_time')}</th>
            </tr>
          </thead>
          <tbody>
            {parts.map((part) => (
              <tr key={part.id}>
                <th scope="row">
                  {t('work.partNamed', { kind: turnPartKindText(part.kind), title: partTitle(part) })}
                </th>
                <td>{partStateWords(part.state)}</td>
                <td>{durationWords(part.startedAt - turn.startedAt)}</td>
                <td>{part.endedAt === null ? '' : durationWords(part.endedAt - part.startedAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  );
}
