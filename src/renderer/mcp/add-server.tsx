import { type ChangeEvent, type FormEvent, useId, useState } from 'react';
import { splitArgv } from '../../contract/argv-text.ts';
import { readCodexSettings } from '../../contract/codex-settings.ts';
import { textError } from '../../contract/errors.ts';
import type { McpServerView } from '../../contract/mcp-server-methods.ts';
import { type FoundServer, type FoundServers, readServerSettings } from '../../contract/mcp-settings.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { AreaField, Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Segments } from '../parts/segments.tsx';
import { useAction, useSubmit } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useAgent } from '../state/subscriptions.ts';
import { AllowServer } from './allow-server.tsx';
import { FoundList } from './found-list.tsx';
import { emptyValue, type NamedValue, NamedValues, namedValues } from './named-values.tsx';

interface AddOf {
  /** `null`: for all agents. */
  readonly agent: string | null;
  onClose(): void;
}

const kinds = ['paste', 'command', 'address'] as const;
type Kind = (typeof kinds)[number];

const maxFile = 16 * 1024 * 1024;
const nameRules = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Adds a server from a snippet, a command or an address, and then shows what would run. */
export function AddServer({ agent, onClose }: AddOf) {
  const [kind, setKind] = useState<Kind>('paste');
  const [added, setAdded] = useState<McpServerView | null>(null);
  const onAdded = (servers: readonly McpServerView[]): void => {
    const [first] = servers;
    if (first !== undefined && servers.length === 1) setAdded(first);
    else {
      showNotice(t('mcp.added', { count: servers.length }));
      onClose();
    }
  };
  return (
    <Dialog title={added === null ? t('mcp.addTitle') : added.name} wide onClose={onClose}>
      {added === null ? (
        <div className="stack">
          <Owner agent={agent} />
          <Segments
            label={t('mcp.how')}
            value={kind}
            options={kinds.map((key) => [key, t(`mcp.how_${key}`)] as const)}
            onChange={(next: Kind) => setKind(next)}
          />
          {kind === 'paste' ? (
            <PasteForm agent={agent} onAdded={onAdded} onCancel={onClose} />
          ) : (
            <EntryForm key={kind} kind={kind} agent={agent} onAdded={onAdded} onCancel={onClose} />
          )}
        </div>
      ) : (
        <AllowServer server={added} onChanged={onClose} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Owner({ agent }: { agent: string | null }) {
  const name = useAgent(agent ?? '')?.displayName ?? agent ?? '';
  const who = agent === null ? t('mcp.allAgents') : visibleLine(name);
  return <p className="soft">{t('mcp.addFor', { who })}</p>;
}

interface FormOf {
  readonly agent: string | null;
  onAdded(servers: readonly McpServerView[]): void;
  onCancel(): void;
}

const ownerOf = (agent: string | null) => (agent === null ? {} : { agent });

/** Adds servers one after the other, and stops at the first that fails. */
function useAdding(agent: string | null, onAdded: FormOf['onAdded']) {
  const add = useAction('mcpServers.add');
  const [done, setDone] = useState<readonly McpServerView[]>([]);
  const run = async (servers: readonly FoundServer[]): Promise<void> => {
    const names = new Set(done.map(({ name }) => name));
    const all = [...done];
    for (const { name, entry, secrets } of servers.filter((one) => !names.has(one.name))) {
      const result = await add.run({ ...ownerOf(agent), name, entry, secrets });
      if (!result.ok) {
        setDone(all);
        return;
      }
      all.push(result.value);
    }
    onAdded(all);
  };
  return { run, error: add.error };
}

function PasteForm({ agent, onAdded, onCancel }: FormOf) {
  const [text, setText] = useState('');
  const found = text.trim() === '' ? undefined : readServerSettings(text);
  return (
    <>
      <AreaField
        label={t('mcp.snippet')}
        hint={t('mcp.snippetHint')}
        className="is-mono"
        rows={8}
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <FoundForm
        key={JSON.stringify(found ?? null)}
        agent={agent}
        found={found}
        broken={t('mcp.snippetBroken')}
        onAdded={onAdded}
        onCancel={onCancel}
      />
    </>
  );
}

interface FoundOf extends FormOf {
  /** `null` for an unreadable text, `undefined` without a text. */
  readonly found: FoundServers | null | undefined;
  /** Shown for an unreadable text. */
  readonly broken: string;
}

function FoundForm({ agent, found, broken, onAdded, onCancel }: FoundOf) {
  const servers = found?.servers ?? [];
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const adding = useAdding(agent, onAdded);
  const chosen = servers.filter(({ name }) => !left.has(name));
  const { busy, submit } = useSubmit(() => adding.run(chosen));
  const problem =
    found === undefined
      ? null
      : found === null
        ? broken
        : servers.length === 0
          ? t('mcp.snippetEmpty')
          : null;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen.length > 0) submit();
      }}
    >
      {problem !== null && (
        <p className="field-hint" role="status">
          {problem}
        </p>
      )}
      <FoundList servers={servers} skipped={found?.skipped ?? 0} left={left} onChange={setLeft} />
      <FormFoot
        action={{ busy, error: adding.error }}
        label={t('mcp.addThese', { count: chosen.length })}
        disabled={chosen.length === 0}
        onUnlocked={submit}
        onCancel={onCancel}
      />
    </form>
  );
}

