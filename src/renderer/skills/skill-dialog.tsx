import { useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import type { SkillView } from '../../contract/skill-methods.ts';
import { localize, t } from '../../language/texts.ts';
import { bytesWords } from '../format/amounts.ts';
import { shortLine, shortText } from '../format/short-text.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fact } from '../parts/fact.tsx';
import { LabelledText } from '../parts/labelled-text.tsx';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

const maxText = 64 * 1024;

interface DialogOf {
  readonly agent: string | null;
  readonly skill: SkillView;
  onClose(): void;
}

/** The files of a skill as plain text; one of the workspace is accepted here. */
export function SkillDialog({ agent, skill, onClose }: DialogOf) {
  const { link } = useReplica();
  const [shown, setShown] = useState<MethodOutput<'skills.show'> | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [looks, setLooks] = useState(0);
  const { name, folder } = skill;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `looks` asks for another reading
  useEffect(() => {
    let gone = false;
    const owner = agent === null ? {} : { agent };
    const where = folder === '' ? {} : { folder };
    void link.call('skills.show', { ...owner, name, ...where }).then((result) => {
      if (gone) return;
      setShown(result.ok ? result.value : null);
      setError(result.ok ? null : result.error);
    });
    return () => {
      gone = true;
    };
  }, [link, agent, name, folder, looks]);
  return (
    <Dialog title={shortLine(name, 80)} wide onClose={onClose}>
      <div className="stack">
        <ErrorNote error={error} />
        {shown === null && error === null && <Skeleton words={t('skills.reading')} shape="text" count={6} />}
        {shown !== null && <Facts skill={shown.skill} />}
        {shown?.skill.state === 'waiting' && <Note tone="warning">{t('skills.acceptMeans')}</Note>}
        {shown?.files.length === 0 && <p className="soft">{t('skills.noFiles')}</p>}
        {shown?.files.map(({ path, size, contents }) => (
          <div key={path}>
            {contents === null ? (
              <p className="fine">
                <bdi>{visibleLine(path)}</bdi> {t('skills.notText', { size: bytesWords(size) })}
              </p>
            ) : (
              <LabelledText
                label={visibleLine(path)}
                text={contents === '' ? ' ' : shortText(contents, maxText)}
              />
            )}
          </div>
        ))}
        {agent !== null && shown?.skill.state === 'waiting' && (
          <Accept agent={agent} skill={shown.skill} onClose={onClose} onChanged={() => setLooks(looks + 1)} />
        )}
      </div>
    </Dialog>
  );
}

function Facts({ skill: { state, place, folder, origin, digest, warnings } }: { skill: SkillView }) {
  return (
    <>
      <dl className="process-facts skill-facts">
        <Fact name={t('mcp.stateFact')}>
          {t(`skills.state_${state}`)}, {t(`skills.place_${place}`)}
        </Fact>
        {folder !== '' && <Fact name={t('skills.folder')}>{visibleLine(folder)}</Fact>}
        {origin !== null && <Fact name={t('skills.from')}>{visibleLine(origin.source)}</Fact>}
        {origin?.commit && <Fact name={t('skills.commit')}>{visibleLine(origin.commit)}</Fact>}
        {digest !== '' && (
          <Fact name={t('skills.digest')}>
            <code>{digest.slice(0, 16)}</code>
          </Fact>
        )}
      </dl>
      {warnings.map((warning) => {
        const text = shortLine(localize(warning), 300);
        return (
          <Note key={text} tone="warning">
            {text}
          </Note>
        );
      })}
    </>
  );
}

interface AcceptOf {
  readonly agent: string;
  readonly skill: SkillView;
  onClose(): void;
  /** The files are others than the shown ones. */
  onChanged(): void;
}

function Accept({ agent, skill, onClose, onChanged }: AcceptOf) {
  const { name, folder, digest } = skill;
  const accept = useAction('skills.accept');
  const run = async (): Promise<void> => {
    const done = await accept.run({ agent, name, folder, digest });
    if (done.ok) {
      showNotice(t('skills.accepted', { name: shortLine(name, 80) }));
      onClose();
    } else if (done.error.code === 'conflict') onChanged();
  };
  return (
    <>
      <ErrorNote error={accept.error} />
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          {t('mcp.notNow')}
        </button>
        <button type="button" className="button is-primary" disabled={accept.busy} onClick={() => void run()}>
          {t('skills.accept')}
        </button>
      </footer>
    </>
  );
}
