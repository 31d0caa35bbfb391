import { visibleLine } from '../../words/visible-text.ts';
import type { ToolsView } from './tools-tab.tsx';

/** The folders its tools are held to. */
export function RootsCard({ roots }: { roots: ToolsView['roots'] }) {
  return (
    <section className="card stack" aria-labelledby="roots-title">
      <h2 id="roots-title">Its folders</h2>
      <Folders name="Reads and writes" paths={roots.writable} />
      <Folders name="Only reads" paths={roots.readable} />
    </section>
  );
}

function Folders({ name, paths }: { name: string; paths: readonly string[] }) {
  return (
    <div>
      <h3>{name}</h3>
      {paths.length === 0 ? (
        <p className="soft">none</p>
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