interface EntryOf extends FormOf {
  readonly kind: 'command' | 'address';
}

function EntryForm({ kind, agent, onAdded, onCancel }: EntryOf) {
  const [name, setName] = useState('');
  const [what, setWhat] = useState('');
  const [values, setValues] = useState<readonly NamedValue[]>([emptyValue(0)]);
  const adding = useAdding(agent, onAdded);
  const argv = kind === 'command' ? splitArgv(what) : [what.trim()];
  const [first = '', ...args] = argv ?? [];
  const isNamed = nameRules.test(name);
  const isReady = isNamed && first !== '';
  const secrets = namedValues(values);
  const entry = kind === 'command' ? { type: 'stdio', command: first, args } : { type: 'http', url: first };
  const { busy, submit } = useSubmit(() => adding.run([{ name, entry, secrets }]));
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) submit();
  };
  return (
    <form className="stack" onSubmit={onSubmit}>
      <Field
        label={t('mcp.name')}
        hint={name === '' || isNamed ? t('mcp.nameHint') : t('mcp.nameWrong')}
        aria-invalid={name !== '' && !isNamed}
        maxLength={64}
        spellCheck={false}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Field
        label={t(`mcp.${kind}`)}
        hint={t(`mcp.${kind}Hint`)}
        className="is-mono"
        spellCheck={false}
        autoComplete="off"
        aria-invalid={argv === null}
        placeholder={t(`mcp.${kind}Example`)}
        value={what}
        onChange={({ target }) => setWhat(target.value)}
      />
      <NamedValues kind={kind} values={values} onChange={setValues} />
      <FormFoot
        action={{ busy, error: adding.error }}
        label={t('mcp.next')}
        disabled={!isReady}
        onUnlocked={submit}
        onCancel={onCancel}
      />
    </form>
  );
}

/** Servers of a settings file in JSON, or in the TOML of Codex; `null` if it is neither. */
async function settingsIn(text: string): Promise<FoundServers | null> {
  const found = readServerSettings(text);
  if (found !== null) return found;
  const { parse } = await import('smol-toml');
  const json = readCodexSettings(text, parse);
  return json === null ? null : readServerSettings(json);
}

/** Adds servers from a settings file of another program, after the person chose among them. */
export function ImportServers({ agent, onClose }: AddOf) {
  const id = useId();
  const [found, setFound] = useState<FoundOf['found']>(undefined);
  const [isTooLarge, setTooLarge] = useState(false);
  const take = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = target.files?.[0];
    if (file === undefined) return;
    setTooLarge(file.size > maxFile);
    setFound(file.size > maxFile ? undefined : await settingsIn(await file.text()));
  };
  const onAdded = (servers: readonly McpServerView[]): void => {
    showNotice(t('mcp.added', { count: servers.length }));
    onClose();
  };
  return (
    <Dialog title={t('mcp.importTitle')} wide onClose={onClose}>
      <div className="stack">
        <p>{t('mcp.importText')}</p>
        <Owner agent={agent} />
        <div className="field">
          <label htmlFor={id}>{t('mcp.importFile')}</label>
          <input id={id} type="file" aria-describedby={`${id}-hint`} onChange={(event) => void take(event)} />
          <p className="field-hint" id={`${id}-hint`}>
            {t('mcp.importPlaces')}
          </p>
        </div>
        <ErrorNote error={isTooLarge ? textError('too_large', t('mcp.importTooLarge')) : null} />
        <FoundForm
          key={JSON.stringify(found ?? null)}
          agent={agent}
          found={found}
          broken={t('mcp.fileBroken')}
          onAdded={onAdded}
          onCancel={onClose}
        />
      </div>
    </Dialog>
  );
}
