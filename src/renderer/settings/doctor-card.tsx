import { useState } from 'react';
import type { DoctorCheck } from '../../contract/model.ts';
import { localize, localizeHint, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { StateDot } from '../mark/dot.tsx';
import { ErrorNote, FixButton } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';

/** Self-check of the host; problems come first. */
export function DoctorCard() {
  const doctor = useAction('host.doctor');
  const [checks, setChecks] = useState<readonly DoctorCheck[]>([]);
  const look = async (): Promise<void> => {
    const result = await doctor.run({});
    if (result.ok) setChecks([...result.value.checks].sort((a, b) => weight[b.status] - weight[a.status]));
  };
  const open = checks.filter((check) => check.status !== 'ok').length;
  return (
    <section className="card stack" aria-labelledby="doctor-title">
      <h2 id="doctor-title">{t('upkeep.doctor')}</h2>
      <p className="soft">{t('upkeep.doctorText')}</p>
      <div>
        <button type="button" className="button" disabled={doctor.busy} onClick={() => void look()}>
          {doctor.busy ? t('upkeep.doctorRunning') : t('upkeep.doctorRun')}
        </button>
      </div>
      <ErrorNote error={doctor.error} />
      {checks.length > 0 && (
        <>
          <p role="status">
            {open === 0 ? t('upkeep.doctorFine', { n: checks.length }) : t('upkeep.doctorFound', { n: open })}
          </p>
          <ul className="checks" aria-label={t('upkeep.doctorResults')}>
            {checks.map((check) => (
              <Check key={check.id} check={check} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const weight = { ok: 0, warn: 1, fail: 2 } as const;
const dots = { ok: 'idle', warn: 'needs_you', fail: 'error' } as const;
const words = { ok: 'fine', warn: 'worthALook', fail: 'notWorking' } as const;

function Check({ check }: { check: DoctorCheck }) {
  // A command of the terminal becomes a button that opens the same screen, as in errors.
  const step = { message: '', hint: check.hint === undefined ? '' : localize(check.hint) };
  const hint = visibleLine(localizeHint(step));
  return (
    <li className="check">
      <StateDot state={dots[check.status]} label={t(`upkeep.${words[check.status]}`)} />
      <div>
        <p>
          <strong>{visibleLine(localize(check.title))}</strong>{' '}
          <bdi>{visibleLine(localize(check.detail))}</bdi>
        </p>
        {hint !== '' && <p className="soft">{hint}</p>}
        <FixButton error={step} />
      </div>
    </li>
  );
}
