import { t } from '../../../language/texts.ts';
import { visibleLine } from '../../words/visible-text.ts';
import type { ToolsView } from './tools-view.ts';

export function RootsCard({ roots }: { roots: ToolsView['roots'] }) {
  return (
    <section className="card stack" aria-labelledby="roots-title">
      <h2 id="roots-title">{t('tools.folders')}</h2>
      <Folders name={t('tools.writable')} paths={roots.writable} />
      <Folders name={t('tools.readable')} paths={roots.readable} />
    </section>
  );
}

function Folders({ name, paths }: { name: string; paths: readonly string[] }) {
  return (
    <div>
      <h3>{name}</h3>
      {paths.length === 0 ? (
        <p className="soft">{t('tools.noFolders')}</p>
      ) : (
        <ul>
          {paths.map((path) => (
            <li key={path}>
              <code className="path">{visibleLine(path)}</code>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
