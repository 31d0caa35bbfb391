import { useEffect, useState } from 'react';
import type { MethodOutput } from '../../contract/methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Fact } from '../parts/fact.tsx';
import { Field } from '../parts/field.tsx';
import { useReplica } from '../state/subscriptions.ts';

interface ContainerOf {
  readonly agent: string;
  /** `docker_image` of agent.yml; empty for the image that Kennel builds. */
  readonly image: string;
  onImage(image: string): void;
}

/** Image, limits and state of the agent's container. */
export function ContainerFields({ agent, image, onImage }: ContainerOf) {
  const { link } = useReplica();
  const [now, setNow] = useState<MethodOutput<'images.container'> | null>(null);
  useEffect(() => {
    let left = false;
    void link.call('images.container', { agent }).then((answer) => {
      if (!left && answer.ok) setNow(answer.value);
    });
    return () => {
      left = true;
    };
  }, [link, agent]);
  return (
    <>
      <Field
        label={t('containers.ownImage')}
        hint={t('containers.ownImageHint')}
        value={image}
        placeholder={now?.image ?? ''}
        maxLength={300}
        onChange={(event) => onImage(event.target.value)}
      />
      {now !== null && (
        <dl className="program-facts">
          <Fact name={t('containers.state')}>{stateText(now)}</Fact>
          <Fact name={t('containers.limits')}>
            {t('containers.limitsAre', {
              memory: now.memory === '' ? t('containers.unlimited') : visibleLine(now.memory),
              cpus: now.cpus,
              processes: now.processes,
            })}
          </Fact>
        </dl>
      )}
    </>
  );
}

function stateText({ image, isImageThere, state }: MethodOutput<'images.container'>): string {
  if (!isImageThere) return t('containers.agentImageMissing', { image: visibleLine(image) });
  return state === null ? t('containers.notStarted') : t('containers.stateIs', { state: visibleLine(state) });
}
