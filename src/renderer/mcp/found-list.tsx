import { useId } from 'react';
import { argvText } from '../../contract/argv-text.ts';
import type { FoundServer } from '../../contract/mcp-settings.ts';
import { t } from '../../language/texts.ts';
import { shortLine, shortText } from '../format/short-text.ts';
import { ExactText } from '../parts/exact-text.tsx';

interface ListOf {
  readonly servers: readonly FoundServer[];
  readonly skipped: number;
  /** Names of servers that are not taken. */
  readonly left: ReadonlySet<string>;
  onChange(left: ReadonlySet<string>): void;
}

/** Command or address of an entry of someone else. */
function launchOf({ command, args, url }: FoundServer['entry']): string {
  if (typeof command !== 'string') return shortText(String(url), 500);
  const rest = Array.isArray(args) ? args.map(String) : [];
  return shortText(argvText([command, ...rest]), 500);
}

/** The servers of a snippet or a file, each with what would run. */
export function FoundList({ servers, skipped, left, onChange }: ListOf) {
  const id = useId();
  const turn = (name: string, isTaken: boolean): void => {
    const next = new Set(left);
    if (isTaken) next.delete(name);
    else next.add(name);
    onChange(next);
  };
  return (
    <>
      {servers.length > 0 && (
        <ul className="found-servers" aria-label={t('mcp.found')}>
          {servers.map((server) => {
            const { name, secrets } = server;
            const names = Object.keys(secrets);
            return (
              <li key={name}>
                <input
                  type="checkbox"
                  id={`${id}-${name}`}
                  checked={!left.has(name)}
                  onChange={({ target }) => turn(name, target.checked)}
                />
                <label htmlFor={`${id}-${name}`}>
                  <strong>{name}</strong>
                  <span className="server-launch">
                    <ExactText text={launchOf(server.entry)} />
                  </span>
                  {names.length > 0 && (
                    <span className="fine">
                      {t('mcp.foundSecrets', { names: shortLine(names.join(', '), 200) })}
                    </span>
                  )}
                </label>
              </li>
            );
          })}
        </ul>
      )}
      {skipped > 0 && <p className="fine">{t('mcp.leftOut', { count: skipped })}</p>}
    </>
  );
}
