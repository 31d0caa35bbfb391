import { useMemo, useState } from 'react';
import type { ToolsConfig } from '../../../contract/work.ts';
import { localize, t } from '../../../language/texts.ts';
import { clause } from '../../format/clause.ts';
import { byWords } from '../../format/order.ts';
import { visibleLine } from '../../format/visible-text.ts';
import { Field, SwitchField } from '../../parts/field.tsx';
import { showNotice } from '../../state/screen.ts';
import { toggleTool } from './toggle-tool.ts';
import { toolWords } from './tool-words.ts';
import type { ToolsPart, ToolsView } from './tools-view.ts';

const groups = ['core', 'files', 'puffo', 'memory', 'shell', 'puppy', 'mcp', 'code'] as const;

function groupWords(group: string): string {
  const known = groups.find((one) => one === group);
  return known === undefined ? visibleLine(group) : t(`tools.${known}`);
}

type Tool = ToolsView['available'][number];

/** All tools of this build by group: whether the agent has each one, and the reason if not. */
export function ToolsCard({ view, save }: ToolsPart) {
  const grouped = useMemo(() => {
    const all = new Map<string, Tool[]>();
    for (const tool of [...view.available].sort((a, b) => byWords(a.name, b.name)))
      all.set(tool.group, [...(all.get(tool.group) ?? []), tool]);
    return [...all];
  }, [view.available]);
  return (
    <section className="card stack" aria-labelledby="tools-title">
      <h2 id="tools-title">{t('tools.title')}</h2>
      {grouped.map(([group, tools]) => (
        <div key={group} className="tool-group">
          <h3>{groupWords(group)}</h3>
          {tools.map((tool) => (
            <SwitchField
              key={tool.name}
              label={visibleLine(tool.name)}
              checked={tool.offered}
              onChange={(on) => void save({ tools: toggleTool(view.tools, tool.name, on) })}
              hint={
                <>
                  <bdi>{visibleLine(toolWords(tool))}</bdi>
                  {!tool.offered && tool.why !== '' && (
                    <em> {t('tools.notOffered', { why: clause(visibleLine(localize(tool.why))) })}</em>
                  )}
                </>
              }
            />
          ))}
        </div>
      ))}
      <details>
        <summary>{t('tools.byHand')}</summary>
        <ListsForm key={JSON.stringify(view.tools)} tools={view.tools} save={save} />
      </details>
    </section>
  );
}

const words = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');

function ListsForm({ tools, save }: { tools: ToolsConfig; save: ToolsPart['save'] }) {
  const [form, setForm] = useState({
    allow: tools.allow.join(', '),
    alsoAllow: tools.alsoAllow.join(', '),
    deny: tools.deny.join(', '),
  });
  const change = (part: Partial<typeof form>): void => setForm((old) => ({ ...old, ...part }));
  const submit = async (): Promise<void> => {
    const next = { allow: words(form.allow), alsoAllow: words(form.alsoAllow), deny: words(form.deny) };
    if (await save({ tools: next })) showNotice(t('tools.listsSaved'));
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label={t('tools.onlyThese')}
        spellCheck={false}
        value={form.allow}
        onChange={(event) => change({ allow: event.target.value })}
        hint={t('tools.onlyTheseHint')}
      />
      <Field
        label={t('tools.alsoThese')}
        spellCheck={false}
        value={form.alsoAllow}
        onChange={(event) => change({ alsoAllow: event.target.value })}
      />
      <Field
        label={t('tools.neverThese')}
        spellCheck={false}
        value={form.deny}
        onChange={(event) => change({ deny: event.target.value })}
      />
      <footer className="form-foot">
        <button type="submit" className="button">
          {t('tools.saveLists')}
        </button>
      </footer>
    </form>
  );
}
