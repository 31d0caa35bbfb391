import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { HarnessLog } from '../../contract/harness-processes.ts';
import { locale, t } from '../../language/texts.ts';
import { lasting } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ExactText } from '../parts/exact-text.tsx';
import { Fact } from '../parts/fact.tsx';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { Ago, useNow } from '../parts/time.tsx';
import { act } from '../state/action.ts';
import { go } from '../state/route.ts';
import { showNotice } from '../state/screen.ts';
import { useAgent, useReplica } from '../state/subscriptions.ts';
import { type SeenProcess, useProcesses } from './use-processes.ts';

/** Programs of agents that run now: what each uses, and the ways to end it. `agent`: of one agent only. */
export function ProcessList({ agent = null }: { agent?: string | null }) {
  const { processes, error, reload } = useProcesses();
  const shown = processes?.filter((one) => agent === null || one.agentId === agent) ?? null;
  return (
    <div className="stack">
      <ErrorNote error={error} />
      {shown === null && error === null && (
        <p className="card-empty" role="status">
          {t('processes.reading')}
        </p>
      )}
      {shown !== null && shown.length === 0 && (
        <p className="card-empty">{agent === null ? t('processes.none') : t('processes.noneOfAgent')}</p>
      )}
      {shown !== null && shown.length > 0 && (
        <ul className="process-list" aria-label={t('processes.title')}>
          {shown.map((process) => (
            <ProcessRow key={process.id} process={process} named={agent === null} onChanged={reload} />
          ))}
        </ul>
      )}
      {agent !== null && <LastOutput agent={agent} />}
    </div>
  );
}

interface RowOf {
  readonly process: SeenProcess;
  /** Shows whose process it is. */
  readonly named: boolean;
  onChanged(): Promise<void>;
}

function ProcessRow({ process, named, onChanged }: RowOf) {
  const { link } = useReplica();
  const now = useNow(1_000);
  const agent = useAgent(process.agentId);
  const [log, setLog] = useState(false);
  const name = visibleLine(agent?.displayName ?? process.agentId);
  const program = visibleLine(process.program);
  const change = async (method: 'harnesses.endProcess' | 'harnesses.restartProcess'): Promise<void> => {
    const done = await act(link, method, { id: process.id });
    const isStop = method === 'harnesses.endProcess';
    if (done)
      showNotice(isStop ? t('processes.stopped', { program }) : t('processes.restarted', { program }));
    await onChanged();
  };
  const { usage } = process;
  return (
    <li className="card process">
      <header>
        <StateDot state={agent?.dot ?? 'idle'} size={12} label="" />
        <strong>
          {named ? (
            <button
              type="button"
              className="link"
              onClick={() => go({ view: 'agents', agent: process.agentId })}
            >
              <bdi>{name}</bdi>
            </button>
          ) : (
            <bdi>{program}</bdi>
          )}
        </strong>
        <span className="soft">{named ? program : ''}</span>
        <span className="chip">{placeText(process)}</span>
        <span className="process-actions">
          <Menu label={t('processes.actionsOf', { program, pid: process.pid })}>
            <MenuItem onPick={() => setLog(true)}>{t('processes.log')}</MenuItem>
            <MenuItem onPick={() => void change('harnesses.restartProcess')}>
              {t('processes.restart')}
            </MenuItem>
            <MenuItem danger onPick={() => void change('harnesses.endProcess')}>
              {t('processes.stop')}
            </MenuItem>
          </Menu>
        </span>
      </header>
      <dl className="process-facts">
        <Fact name={t('processes.pid')}>{String(process.pid)}</Fact>
        <Fact name={t('processes.age')}>{lasting(process.startedAt, now)}</Fact>
        {usage === null ? (
          <Fact name={t('processes.memory')}>{t('processes.notTold')}</Fact>
        ) : (
          <>
            <Fact name={t('processes.cpu')}>{cpuText(process)}</Fact>
            <Fact name={t('processes.memory')}>{memoryText(usage.memoryBytes)}</Fact>
            <Fact name={t('processes.children')}>{String(usage.processes - 1)}</Fact>
            <Fact name={t('processes.files')}>{usage.openFiles.toLocaleString(locale())}</Fact>
          </>
        )}
      </dl>
      {log && <LogDialog agent={process.agentId} onClose={() => setLog(false)} />}
    </li>
  );
}

function cpuText({ cpuShare, usage }: SeenProcess): string {
  const seconds = t('processes.seconds', { n: Math.round((usage?.cpuMs ?? 0) / 1_000) });
  if (cpuShare === null) return seconds;
  const share = cpuShare.toLocaleString(locale(), { style: 'percent', maximumFractionDigits: 0 });
  return t('processes.cpuNow', { share, seconds });
}

const memoryText = (bytes: number): string =>
  t('processes.megabytes', { n: Math.round(bytes / 1024 / 1024) });

/** The standard error of the agent's newest program, also after its end. */
function LastOutput({ agent }: { agent: string }) {
  const [open, setOpen] = useState(false);
  return (
    <p>
      <button type="button" className="button is-small" onClick={() => setOpen(true)}>
        <Icon name="terminal" size={14} /> {t('processes.lastOutput')}
      </button>
      {open && <LogDialog agent={agent} onClose={() => setOpen(false)} />}
    </p>
  );
}

function LogDialog({ agent, onClose }: { agent: string; onClose(): void }) {
  const { link } = useReplica();
  const [read, setRead] = useState<{ log: HarnessLog | null; error: AppError | null } | null>(null);
  const load = useCallback(async () => {
    const found = await link.call('harnesses.log', { agent });
    setRead(found.ok ? { log: found.value, error: null } : { log: null, error: found.error });
  }, [link, agent]);
  useEffect(() => void load(), [load]);
  const log = read?.log ?? null;
  const ended = log?.endedAt ?? null;
  return (
    <Dialog title={t('processes.logTitle')} wide onClose={onClose}>
      <div className="stack">
        <ErrorNote error={read?.error ?? null} />
        {log !== null && (
          <>
            <p className="soft">
              {ended === null
                ? t('processes.logRunning', { program: visibleLine(log.program) })
                : t.rich('processes.logEnded', {
                    program: visibleLine(log.program),
                    when: () => <Ago key="when" at={ended} />,
                  })}
            </p>
            {log.text.trim() === '' ? (
              <p className="card-empty">{t('processes.logEmpty')}</p>
            ) : (
              <ScrollRegion className="fall-text" label={t('processes.logTitle')}>
                <pre>
                  <ExactText text={log.text} />
                </pre>
              </ScrollRegion>
            )}
          </>
        )}
        <footer className="dialog-foot">
          {log !== null && log.text !== '' && <CopyButton label={t('processes.logCopy')} text={log.text} />}
          <button type="button" className="button" onClick={() => void load()}>
            {t('processes.logAgain')}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}

function placeText({ container, hasWall }: SeenProcess): string {
  if (container !== null) return t('processes.inContainer');
  return hasWall ? t('processes.sandboxed') : t('processes.open');
}
