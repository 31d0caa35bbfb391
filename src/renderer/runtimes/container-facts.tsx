import { useEffect, useState } from 'react';
import type { EngineView, ImageJob } from '../../contract/container-images.ts';
import type { HarnessView } from '../../contract/harnesses.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { StateDot } from '../mark/dot.tsx';
import { Fact } from '../parts/fact.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';

export type Containers = MethodOutput<'images.list'>;

export const hasEngine = (found: Containers | null): boolean =>
  found?.engines.some(({ state }) => state === 'ready') ?? false;

export const imageOf = (found: Containers | null, id: string) =>
  found?.images.find(({ harness }) => harness === id) ?? null;

interface FactsOf {
  readonly view: HarnessView;
  readonly found: Containers | null;
  onMade(): void;
}

/** Facts about a program that runs in a container. */
export function ContainerFacts({ view, found, onMade }: FactsOf) {
  const image = imageOf(found, view.id);
  return (
    <dl className="program-facts">
      <Fact name={t('containers.container')}>
        {engineText(found?.engines ?? [])}
        {image !== null && hasEngine(found) && (
          <ImageState key={image.image} image={image} job={found?.job ?? null} onMade={onMade} />
        )}
      </Fact>
      <Fact name={t('programs.asks')}>
        {view.gate === 'never' ? t('containers.asksNever') : asksTexts[view.gate]()}
      </Fact>
      <Fact name={t('programs.mayTouch')}>{t('containers.touches')}</Fact>
      <Fact name={t('programs.costs')}>{t('containers.costs')}</Fact>
    </dl>
  );
}

const asksTexts = {
  always: () => t('programs.asksAlways'),
  partly: () => t('programs.asksPartly'),
};

function engineText(engines: readonly EngineView[]): string {
  const ready = engines.find(({ state }) => state === 'ready');
  const [first] = engines;
  const one = ready ?? first;
  if (!one) return t('containers.noEngine');
  const engine = engineNames[one.name];
  switch (one.state) {
    case 'ready':
      return t('containers.byEngine', { engine });
    case 'noPermission':
      return t('containers.noPermission', { engine });
    case 'notRunning':
      return t('containers.notRunning', { engine });
    default:
      return t('containers.engineFailed', { engine, why: visibleLine(one.why) });
  }
}

const engineNames = { docker: 'Docker', podman: 'podman' } as const;

interface ImageOf {
  readonly image: Containers['images'][number];
  readonly job: ImageJob | null;
  onMade(): void;
}

/** Whether the image is there, with the button that builds it. */
function ImageState({ image: { image, harness, title, isThere }, job: known, onMade }: ImageOf) {
  const build = useAction('images.build');
  const stop = useAction('images.stop');
  const [job, setJob] = useState(known?.image === image ? known : null);
  useFollowedJob(job, setJob, onMade);
  const isRunning = job?.state === 'running';
  const begin = async (): Promise<void> => {
    const begun = await build.run({ harness });
    if (begun.ok) setJob(begun.value.job);
  };
  return (
    <div className="image-state">
      <p>{isThere ? t('containers.imageReady', { image }) : t('containers.imageMissing', { title })}</p>
      <p className="canary-run">
        <button
          type="button"
          className="button is-small"
          disabled={build.busy || isRunning}
          onClick={() => void begin()}
        >
          {isThere ? t('containers.buildAgain') : t('containers.build')}
        </button>
        {isRunning && (
          <button type="button" className="link" onClick={() => void stop.run({})}>
            {t('containers.stop')}
          </button>
        )}
        <span role="status" className="soft">
          {isRunning && (
            <>
              <StateDot state="working" size={11} label="" /> {t('containers.building', { title })}
            </>
          )}
        </span>
      </p>
      {job !== null && job.state !== 'done' && job.lines.length > 0 && (
        <pre className="fine image-lines">{job.lines.slice(-4).map(visibleLine).join('\n')}</pre>
      )}
      <ErrorNote error={build.error ?? job?.error ?? null} />
    </div>
  );
}

/** Asks for news of a running job until it ends or the component leaves. */
function useFollowedJob(
  job: ImageJob | null,
  setJob: (job: ImageJob | null) => void,
  onMade: () => void,
): void {
  const { link } = useReplica();
  useEffect(() => {
    if (job?.state !== 'running') return undefined;
    let left = false;
    void link.call('images.wait', { seen: job.lineCount }).then((answer) => {
      if (left) return;
      // The host tells nothing new for a while; the same count asks again.
      const next = answer.ok ? answer.value.job : null;
      setJob(next && { ...next });
      if (next?.state === 'done') onMade();
    });
    return () => {
      left = true;
    };
  }, [job, link, setJob, onMade]);
}
