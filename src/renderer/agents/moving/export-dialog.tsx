import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../contract/errors.ts';
import type { MethodOutput } from '../../../contract/methods.ts';
import type { AgentSummary } from '../../../contract/model.ts';
import { t } from '../../../language/texts.ts';
import { saveAs } from '../../files/fetch-file.ts';
import { bytesWords } from '../../format/amounts.ts';
import { visibleLine } from '../../format/visible-text.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { NewPassphrase, useNewPassphrase } from '../../parts/new-passphrase.tsx';
import { ErrorNote, Note } from '../../parts/notes.tsx';
import { RadioField } from '../../parts/radio-field.tsx';
import { act } from '../../state/action.ts';
import { useReplica } from '../../state/subscriptions.ts';
import { takePacked } from './transfer.ts';

type Kind = 'bundle' | 'zip';
type Packed = MethodOutput<'bundles.pack'>;

const minPassphrase = 12;

function useExport(agent: AgentSummary) {
  const { link } = useReplica();
  const going = useRef<AbortController | null>(null);
  const [busy, setBusy] = useState(false);
  const [moved, setMoved] = useState<{ readonly received: number; readonly size: number } | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [done, setDone] = useState<Packed | null>(null);
  useEffect(() => () => going.current?.abort(), []);
  const pack = async (kind: Kind, passphrase: string): Promise<Packed | AppError> => {
    const secret = kind === 'bundle' ? { passphrase } : {};
    const packed = await link.call('bundles.pack', { agent: agent.id, kind, ...secret });
    if (!packed.ok) return packed.error;
    const control = new AbortController();
    going.current = control;
    const { transferId, filename, size } = packed.value;
    const taken = await takePacked(link, transferId, {
      signal: control.signal,
      progress: (received) => setMoved({ received, size }),
    });
    if (!taken.ok) return taken.error;
    saveAs(filename, taken.value);
    return packed.value;
  };
  const run = async (kind: Kind, passphrase: string): Promise<void> => {
    setBusy(true);
    setError(null);
    const outcome = await pack(kind, passphrase);
    setBusy(false);
    setMoved(null);
    if ('code' in outcome) setError(outcome);
    else setDone(outcome);
  };
  return { busy, moved, error, done, run };
}

/** Exports an agent as an encrypted bundle with its keys, or as a copy without keys. */
export function ExportDialog({ agent, onClose }: { agent: AgentSummary; onClose(): void }) {
  const out = useExport(agent);
  const [kind, setKind] = useState<Kind>('bundle');
  return (
    <Dialog title={t('moving.exportTitle', { name: visibleLine(agent.displayName) })} onClose={onClose}>
      {out.done === null ? (
        <ExportForm agent={agent} out={out} kind={kind} onKind={setKind} onClose={onClose} />
      ) : (
        <Exported packed={out.done} kind={kind} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface FormOf {
  readonly agent: AgentSummary;
  readonly out: ReturnType<typeof useExport>;
  readonly kind: Kind;
  onKind(kind: Kind): void;
  onClose(): void;
}

function ExportForm({ agent, out, kind, onKind, onClose }: FormOf) {
  const typed = useNewPassphrase();
  const { link } = useReplica();
  const refused = out.error?.code === 'conflict';
  const runs = agent.life !== 'paused' && agent.life !== 'not_connected';
  const ready = kind === 'zip' || (!runs && typed.isRepeated && typed.passphrase.length >= minPassphrase);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (ready && !out.busy) await out.run(kind, typed.passphrase);
  };
  const kinds = [
    ['bundle', t('moving.bundle'), t('moving.bundleMeans')],
    ['zip', t('moving.zip'), t('moving.zipMeans')],
  ] as const;
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <RadioField label={t('moving.what')} value={kind} options={kinds} onChange={onKind} />
      {kind === 'bundle' && (runs || refused) && (
        <Note tone="warning">
          <p>{t('moving.mustPause')}</p>
          <button
            type="button"
            className="button is-small"
            onClick={() => void act(link, 'agents.pause', { agent: agent.id })}
          >
            {t('moving.pauseIt')}
          </button>
        </Note>
      )}
      {kind === 'bundle' && (
        <NewPassphrase typed={typed} label={t('moving.passphrase')} hint={t('moving.passphraseHint')} />
      )}
      <ErrorNote error={refused ? null : out.error} />
      <footer className="dialog-foot">
        {out.busy && <Moving moved={out.moved} />}
        <button type="button" className="button" onClick={onClose}>
          {t('moving.cancel')}
        </button>
        <button type="submit" className="button is-primary" disabled={!ready || out.busy}>
          {t('moving.export')}
        </button>
      </footer>
    </form>
  );
}

function Moving({ moved }: { moved: { readonly received: number; readonly size: number } | null }) {
  return (
    <span className="soft" role="status">
      {moved === null
        ? t('moving.packing')
        : t('moving.loading', { received: bytesWords(moved.received), size: bytesWords(moved.size) })}
    </span>
  );
}

function Exported({ packed, kind, onClose }: { packed: Packed; kind: Kind; onClose(): void }) {
  const values = { count: packed.files, filename: visibleLine(packed.filename) };
  return (
    <div className="stack">
      <p role="status">
        {kind === 'bundle' ? t('moving.exported', values) : t('moving.exportedPlain', values)}
      </p>
      {packed.left.length > 0 && (
        <details>
          <summary>{t('moving.leftBehind', { count: packed.left.length })}</summary>
          <ul className="left-list">
            {packed.left.map((path) => (
              <li key={path}>
                <code className="path">{visibleLine(path)}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      <footer className="dialog-foot">
        <button type="button" className="button is-primary" onClick={onClose}>
          {t('moving.done')}
        </button>
      </footer>
    </div>
  );
}
