import { useEffect, useState } from 'react';
import type { BridgeStatus } from '../../contract/bridge.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Ago } from '../parts/time.tsx';
import { act, useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { useRead } from '../state/use-read.ts';

/** Polling interval in ms while pairing is open. */
const lookMs = 1000;

/** The bridge for web clients: paired devices, and the time window in which another one may pair. */
export function BridgeCard() {
  const { value: status, error, reload } = useRead('bridge.status');
  const open = (status?.window ?? null) !== null;
  useEffect(() => {
    if (!open) return;
    const timer = setInterval(() => void reload(), lookMs);
    return () => clearInterval(timer);
  }, [open, reload]);
  return (
    <section className="card stack" aria-labelledby="bridge-title">
      <h2 id="bridge-title">{t('upkeep.bridge')}</h2>
      <p className="soft">{t('upkeep.bridgeText')}</p>
      <ErrorNote error={error} />
      {status === null && error === null && <Skeleton words={t('settings.reading')} shape="text" />}
      {status !== null && <Status status={status} reload={() => void reload()} />}
    </section>
  );
}

interface StatusOf {
  readonly status: BridgeStatus;
  reload(): void;
}

function Status({ status, reload }: StatusOf) {
  if (!status.enabled) return <p>{t('upkeep.bridgeOff')}</p>;
  return (
    <>
      <Paired status={status} reload={reload} />
      {status.window === null ? <OpenWindow paired={status.paired !== null} reload={reload} /> : null}
      {status.window !== null && <Window window={status.window} reload={reload} />}
      <p className="fine">
        {status.url === null
          ? t('upkeep.bridgeQuiet', { note: localize(status.note) })
          : t.rich('upkeep.bridgeAt', { address: () => <code>{status.url}</code> })}
      </p>
    </>
  );
}

function Paired({ status: { paired }, reload }: StatusOf) {
  const unpair = useAction('bridge.unpair');
  const [asking, setAsking] = useState(false);
  if (paired === null) return <p>{t('upkeep.pairedNobody')}</p>;
  const run = async (): Promise<void> => {
    if (!(await unpair.run({})).ok) return;
    setAsking(false);
    showNotice(t('upkeep.unpaired'));
    reload();
  };
  return (
    <div className="setting">
      <p>
        {t.rich('upkeep.pairedSince', {
          who: () => (
            <strong>
              <Name>{paired.slug}</Name>
            </strong>
          ),
          device: () => <code>{visibleLine(paired.deviceId)}</code>,
          when: () => <Ago at={paired.pairedAt} />,
        })}
      </p>
      <button type="button" className="button is-small" onClick={() => setAsking(true)}>
        {t('upkeep.unpair')}
      </button>
      {asking && (
        <Confirm
          title={t('upkeep.unpairTitle')}
          verb={t('upkeep.unpairVerb')}
          danger
          busy={unpair.busy}
          onConfirm={() => void run()}
          onClose={() => setAsking(false)}
        >
          <p>{t('upkeep.unpairText', { slug: visibleLine(paired.slug) })}</p>
          <ErrorNote error={unpair.error} />
        </Confirm>
      )}
    </div>
  );
}

function OpenWindow({ paired, reload }: { paired: boolean; reload(): void }) {
  const open = useAction('bridge.openPairing');
  const [device, setDevice] = useState('');
  const run = async (): Promise<void> => {
    const named = device.trim();
    if ((await open.run(named === '' ? {} : { device: named })).ok) reload();
  };
  return (
    <>
      <Field
        label={t('upkeep.openForDevice')}
        hint={t('upkeep.openForDeviceHint')}
        value={device}
        spellCheck={false}
        onChange={(event) => setDevice(event.target.value)}
      />
      {paired && <p className="soft">{t('upkeep.replaces')}</p>}
      <div>
        <button type="button" className="button" disabled={open.busy} onClick={() => void run()}>
          {t('upkeep.openPairing')}
        </button>
      </div>
      <ErrorNote error={open.error} />
    </>
  );
}

interface WindowOf {
  readonly window: NonNullable<BridgeStatus['window']>;
  reload(): void;
}

function Window({ window: { code, device, until, failures }, reload }: WindowOf) {
  const { link } = useReplica();
  const close = async (): Promise<void> => {
    if (await act(link, 'bridge.closePairing', {})) reload();
  };
  return (
    <div className="device-code">
      <p>{t.rich('upkeep.windowOpen', { time: () => <Countdown until={until} /> })}</p>
      {device === null ? (
        <p>
          {t('upkeep.windowCode')} <code>{visibleLine(code)}</code>
          <CopyButton label={t('upkeep.copyCode')} text={code} />
        </p>
      ) : (
        <p>
          {t('upkeep.windowDevice')} <code>{visibleLine(device)}</code>
        </p>
      )}
      {failures > 0 && <p role="status">{t('upkeep.windowFailures', { n: failures })}</p>}
      <p className="soft">{t('upkeep.closeHint')}</p>
      <p>
        <button type="button" className="button is-small" onClick={() => void close()}>
          {t('upkeep.closeNow')}
        </button>
      </p>
    </div>
  );
}

const two = (n: number): string => String(n).padStart(2, '0');

/** Remaining minutes and seconds. It is not a live region, which would be read every second. */
function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <time className="countdown">
      {Math.floor(left / 60)}:{two(left % 60)}
    </time>
  );
}
