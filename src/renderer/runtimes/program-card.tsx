import { useCallback, useEffect, useState } from 'react';
import type { MethodOutput } from '../../contract/methods.ts';
import { locale, t } from '../../language/texts.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { CommandLine } from '../parts/command-line.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Fact } from '../parts/fact.tsx';
import { Ago, For } from '../parts/time.tsx';
import { ProcessList } from '../processes/process-list.tsx';
import { useReplica } from '../state/subscriptions.ts';
import { CanaryTest } from './canary-test.tsx';

type Program = MethodOutput<'harnesses.ofAgent'>;

const lookMs = 3_000;

/** Read again while it is shown, because processes and terminals come and go. */
function useProgram(agent: string) {
  const { link } = useReplica();
  const [value, setValue] = useState<Program | null>(null);
  const reload = useCallback(async () => {
    const found = await link.call('harnesses.ofAgent', { agent });
    if (found.ok) setValue(found.value);
  }, [link, agent]);
  useEffect(() => {
    void reload();
    const look = (): void => {
      if (document.visibilityState === 'visible') void reload();
    };
    const timer = setInterval(look, lookMs);
    return () => clearInterval(timer);
  }, [reload]);
  return { value, reload };
}

/** The program that runs an agent, as it is now; nothing for an agent that Kennel itself runs. */
export function ProgramCard({ agent }: { agent: string }) {
  const { value, reload } = useProgram(agent);
  if (value === null || value.harness === null) return null;
  const { harness, context, terminalSince, canAttach } = value;
  return (
    <section className="card stack one-form program-card" aria-labelledby="program-title">
      <header className="card-head">
        <h2 id="program-title">{harness.title}</h2>
        {canAttach && <AttachButton agent={agent} title={harness.title} />}
      </header>
      {terminalSince !== null && (
        <p role="status" className="in-terminal">
          <StateDot state="working" size={12} label="" />
          {t.rich('programs.inTerminal', { time: () => <For key="time" since={terminalSince} /> })}
        </p>
      )}
      <dl className="program-facts">
        <Fact name={t('programs.asks')}>
          <CanaryTest view={harness} onTested={() => void reload()} />
        </Fact>
        <Fact name={t('programs.context')}>
          {context === null ? t('programs.contextUnknown') : <Context context={context} />}
        </Fact>
      </dl>
      <ProcessList agent={agent} />
    </section>
  );
}

function Context({ context }: { context: NonNullable<Program['context']> }) {
  const { used, size, at } = context;
  const number = (value: number): string => value.toLocaleString(locale());
  const when = { when: () => <Ago key="when" at={at} /> };
  if (size === null) return t.rich('programs.contextUsed', { used: number(used), ...when });
  const share = (used / size).toLocaleString(locale(), { style: 'percent', maximumFractionDigits: 0 });
  return t.rich('programs.contextOf', { used: number(used), size: number(size), share, ...when });
}

function AttachButton({ agent, title }: { agent: string; title: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button is-small" onClick={() => setOpen(true)}>
        <Icon name="terminal" size={14} /> {t('programs.attach')}
      </button>
      {open && (
        <Dialog title={t('programs.attachTitle', { title })} onClose={() => setOpen(false)}>
          <div className="stack">
            <p>{t('programs.attachText')}</p>
            <CommandLine command={`kennel attach ${agent}`} label={t('programs.copyAttach')} />
            <p className="soft">{t('programs.attachMeans')}</p>
          </div>
        </Dialog>
      )}
    </>
  );
}
