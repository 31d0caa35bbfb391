import type { McpServerView } from '../../contract/mcp-server-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';

/** The page on which the person authorizes the server; nothing if none waits. */
export function SignIn({ server }: { server: Pick<McpServerView, 'name' | 'authorizePage'> }) {
  const { name, authorizePage } = server;
  const url = authorizePage === null ? null : URL.parse(authorizePage);
  // The address comes from the server.
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return (
    <div className="note is-plain" role="status">
      <Icon name="lock" size={16} />
      <div>
        <p>
          <strong>{t('mcp.signInTitle', { name })}</strong>
        </p>
        <p className="note-hint">{t('mcp.signInAt', { host: visibleLine(url.host) })}</p>
        <a className="button is-primary" href={url.href} target="_blank" rel="noopener noreferrer">
          {t('mcp.signIn')}
        </a>
      </div>
    </div>
  );
}
