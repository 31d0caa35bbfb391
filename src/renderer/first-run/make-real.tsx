import { useState } from 'react';
import type { LocalFind } from '../../contract/home-methods.ts';
import { t } from '../../language/texts.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { useAgent } from '../state/subscriptions.ts';
import { visibleLine } from '../words/visible-text.ts';
import { LocalChoices } from './local-choices.tsx';
import { askMakeReal, useMakingReal } from './make-real-state.ts';

/** Gives a scripted helper a model that this computer already has. The search starts only on request. */
export function MakeReal() {
  const agent = useMakingReal((state) => state.agent);
  return agent === null ? null : <OpenMakeReal key={agent} id={agent} />;
}

const close = (): void => askMakeReal(null);

function OpenMakeReal({ id }: { id: string }) {
  const name = visibleLine(useAgent(id)?.displayName ?? id);
  const find = useAction('setup.findLocal');
  const [found, setFound] = useState<readonly LocalFind[] | null>(null);
  const look = async (): Promise<void> => {
    const result = await find.run({});
    if (result.ok) setFound(result.value.found);
  };
  const usable = found?.some((one) => one.usable) ?? false;
  return (
    <Dialog title={t('firstRun.realTitle', { name })} onClose={close}>
      {found === null && <p>{t('firstRun.realLook')}</p>}
      {found !== null && !usable && (
        <>
          <h3>{t('firstRun.nothingFound')}</h3>
          <p>{t('firstRun.nothingFoundText', { name })}</p>
        </>
      )}
      <ErrorNote error={find.error} />
      {found !== null && found.length > 0 && (
        <LocalChoices key={JSON.stringify(found)} found={found} agent={id} name={name} onDone={close} />
      )}
      {!usable && (
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={close}>
            {t('firstRun.notNow')}
          </button>
          {found !== null && <ToRuntime agent={id} />}
          <button
            type="button"
            className="button is-primary"
            disabled={find.busy}
            onClick={() => void look()}
          >
            {find.busy
              ? t('firstRun.looking')
              : found === null
                ? t('firstRun.look')
                : t('firstRun.lookAgain')}
          </button>
        </footer>
      )}
    </Dialog>
  );
}

function ToRuntime({ agent }: { agent: string }) {
  const leave = (): void => {
    close();
    go({ view: 'agents', agent });
  };
  return (
    <button type="button" className="button" onClick={leave}>
      {t('firstRun.toRuntime')}
    </button>
  );
}
