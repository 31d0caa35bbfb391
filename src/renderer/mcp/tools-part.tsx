import { useMemo, useState } from 'react';
import type { McpServerDetail, McpToolView } from '../../contract/mcp-server-methods.ts';
import { t } from '../../language/texts.ts';
import { shortLine, shortText } from '../format/short-text.ts';
import { fieldsOf, isObject, type SchemaField } from '../forms/schema-fields.ts';
import { Icon } from '../mark/icon.tsx';
import { Field } from '../parts/field.tsx';
import { LabelledText } from '../parts/labelled-text.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { TryTool } from './try-tool.tsx';

/** More tools get a field to find one. */
const manyTools = 8;
const maxDescription = 4_000;

/** Tools of a server. All texts are the server's, and shown as plain text. */
export function ServerTools({ server }: { server: McpServerDetail }) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState<string | null>(null);
  const { accepted, tools } = server;
  if (accepted.length === 0)
    return <p className="card-empty">{tools === null ? t('mcp.noTools') : t('mcp.offersNone')}</p>;
  const wanted = text.trim().toLowerCase();
  const found = accepted.filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(wanted),
  );
  return (
    <div className="stack">
      {accepted.length > manyTools && (
        <Field
          label={t('mcp.findTool')}
          type="search"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      {found.length === 0 && <p className="card-empty">{t('mcp.noToolFound')}</p>}
      <ul className="server-tools">
        {found.map((tool) => (
          <li key={tool.name}>
            <button
              type="button"
              className="row"
              aria-expanded={open === tool.name}
              onClick={() => setOpen(open === tool.name ? null : tool.name)}
            >
              <span className={open === tool.name ? 'chevron is-open' : 'chevron'}>
                <Icon name="chevron" size={14} />
              </span>
              <code className="row-name">{shortLine(tool.name, 80)}</code>
              <span className="row-now">
                <bdi>{shortLine(tool.description.split('\n')[0] ?? '', 160)}</bdi>
              </span>
            </button>
            {open === tool.name && <ToolDetail server={server} tool={tool} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function ToolDetail({ server, tool }: { server: McpServerDetail; tool: McpToolView }) {
  const [tries, setTries] = useState(false);
  const { description, parameters, definition } = tool;
  const fields = useMemo(() => argumentsOf(parameters), [parameters]);
  return (
    <div className="server-tool stack">
      {description.trim() === '' ? (
        <p className="soft">{t('mcp.noDescription')}</p>
      ) : (
        <LabelledText label={t('mcp.description')} text={shortText(description, maxDescription)} />
      )}
      <Arguments fields={fields} />
      <Claims tool={tool} />
      <details>
        <summary>{t('mcp.definition')}</summary>
        <LabelledText label={t('mcp.definition')} text={shortText(definition, 50_000)} />
      </details>
      <p className="button-row">
        <button type="button" className="button" onClick={() => setTries(true)}>
          <Icon name="play" size={14} /> {t('mcp.tryTool')}
        </button>
      </p>
      {tries && <TryTool server={server} tool={tool} fields={fields} onClose={() => setTries(false)} />}
    </div>
  );
}

const maxMeaning = 600;

/** The arguments as fields of a form; empty for a tool without any. */
function argumentsOf(parameters: McpToolView['parameters']): readonly SchemaField[] {
  const { properties } = parameters;
  const hasAny = isObject(properties) ? Object.keys(properties).length > 0 : properties !== undefined;
  if (!hasAny && ['oneOf', 'anyOf', 'allOf', '$ref'].every((key) => parameters[key] === undefined)) return [];
  return fieldsOf({ type: 'object', ...parameters }, undefined).map((field) => ({
    ...field,
    label: shortText(field.path.at(-1) ?? '', 100),
    description: shortText(field.description, maxMeaning),
  }));
}

function plainChoice(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
}

function typeWords({ kind, choices }: SchemaField): string {
  if (kind !== 'choice') return t(`mcp.type_${kind}`);
  return t('mcp.type_choice', { choices: shortLine(choices.map(plainChoice).join(', '), 200) });
}

function Arguments({ fields }: { fields: readonly SchemaField[] }) {
  if (fields.length === 0) return <p className="soft">{t('mcp.noArguments')}</p>;
  return (
    <div>
      <p className="fine">{t('mcp.arguments')}</p>
      <ScrollRegion className="table-scroll" label={t('mcp.arguments')}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('mcp.argument')}</th>
              <th scope="col">{t('mcp.type')}</th>
              <th scope="col">{t('mcp.meaning')}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field.path.join('\0')}>
                <td>
                  <code>{shortLine(field.path.join(' · '), 120)}</code>
                  {field.required && <span className="fine"> {t('mcp.required')}</span>}
                </td>
                <td>{typeWords(field)}</td>
                <td>
                  <bdi>{shortLine(field.description, maxMeaning)}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  );
}

function claimWords({ claims }: McpToolView): readonly string[] {
  const { readOnly, destructive, idempotent, openWorld } = claims;
  return [
    ...(readOnly === undefined ? [] : [t(readOnly ? 'mcp.readOnly' : 'mcp.writes')]),
    ...(destructive === undefined ? [] : [t(destructive ? 'mcp.destructive' : 'mcp.keeps')]),
    ...(idempotent === true ? [t('mcp.idempotent')] : []),
    ...(openWorld === undefined ? [] : [t(openWorld ? 'mcp.openWorld' : 'mcp.closedWorld')]),
  ];
}

function Claims({ tool }: { tool: McpToolView }) {
  const said = claimWords(tool);
  if (said.length === 0) return null;
  return (
    <div>
      <p className="fine">{t('mcp.claims')}</p>
      <p className="chip-row">
        {said.map((claim) => (
          <span key={claim} className="chip">
            {claim}
          </span>
        ))}
      </p>
    </div>
  );
}
