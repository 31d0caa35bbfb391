import { useState } from 'react';
import type { DoctorCheck } from '../../contract/model.ts';
import { StateDot } from '../mark/dot.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { For } from '../parts/time.tsx';
import { useAction } from '../state/action.ts';
import { useHost } from '../state/subscriptions.ts';

export function AboutCard() {
  const version = useHost((host) => host?.version ?? '');
  const home = useHost((host) => host?.home ?? '');
  const pid = useHost((host) => host?.pid ?? 0);
  const startedAt = useHost((host) => host?.startedAt ?? 0);
  return (
    <section className="card stack" aria-labelledby="about-title">
      <h2 id="about-title">About</h2>
      <dl className="facts-list">
        <div className="fact">
          <dt>Version</dt>
          <dd>Kennel {version}</dd>
        </div>
        <div className="fact">
          <dt>Data folder</dt>
          <dd>
            <code className="path">{home}</code>
          </dd>
        </div>
        <div className="fact">
          <dt>Running for</dt>
          <dd>
            <For since={startedAt} /> (process {pid})
          </dd>
        </div>
      </dl>
      <Doctor />
    </section>
  );
}

function Doctor() {
  const doctor = useAction('host.doctor');
  const [checks, setChecks] = useState<readonly DoctorCheck[]>([]);
  const look = async (): Promise<void> => {
    const result = await doctor.run({});
    if (result.ok) setChecks(result.value.checks);
  };
  return (
    <>
      <div>
        <button type="button" className="button" disabled={doctor.busy} onClick={() => void look()}>
          {doctor.busy ? 'Looking…' : 'Check that all is well'}
        </button>
      </div>
      <ErrorNote error={doctor.error} />
      {checks.length > 0 && (
        <ul className="checks" aria-label="Results">
          {checks.map((check) => (
            <Check key={check.id} check={check} />
          ))}
        </ul>
      )}
    </>
  );
}

const dots = { ok: 'idle', warn: 'needs_you', fail: 'error' } as const;
const words = { ok: 'fine', warn: 'worth a look', fail: 'not working' } as const;

function Check({ check }: { check: DoctorCheck }) {
  return (
    <li className="check">
      <StateDot state={dots[check.status]} label={words[check.status]} />
      <div>
        <p>
          <strong>{check.title}</strong> {check.detail}
        </p>
        {check.hint !== undefined && <p className="soft">{check.hint}</p>}
      </div>
    </li>
  );
}
