import { type FormEvent, useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { DeviceView } from '../../contract/identity-methods.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Ago } from '../parts/time.tsx';
import { useAction } from '../state/action.ts';
import { say } from '../state/screen.ts';
import { useReplica, useRooms } from '../state/subscriptions.ts';
import { visibleLine } from '../words/visible-text.ts';

/** The devices of your account: which there are, how another one joins, and how one is shut out. */
export function DevicesCard() {
  const joined = useRooms((view) => (view?.self ?? null) !== null);
  return joined ? <Devices /> : null;
}

function Devices() {
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
      <h2 id="devices-title">Your devices</h2>
      <p className="soft">
        Each has keys of its own. One that is revoked gets no message any more and can sign nothing.
      </p>
      <ErrorNote error={error} />
      <ul className="logins" aria-label="Devices">
        {devices.map((device) => (
          <li key={device.id}>
            <p>
              <code>{visibleLine(device.id)}</code>{' '}
              <span className="soft">
                {device.revokedAt === null ? (device.current ? 'this one, since ' : 'since ') : 'revoked '}
                <Ago at={device.revokedAt ?? device.createdAt} />
              </span>
            </p>
            {device.revokedAt === null && !device.current && (
              <button type="button" className="button is-small" onClick={() => setLeaving(device)}>
                Revoke…<span className="visually-hidden"> {visibleLine(device.id)}</span>
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

interface RevokeOf {
  readonly device: DeviceView;
  onDone(): void;
  onClose(): void;
}

function Revoke({ device, onDone, onClose }: RevokeOf) {
  const revoke = useAction('devices.revoke');
  const run = async (): Promise<void> => {
    if (!(await revoke.run({ device: device.id })).ok) return;
    say('The device is revoked.');
    onDone();
    onClose();
  };
  return (
    <Confirm
      title="Revoke this device?"
      verb="Revoke for good"
      danger
      busy={revoke.busy}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p>
        <code>{visibleLine(device.id)}</code> gets nothing from now on and can sign nothing. What it has
        received stays on it. This cannot be taken back; the device can only join anew.
      </p>
      <ErrorNote error={revoke.error} />
    </Confirm>
  );
}

/** A device that asks with a code is let in only after the words on both screens were compared. */
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
    say('The new device joins your account.');
    onDone();
  };
  return (
    <>
      <form className="one-line" onSubmit={(event) => void ask(event)}>
        <Field
          label="Let another computer in: the code that it shows"
          value={code}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setCode(event.target.value)}
        />
        <button type="submit" className="button" disabled={code.trim() === '' || look.busy}>
          Look
        </button>
      </form>
      <ErrorNote error={look.error} />
      {asks !== null && (
        <Confirm
          title="Are these words on the other screen?"
          verb="They are the same: let it in"
          busy={approve.busy}
          onConfirm={() => void letIn()}
          onClose={() => setAsks(null)}
        >
          <p className="address">{visibleLine(asks.words)}</p>
          <p>
            If they differ, somebody stands between: cancel. The device will be you, {visibleLine(asks.slug)}:
            it reads what comes from then on, and speaks for you.
          </p>
          <ErrorNote error={approve.error} />
        </Confirm>
      )}
    </>
  );
}
