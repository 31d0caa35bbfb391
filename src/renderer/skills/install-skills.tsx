import { useEffect, useId, useState } from 'react';
import type { MethodOutput } from '../../contract/methods.ts';
import type { SkillOffer } from '../../contract/skill-methods.ts';
import { localize, t } from '../../language/texts.ts';
import { bytesWords } from '../format/amounts.ts';
import { shortLine } from '../format/short-text.ts';
import { visibleLine } from '../format/visible-text.ts';
import { DiffLines } from '../inbox/preview.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { useDesktop } from '../settings/use-desktop.ts';
import { useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useAgent } from '../state/subscriptions.ts';

interface InstallOf {
  /** `null`: for all agents. */
  readonly agent: string | null;
  onClose(): void;
}

const ownerOf = (agent: string | null) => (agent === null ? {} : { agent });

type Preview = MethodOutput<'skills.preview'>;

/** Chooses a source, shows every text in it, and installs exactly these files. */
export function InstallSkills({ agent, onClose }: InstallOf) {
  const preview = useAction('skills.preview');
  const [seen, setSeen] = useState<Preview | null>(null);
  const name = useAgent(agent ?? '')?.displayName ?? agent ?? '';
  const look = async (source: string): Promise<void> => {
    const found = await preview.run({ ...ownerOf(agent), source });
    if (found.ok) setSeen(found.value);
  };
  return (
    <Dialog title={t('skills.installTitle')} wide onClose={onClose}>
      <div className="stack">
        <p className="soft">
          {t('skills.installFor', { who: agent === null ? t('mcp.allAgents') : visibleLine(name) })}
        </p>
        {seen === null ? (
          <Source busy={preview.busy} look={look} />
        ) : (
          <Offers
            agent={agent}
            preview={seen}
            again={() => look(seen.source)}
            onOther={() => setSeen(null)}
            onClose={onClose}
          />
        )}
        <ErrorNote error={preview.error} />
      </div>
    </Dialog>
  );
}

/** Shows what changed in the source of an installed skill. */
export function UpdateSkill({ agent, name, onClose }: InstallOf & { readonly name: string }) {
  const { run, error } = useAction('skills.preview');
  const [seen, setSeen] = useState<Preview | null>(null);
  const look = async (): Promise<void> => {
    const found = await run({ ...ownerOf(agent), name });
    if (found.ok) setSeen(found.value);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads once when it opens
  useEffect(() => void look(), []);
  return (
    <Dialog title={t('skills.updateTitle', { name: shortLine(name, 80) })} wide onClose={onClose}>
      <div className="stack">
        {seen === null && error === null && <p role="status">{t('skills.looking')}</p>}
        <ErrorNote error={error} />
        {seen !== null && <Offers agent={agent} preview={seen} again={look} onClose={onClose} />}
      </div>
    </Dialog>
  );
}

interface SourceOf {
  readonly busy: boolean;
  look(source: string): Promise<void>;
}

/** The system's dialogs in the app; a path anywhere. */
function Source({ busy, look }: SourceOf) {
  const { state } = useDesktop();
  const pick = useAction('desktop.pickSkills');
  const [path, setPath] = useState('');
  const choose = async (what: 'folder' | 'file'): Promise<void> => {
    const picked = await pick.run({ what });
    if (!picked.ok || picked.value.path === null) return;
    setPath(picked.value.path);
    await look(picked.value.path);
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (path.trim() !== '' && !busy) void look(path.trim());
      }}
    >
      {state === 'there' && (
        <p className="button-row">
          <button type="button" className="button" disabled={busy} onClick={() => void choose('folder')}>
            {t('skills.chooseFolder')}
          </button>
          <button type="button" className="button" disabled={busy} onClick={() => void choose('file')}>
            {t('skills.chooseFile')}
          </button>
        </p>
      )}
      <ErrorNote error={pick.error} />
      <Field
        label={t('skills.path')}
        hint={t('skills.pathHint')}
        spellCheck={false}
        autoComplete="off"
        value={path}
        onChange={({ target }) => setPath(target.value)}
      />
      <footer className="dialog-foot">
        <button type="submit" className="button is-primary" disabled={busy || path.trim() === ''}>
          {busy ? t('skills.looking') : t('skills.look')}
        </button>
      </footer>
    </form>
  );
}

