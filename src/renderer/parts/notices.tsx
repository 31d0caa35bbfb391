import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import type { ErrorFix } from '../state/error-fix.ts';
import { go, useRoute } from '../state/route.ts';
import { dropNotice, useScreen } from '../state/screen.ts';

function FixButton({ id, fix }: { id: number; fix: ErrorFix }) {
  const open = (): void => {
    dropNotice(id);
    go(fix.route);
  };
  return (
    <button type="button" className="link" onClick={open}>
      {fix.label}
    </button>
  );
}

function UndoButton({ id, undo }: { id: number; undo(): void }) {
  const run = (): void => {
    dropNotice(id);
    undo();
  };
  return (
    <button type="button" className="link" onClick={run}>
      {t('undo.undo')}
    </button>
  );
}

/** Toasts at the lower edge, or at the top of a chat; announced politely, closed after a timeout. */
export function Notices() {
  const notices = useScreen((screen) => screen.notices);
  const spoken = useScreen((screen) => screen.spoken);
  const inChat = useRoute(({ route }) => route.view === 'chat' && route.room !== null);
  return (
    <>
      <section
        className={inChat ? 'notices is-in-chat' : 'notices'}
        aria-live="polite"
        aria-label={t('parts.messages')}
      >
        {notices.map((notice) => (
          <div key={notice.id} className={`notice is-${notice.tone}`}>
            <div>
              <p>{notice.text}</p>
              {notice.hint !== null && <p className="note-hint">{notice.hint}</p>}
              {notice.undo !== null && <UndoButton id={notice.id} undo={notice.undo} />}
              {notice.fix !== null && <FixButton id={notice.id} fix={notice.fix} />}
            </div>
            <button
              type="button"
              className="icon-button"
              aria-label={t('parts.dismiss')}
              onClick={() => dropNotice(notice.id)}
            >
              <Icon name="close" size={16} />
            </button>
          </div>
        ))}
      </section>
      <p className="visually-hidden" aria-live="polite" role="status">
        {spoken}
      </p>
    </>
  );
}
