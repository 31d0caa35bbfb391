import type { UsageView } from '../../contract/work.ts';
import { providerName } from '../agents/providers.ts';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { usdWords } from '../words/money.ts';
import { visibleLine } from '../words/visible-text.ts';

/** Which model took how much. */
export function ModelTable({ models }: { models: UsageView['byModel'] }) {
  return (
    <section className="card" aria-labelledby="usage-models">
      <h2 id="usage-models">By model</h2>
      {models.length === 0 ? (
        <p className="card-empty">None yet.</p>
      ) : (
        <ScrollRegion className="table-scroll" label="Numbers by model">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">Model</th>
                <th scope="col">Calls</th>
                <th scope="col">Tokens</th>
                <th scope="col">Cost</th>
              </tr>
            </thead>
            <tbody>
              {models.map(({ provider, model, calls, spend }) => (
                <tr key={`${provider} ${model}`}>
                  <th scope="row">
                    {visibleLine(model)}
                    <span className="fine cell-note">{visibleLine(providerName(provider))}</span>
                  </th>
                  <td>{calls.toLocaleString()}</td>
                  <td>{spend.tokens.toLocaleString()}</td>
                  <td>
                    {spend.usd === null ? 'price unknown' : usdWords(spend.usd)}
                    {spend.simulated && <span className="fine cell-note">simulated</span>}
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