interface OffersOf extends InstallOf {
  readonly preview: Preview;
  /** Reads the source again, because it has changed. */
  again(): Promise<void>;
  /** Absent for an update. */
  onOther?(): void;
}

function Offers({ agent, preview, again, onOther, onClose }: OffersOf) {
  const install = useAction('skills.install');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { source, offers } = preview;
  const open = offers.filter(({ change }) => change !== 'same');
  const chosen = open.filter(({ name }) => !left.has(name));
  const turn = (name: string, isTaken: boolean): void => {
    const next = new Set(left);
    if (isTaken) next.delete(name);
    else next.add(name);
    setLeft(next);
  };
  const run = async (): Promise<void> => {
    const skills = chosen.map(({ name, digest }) => ({ name, digest }));
    const done = await install.run({ ...ownerOf(agent), source, skills });
    if (done.ok) {
      showNotice(t('skills.installed', { count: done.value.installed.length }));
      onClose();
    } else if (done.error.code === 'conflict') await again();
  };
  return (
    <>
      <p className="fine">
        <bdi>{visibleLine(source)}</bdi>
      </p>
      {open.length === 0 && <p>{t('skills.nothingNew')}</p>}
      <ul className="skill-offers" aria-label={t('skills.offers')}>
        {offers.map((offer) => (
          <Offer
            key={offer.name}
            offer={offer}
            isTaken={!left.has(offer.name)}
            onTurn={(isTaken) => turn(offer.name, isTaken)}
          />
        ))}
      </ul>
      <ErrorNote error={install.error} />
      <footer className="dialog-foot">
        {onOther !== undefined && (
          <button type="button" className="button" onClick={onOther}>
            {t('skills.other')}
          </button>
        )}
        <button
          type="button"
          className="button is-primary"
          disabled={install.busy || chosen.length === 0}
          onClick={() => void run()}
        >
          {t('skills.installThese', { count: chosen.length })}
        </button>
      </footer>
    </>
  );
}

interface OfferOf {
  readonly offer: SkillOffer;
  readonly isTaken: boolean;
  onTurn(isTaken: boolean): void;
}

function Offer({ offer, isTaken, onTurn }: OfferOf) {
  const id = useId();
  const { change, description, files, diff, cut, warnings } = offer;
  const name = shortLine(offer.name, 80);
  return (
    <li className="card stack">
      <div className="skill-offer">
        <input
          type="checkbox"
          id={id}
          checked={isTaken && change !== 'same'}
          disabled={change === 'same'}
          onChange={({ target }) => onTurn(target.checked)}
        />
        <label htmlFor={id}>
          <strong>{name}</strong> <span className="chip">{t(`skills.offer_${change}`)}</span>
          <span className="skill-words">
            <bdi>{shortLine(description, 400)}</bdi>
          </span>
          <span className="fine">
            {files
              .slice(0, 20)
              .map(({ path, size }) => `${shortLine(path, 120)} (${bytesWords(size)})`)
              .join(', ')}
          </span>
        </label>
      </div>
      {warnings.map((warning) => {
        const text = shortLine(localize(warning), 300);
        return (
          <Note key={text} tone="warning">
            {text}
          </Note>
        );
      })}
      {diff !== '' && (
        <ScrollRegion
          className="ask-preview is-diff"
          label={t(change === 'new' ? 'skills.textOf' : 'skills.changesOf', { name })}
        >
          <DiffLines body={diff} />
        </ScrollRegion>
      )}
      {cut && <Note tone="warning">{t('skills.cut')}</Note>}
    </li>
  );
}
