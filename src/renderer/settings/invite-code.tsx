import { useState } from 'react';
import { inviteLink } from '../../contract/invite-link.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { QrCode } from '../parts/qr-code.tsx';
import { useAction } from '../state/action.ts';

/** Creates a sign-up code for the built-in server; the code is shown once. */
export function InviteCode() {
  const make = useAction('relay.invite');
  const [made, setMade] = useState<MethodOutput<'relay.invite'> | null>(null);
  const run = async (): Promise<void> => {
    const result = await make.run({});
    if (result.ok) setMade(result.value);
  };
  const link = made === null ? '' : inviteLink({ serverUrl: made.url, inviteCode: made.code });
  return (
    <section className="card stack" aria-labelledby="invite-code-title">
      <h2 id="invite-code-title">{t('upkeep.relayInvite')}</h2>
      <p className="soft">{t('upkeep.relayInviteText')}</p>
      {made !== null && (
        <div className="device-code" role="status">
          <p>
            <code>{visibleLine(made.code)}</code>
            <CopyButton label={t('upkeep.relayCopyInvite')} text={made.code} />
          </p>
          <p className="invite-link">
            <code>{visibleLine(link)}</code>
            <CopyButton label={t('upkeep.relayCopyLink')} text={link} />
          </p>
          <QrCode text={link} label={t('upkeep.relayQr')} />
          <p className="soft">{t('upkeep.relayCodeOnce', { days: made.validForDays })}</p>
        </div>
      )}
      <div>
        <button type="button" className="button" disabled={make.busy} onClick={() => void run()}>
          {t('upkeep.relayMakeInvite')}
        </button>
      </div>
      <ErrorNote error={make.error} />
    </section>
  );
}
