import { type FormEvent, useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { SpaceLinkView } from '../../contract/link-methods.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { t } from '../../language/texts.ts';
import { exactTime, relativeTime } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ChoiceField } from '../parts/field.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { QrCode } from '../parts/qr-code.tsx';
import { hidden } from '../parts/rich.tsx';
import { useNow } from '../parts/time.tsx';
import { act, useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import type { ShownSpace } from './rights.ts';

type Made = MethodOutput<'links.create'>;

interface Links {
  readonly links: readonly SpaceLinkView[];
  readonly error: AppError | null;
  reload(): void;
}

function useLinks(space: string): Links {
  const { link } = useReplica();
  const [links, setLinks] = useState<readonly SpaceLinkView[]>([]);
  const [error, setError] = useState<AppError | null>(null);
  const reload = useCallback((): void => {
    void link.call('links.list', { space }).then((result) => {
      if (result.ok) setLinks(result.value.links);
      setError(result.ok ? null : result.error);
    });
  }, [link, space]);
  useEffect(reload, [reload]);
  return { links, error, reload };
}

/** Makes, lists and revokes the invite links of a space. */
export function LinksDialog({ space, onClose }: { space: ShownSpace; onClose(): void }) {
  const { links, error, reload } = useLinks(space.id);
  const [made, setMade] = useState<Made | null>(null);
  return (
    <Dialog title={t('spaces.linksOf', { name: visibleLine(space.name) })} onClose={onClose}>
      <div className="stack">
        <p className="soft">{t('spaces.linksIntro')}</p>
        {made !== null && <NewLink made={made} />}
        <MakeLink
          space={space.id}
          onMade={(next) => {
            setMade(next);
            reload();
          }}
        />
        <ErrorNote error={error} />
        {links.length > 0 && (
          <section className="sent-invites" aria-label={t('spaces.linksOpen')}>
            <h3>{t('spaces.linksOpen')}</h3>
            <ul className="member-list">
              {links.map((link) => (
                <LinkRow
                  key={link.id}
                  link={link}
                  space={space.id}
                  onDone={() => {
                    if (made?.id === link.id) setMade(null);
                    reload();
                  }}
                />
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  );
}

const expiries = { '1': 1, '7': 7, never: null } as const;
const counts = { '1': 1, '10': 10, any: null } as const;

function MakeLink({ space, onMade }: { readonly space: string; onMade(made: Made): void }) {
  const create = useAction('links.create');
  const [expiry, setExpiry] = useState<keyof typeof expiries>('7');
  const [count, setCount] = useState<keyof typeof counts>('10');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const made = await create.run({ space, days: expiries[expiry], uses: counts[count] });
    if (made.ok) onMade(made.value);
  };
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <div className="one-line">
        <ChoiceField<keyof typeof expiries>
          label={t('spaces.linkExpiry')}
          value={expiry}
          options={[
            ['1', t('spaces.linkDays', { days: 1 })],
            ['7', t('spaces.linkDays', { days: 7 })],
            ['never', t('spaces.linkNever')],
          ]}
          onChange={setExpiry}
        />
        <ChoiceField<keyof typeof counts>
          label={t('spaces.linkPeople')}
          value={count}
          options={[
            ['1', t('spaces.linkCount', { count: 1 })],
            ['10', t('spaces.linkCount', { count: 10 })],
            ['any', t('spaces.linkUnlimited')],
          ]}
          onChange={setCount}
        />
        <button type="submit" className="button is-primary" disabled={create.busy}>
          {t('spaces.createLink')}
        </button>
      </div>
      <ErrorNote error={create.error} />
    </form>
  );
}

const isLoopback = (url: string): boolean => /^https?:\/\/(127\.|localhost\b|\[::1\])/.test(url);

function NewLink({ made }: { readonly made: Made }) {
  return (
    <div className="device-code stack" role="status">
      <p className="invite-link">
        <code>{visibleLine(made.link)}</code>
        <CopyButton label={t('spaces.copyLink')} text={made.link} />
      </p>
      <QrCode text={made.link} label={t('spaces.linkQr')} />
      <p className="soft">{t('spaces.linkOnce')}</p>
      {isLoopback(made.serverUrl) && <Note tone="warning">{t('spaces.linkLoopback')}</Note>}
    </div>
  );
}

function LinkRow({
  link,
  space,
  onDone,
}: {
  readonly link: SpaceLinkView;
  readonly space: string;
  onDone(): void;
}) {
  const replica = useReplica();
  const [busy, setBusy] = useState(false);
  const now = useNow();
  const isExpired = link.expiresAt !== null && link.expiresAt <= now;
  const isUsedUp = link.maxUses !== null && link.uses >= link.maxUses;
  const made = relativeTime(link.createdAt, now);
  const revoke = async (): Promise<void> => {
    setBusy(true);
    const done = await act(replica.link, 'links.revoke', { space, link: link.id });
    setBusy(false);
    if (done) showNotice(t('spaces.linkRevoked'));
    onDone();
  };
  const used =
    link.maxUses === null
      ? t('spaces.linkUses', { uses: link.uses })
      : t('spaces.linkUsesOf', { uses: link.uses, most: link.maxUses });
  const ends =
    link.expiresAt === null
      ? t('spaces.linkNoExpiry')
      : t(isExpired ? 'spaces.linkExpired' : 'spaces.linkUntil', { at: exactTime(link.expiresAt) });
  return (
    <li className="person">
      <span className="person-words">
        <strong>{t('spaces.linkMade', { at: made })}</strong>
        <span className="soft">
          <Name>{link.inviterName}</Name>
          {` · ${used} · ${ends}`}
        </span>
      </span>
      {isUsedUp && !isExpired && <span className="chip">{t('spaces.linkUsedUp')}</span>}
      <button type="button" className="button is-small" disabled={busy} onClick={() => void revoke()}>
        {t.rich('spaces.revokeLink', { at: made, hidden })}
      </button>
    </li>
  );
}
