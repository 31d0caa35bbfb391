import type { UsageView } from '../../contract/work.ts';
import { costWords } from '../../language/money.ts';
import { locale, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { providerName } from '../models/providers.ts';
import { ScrollRegion } from '../parts/scroll-region.tsx';

export function ModelTable({ models }: { models: UsageView['byModel'] }) {
  return (
    <section className="card" aria-labelledby="usage-models">
      <h2 id="usage-models">{t('usage.byModel')}</h2>
      {models.length === 0 ? (
        <p className="card-empty">{t('usage.noneYet')}</p>
      ) : (
        <ScrollRegion className="table-scroll" label={t('usage.byModelTable')}>
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{t('usage.model')}</th>
                <th scope="col">{t('usage.calls')}</th>
                <th scope="col">{t('usage.tokens')}</th>
                <th scope="col">{t('usage.cost')}</th>
              </tr>
            </thead>
            <tbody>
              {models.map(({ provider, model, calls, spend }) => (
                <tr key={`${provider} ${model}`}>
                  <th scope="row">
                    {visibleLine(model)}
                    <span className="fine cell-note">{visibleLine(providerName(provider))}</span>
                  </th>
                  <td>{calls.toLocaleString(locale())}</td>
                  <td>{spend.tokens.toLocaleString(locale())}</td>
                  <td>
                    {costWords(spend)}
                    {spend.simulated && <span className="fine cell-note">{t('usage.simulated')}</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </section>
  );
}
