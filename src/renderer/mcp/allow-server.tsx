import type { McpServerView } from '../../contract/mcp-server-methods.ts';
import { t } from '../../language/texts.ts';
import { ExactText } from '../parts/exact-text.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { serverRef } from './server-words.ts';

interface AllowOf {
  readonly server: McpServerView;
  /** After a yes, and after a refusal because the entry has changed. */
  onChanged(): void;
  onClose(): void;
}

/** The exact command or address, before anything runs or is reached. */
export function AllowServer({ server, onChanged, onClose }: AllowOf) {
  const { name, isLocal, launch, hash } = server;
  const accept = useAction('mcpServers.accept');
  const allow = async (): Promise<void> => {
    const done = await accept.run({ ...serverRef(server), hash });
    if (done.ok) showNotice(t('mcp.allowed', { name }));
    if (done.ok || done.error.code === 'conflict') onChanged();
  };
  return (
    <div className="stack">
      <div>
        <h3>{isLocal ? t('mcp.mayStart') : t('mcp.mayConnect')}</h3>
        <p className="soft">{isLocal ? t('mcp.startMeans') : t('mcp.connectMeans')}</p>
      </div>
      <ScrollRegion
        className="ask-preview is-command"
        label={t(isLocal ? 'mcp.theCommand' : 'mcp.theAddress', { name })}
      >
        <p>
          <ExactText text={launch} />
        </p>
      </ScrollRegion>
      <ErrorNote error={accept.error} />
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          {t('mcp.notNow')}
        </button>
        <button
          type="button"
          className="button is-primary"
          disabled={accept.busy}
          onClick={() => void allow()}
        >
          {t('mcp.allow')}
        </button>
      </footer>
    </div>
  );
}
