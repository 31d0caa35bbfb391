import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { localize, t } from '../../language/texts.ts';
import type { HostLink } from '../client/link.ts';
import { lasting } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useNow } from '../parts/time.tsx';
import { useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { usualServer } from './sign-up.tsx';

type Begun = MethodOutput<'devices.enrolBegin'>;
type Waited = MethodOutput<'devices.enrolWait'>;

/**
 * Adds this computer to an account as a device: request a code here, approve it on another device, confirm
 * here.
 */
export function JoinAsDevice({ onBusy }: { onBusy(busy: boolean): void }) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [ready, setReady] = useState<Waited | null>(null);
  const [ended, setEnded] = useState(false);
  const over = (): void => {
    setBegun(null);
    setReady(null);
  };
  if (ready !== null) return <IsItYou found={ready} onBusy={onBusy} onOver={over} />;
  if (begun === null) {
    return (
      <Ask
        ended={ended}
        onBegun={(one) => {
          setEnded(false);
          setBegun(one);
        }}
      />
    );
  }
  return (
    <Wait
      begun={begun}
      onReady={setReady}
      onEnded={() => {
        over();
        setEnded(true);
      }}
    />
  );
}

function Ask({ ended, onBegun }: { ended: boolean; onBegun(begun: Begun): void }) {
  const begin = useAction('devices.enrolBegin');
  const [serverUrl, setServerUrl] = useState(usualServer);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const result = await begin.run({ serverUrl: serverUrl.trim() });
    if (result.ok) onBegun(result.value);
  };
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <p className="soft">{ended ? t('firstRun.ended') : t('firstRun.deviceText')}</p>
      <Field
        label={t('firstRun.server')}
        type="url"
        autoFocus
        spellCheck={false}
        value={serverUrl}
        onChange={(event) => setServerUrl(event.target.value)}
      />
      <ErrorNote error={begin.error} />
      <button
        type="submit"
        className="button is-primary is-wide"
        disabled={serverUrl.trim() === '' || begin.busy}
      >
        {begin.busy ? t('firstRun.asking') : ended ? t('firstRun.again') : t('firstRun.askToJoin')}
      </button>
    </form>
  );
}

interface WaitOf {
  readonly begun: Begun;
  onReady(found: Waited): void;
  onEnded(): void;
}

/** Polls until the other device has answered, the request has expired or the dialog is left (`null`). */
async function waitForDevice(link: HostLink, left: () => boolean): Promise<Waited | AppError | null> {
  while (!left()) {
    const result = await link.call('devices.enrolWait', {});
    if (!result.ok) return result.error;
    if (result.value.state !== 'waiting') return result.value;
  }
  return null;
}

function Wait({ begun, onReady, onEnded }: WaitOf) {
  const { link } = useReplica();
  const now = useNow();
  const [error, setError] = useState<AppError | null>(null);
  const localize = useRef({ onReady, onEnded });
  localize.current = { onReady, onEnded };
  useEffect(() => {
    let left = false;
    void waitForDevice(link, () => left).then((end) => {
      if (left || end === null) return;
      if ('code' in end) setError(end);
      else if (end.state === 'ready') localize.current.onReady(end);
      else localize.current.onEnded();
    });
    return () => {
      left = true;
    };
  }, [link]);
  const time = lasting(now, Math.max(begun.until, now));
  return (
    <div className="stack" aria-live="polite">
      <p>{t('firstRun.deviceCode')}</p>
      <p className="command">
        <code className="join-code">{visibleLine(begun.code)}</code>
        <CopyButton label={t('firstRun.copyCode')} text={begun.code} />
      </p>
      <p className="soft">
        {t.rich('firstRun.deviceWhere', {
          code: visibleLine(begun.code),
          time,
          command: (chunks) => <code key="command">{chunks}</code>,
        })}
      </p>
      <p>{t('firstRun.sameWords')}</p>
      <p className="address">{visibleLine(begun.words)}</p>
      <ErrorNote error={error} />
      {error === null && <p className="soft">{t('firstRun.waitingForDevice')}</p>}
    </div>
  );
}

interface FoundOf {
  readonly found: Waited;
  onBusy(busy: boolean): void;
  onOver(): void;
}

function IsItYou({ found, onBusy, onOver }: FoundOf) {
  const finish = useAction('devices.enrolFinish');
  const answer = async (accept: boolean): Promise<void> => {
    onBusy(true);
    const result = await finish.run({ accept });
    onBusy(false);
    if (!result.ok) return;
    if (!accept) return onOver();
    showNotice(
      t('firstRun.joinedAs', { slug: visibleLine(result.value.slug ?? found.slug) }),
      'plain',
      localize(result.value.note) || null,
    );
    go({ view: 'home' });
  };
  return (
    <div className="stack">
      <h2>{t('firstRun.isItYou', { slug: visibleLine(found.slug) })}</h2>
      <p>{t('firstRun.fingerprint')}</p>
      <p className="address">
        <code>{visibleLine(found.fingerprint)}</code>
      </p>
      <ErrorNote error={finish.error} />
      <p className="button-row">
        <button type="button" className="button" disabled={finish.busy} onClick={() => void answer(false)}>
          {t('firstRun.notMe')}
        </button>
        <button
          type="button"
          className="button is-primary"
          disabled={finish.busy}
          onClick={() => void answer(true)}
        >
          {t('firstRun.itIsMe')}
        </button>
      </p>
    </div>
  );
}
