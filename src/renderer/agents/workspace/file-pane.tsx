import { useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../contract/errors.ts';
import { t } from '../../../language/texts.ts';
import { saveAs } from '../../files/fetch-file.ts';
import { bytesWords } from '../../format/amounts.ts';
import { visibleBody, visibleLine } from '../../format/visible-text.ts';
import { Icon } from '../../mark/icon.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Ago } from '../../parts/time.tsx';
import { useReplica } from '../../state/subscriptions.ts';
import type { OpenFile } from './file-tree.tsx';
import { type FilePreview, previewOf, wholeFile } from './read-file.ts';

/** One file: its type, a preview of the text or picture, and a download. */
export function FilePane({ agent, file: { path, entry } }: { agent: string; file: OpenFile }) {
  const { link } = useReplica();
  const [preview, setPreview] = useState<FilePreview | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    const control = new AbortController();
    void previewOf(link, { agent, path }, control.signal).then((result) => {
      if (control.signal.aborted) return;
      if (result.ok) setPreview(result.value);
      setError(result.ok ? null : result.error);
    });
    return () => control.abort();
  }, [link, agent, path]);
  const name = visibleLine(entry.name);
  return (
    <section className="card stack note-pane" aria-label={name}>
      <header className="card-head">
        <div>
          <h2>
            <bdi>{name}</bdi>
          </h2>
          <p className="fine">
            {bytesWords(entry.size)},{' '}
            {t.rich('workspace.changedAt', { time: () => <Ago key="at" at={entry.modifiedAt} /> })}
          </p>
        </div>
        <Download agent={agent} path={path} name={entry.name} size={entry.size} />
      </header>
      <ErrorNote error={error} />
      {preview === null && error === null && (
        <Skeleton words={t('workspace.reading')} shape="text" count={10} />
      )}
      {preview !== null && <Shown name={name} preview={preview} />}
    </section>
  );
}

function Shown({ name, preview }: { name: string; preview: FilePreview }) {
  switch (preview.kind) {
    case 'none':
      return <p className="soft">{t('workspace.notShown')}</p>;
    case 'picture': {
      const { url, width, height } = preview.picture;
      return <img className="file-picture" src={url} alt={name} width={width} height={height} />;
    }
    case 'text':
      if (preview.text === '') return <p className="soft">{t('workspace.isEmpty')}</p>;
      return (
        <>
          <ScrollRegion className="file-text" label={t('workspace.content', { name })}>
            <bdi>{visibleBody(preview.text)}</bdi>
          </ScrollRegion>
          {!preview.whole && <p className="fine">{t('workspace.showsBeginning')}</p>}
        </>
      );
  }
}

interface DownloadOf {
  readonly agent: string;
  readonly path: string;
  readonly name: string;
  readonly size: number;
}

function Download({ agent, path, name, size }: DownloadOf) {
  const { link } = useReplica();
  const [received, setReceived] = useState<number | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const going = useRef<AbortController | null>(null);
  useEffect(() => () => going.current?.abort(), []);
  const save = async (): Promise<void> => {
    const control = new AbortController();
    going.current = control;
    setError(null);
    setReceived(0);
    const { signal } = control;
    const all = await wholeFile(link, { agent, path }, size, { signal, progress: setReceived });
    setReceived(null);
    if (all.ok) saveAs(name, all.value);
    else if (all.error.code !== 'cancelled') setError(all.error);
  };
  return (
    <div className="actions">
      {received === null ? (
        <button
          type="button"
          className="button is-small"
          aria-label={t('workspace.downloadOne', { name: visibleLine(name) })}
          onClick={() => void save()}
        >
          <Icon name="download" size={16} /> {t('workspace.download')}
        </button>
      ) : (
        <>
          <span className="fine" role="status">
            {t('workspace.of', { received: bytesWords(received), size: bytesWords(size) })}
          </span>
          <button type="button" className="button is-small" onClick={() => going.current?.abort()}>
            {t('workspace.stop')}
          </button>
        </>
      )}
      <ErrorNote error={error} />
    </div>
  );
}
