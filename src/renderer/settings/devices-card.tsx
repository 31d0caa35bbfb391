import { type FormEvent, useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { DeviceView } from '../../contract/identity-methods.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Ago } from '../parts/time.tsx';
import { useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

export function DevicesCard() {
  const { link } = useReplica();
  const [devices, setDevices] = useState<readonly DeviceView[]>([]);
  const [error, setError] = useState<AppError | null>(null);
  const [leaving, setLeaving] = useState<DeviceView | null>(null);
  const load = useCallback(async () => {
    const result = await link.call('devices.list', {});
    if (result.ok) setDevices(result.value.devices);
    setError(result.ok ? null : result.error);
  }, [link]);
  useEffect(() => void load(), [load]);
  return (
    <section className="card stack" aria-labelledby="devices-title">
      <h2 id="devices-title">{t('contacts.devices')}</h2>
      <p className="soft">{t('contacts.devicesText')}</p>
      <ErrorNote error={error} />
      <ul className="logins" aria-label={t('contacts.deviceList')}>
        {devices.map((device) => (
          <li key={device.id}>
            <p>
              <code>{visibleLine(device.id)}</code>{' '}
              <span className="soft">
                {t.rich(`contacts.${ageWords(device)}`, {
                  when: () => <Ago at={device.revokedAt ?? device.createdAt} />,
                })}
              </span>
            </p>
            {device.revokedAt === null && !device.current && (
              <button
                type="button"
                className="button is-small"
                aria-label={t('contacts.revokeOf', { device: visibleLine(device.id) })}
                onClick={() => setLeaving(device)}
              >
                {t('contacts.revoke')}
              </button>
            )}
          </li>
        ))}
      </ul>
      <LetIn onDone={() => void load()} />
      {leaving !== null && (
        <Revoke device={leaving} onDone={() => void load()} onClose={() => setLeaving(null)} />
      )}
    </section>
  );
}

function ageWords({ revokedAt, current }: DeviceView) {
  if (revokedAt !== null) return 'revokedAt';
  return current ? 'thisSince' : 'since';
}

interface RevokeOf {
  readonly device: DeviceView;
  onDone(): void;
  onClose(): void;
}

function Revoke({ device, onDone, onClose }: RevokeOf) {
  const revoke = useAction('devices.revoke');
  const run = async (): Promise<void> => {
    if (!(await revoke.run({ device: device.id })).ok) return;
    showNotice(t('contacts.revoked'));
    onDone();
    onClose();
  };
  return (
    <Confirm
      title={t('contacts.revokeTitle')}
      verb={t('contacts.revokeVerb')}
      danger
      busy={revoke.busy}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p>{t.rich('contacts.revokeText', { device: () => <code>{visibleLine(device.id)}</code> })}</p>
      <ErrorNote error={revoke.error} />
    </Confirm>
  );
}

/** Approves a device by its code, after the operator has compared the words on both screens. */
function LetIn({ onDone }: { onDone(): void }) {
  const look = useAction('devices.enrolLook');
  const approve = useAction('devices.enrolApprove');
  const [code, setCode] = useState('');
  const [asks, setAsks] = useState<MethodOutput<'devices.enrolLook'> | null>(null);
  const ask = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const found = await look.run({ code: code.trim() });
    if (found.ok) setAsks(found.value);
  };
  const letIn = async (): Promise<void> => {
    if (asks === null || !(await approve.run({ code: asks.code, words: asks.words })).ok) return;
    setAsks(null);
    setCode('');
    showNotice(t('contacts.joins'));
    onDone();
  };
  return (
    <>
      <form className="one-line" onSubmit={(event) => void ask(event)}>
        <Field
          label={t('contacts.letIn')}
          value={code}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setCode(event.target.value)}
        />
        <button type="submit" className="button" disabled={code.trim() === '' || look.busy}>
          {t('contacts.look')}
        </button>
      </form>
      <ErrorNote error={look.error} />
      {asks !== null && (
        <Confirm
          title={t('contacts.wordsTitle')}
          verb={t('contacts.wordsVerb')}
          busy={approve.busy}
          onConfirm={() => void letIn()}
          onClose={() => setAsks(null)}
        >
          <p className="address">{visibleLine(asks.words)}</p>
          <p>{t('contacts.wordsText', { slug: visibleLine(asks.slug) })}</p>
          <p className="soft">{t('contacts.theirKey')}</p>
          <p className="address">{visibleLine(asks.fingerprint)}</p>
          <ErrorNote error={approve.error} />
        </Confirm>
      )}
    </>
  );
}
