import { useState } from 'react';
import type { PolicyMode, PolicyRule } from '../../../contract/approvals.ts';
import type { AgentSummary } from '../../../contract/model.ts';
import { t } from '../../../language/texts.ts';
import { Icon } from '../../mark/icon.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { showNotice } from '../../state/screen.ts';
import { BackTestCard } from './back-test.tsx';
import { blankRow, type RuleRow, rowOf, rulesOf } from './rule-rows.ts';
import type { ToolsPart } from './tools-view.ts';

export function RulesCard({ agent, view, save }: ToolsPart & { agent: AgentSummary }) {
  return (
    <section className="card stack rules-card" aria-labelledby="rules-title">
      <h2 id="rules-title">{t('tools.rules')}</h2>
      <p className="soft">{t('tools.rulesText')}</p>
      <RulesEditor
        agent={agent.id}
        mode={view.mode}
        rules={view.rules}
        save={(rules) => save({ rules: [...rules] })}
      />
    </section>
  );
}

interface EditorOf {
  /** `null` for the rules of all agents. */
  readonly agent: string | null;
  readonly mode: PolicyMode | null;
  readonly rules: readonly PolicyRule[];
  save(rules: readonly PolicyRule[]): Promise<boolean>;
}

/** Edits policy rules; the operator can test them against past tool calls before saving. */
export function RulesEditor({ agent, mode, rules: saved, save }: EditorOf) {
  const [rows, setRows] = useState<readonly RuleRow[]>(() => saved.map(rowOf));
  const [saving, setSaving] = useState(false);
  const { rules, faults } = rulesOf(rows);
  const changed = JSON.stringify(rules) !== JSON.stringify(saved) || faults.size > 0;
  const change = (row: RuleRow): void => setRows(rows.map((one) => (one.key === row.key ? row : one)));
  const submit = async (): Promise<void> => {
    setSaving(true);
    const done = await save(rules);
    setSaving(false);
    if (done) showNotice(t('tools.rulesSaved'));
  };
  return (
    <>
      {rows.length > 0 && <RuleTable rows={rows} faults={faults} change={change} remove={setRows} />}
      <footer className="form-foot">
        <button type="button" className="button" onClick={() => setRows([...rows, blankRow()])}>
          <Icon name="plus" size={16} /> {t('tools.addRule')}
        </button>
        <button
          type="button"
          className="button is-primary"
          disabled={!changed || faults.size > 0 || saving}
          onClick={() => void submit()}
        >
          {saving ? t('tools.saving') : t('tools.saveRules')}
        </button>
        {changed && <span className="soft">{t('tools.notSaved')}</span>}
      </footer>
      <BackTestCard agent={agent} rules={rules} mode={mode} disabled={faults.size > 0} />
    </>
  );
}

const columns = ['verdict', 'tool', 'pattern', 'path', 'risk'] as const;

interface TableOf {
  readonly rows: readonly RuleRow[];
  readonly faults: ReadonlyMap<number, string>;
  change(row: RuleRow): void;
  remove(rows: readonly RuleRow[]): void;
}

function RuleTable({ rows, faults, change, remove }: TableOf) {
  return (
    <div className="table-scroll">
      <table className="rule-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {t(`tools.${column}`)}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <Rule
              key={row.key}
              row={row}
              number={index + 1}
              fault={faults.get(row.key) ?? null}
              change={change}
              onRemove={() => remove(rows.filter((one) => one !== row))}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RuleOf {
  readonly row: RuleRow;
  readonly number: number;
  readonly fault: string | null;
  change(row: RuleRow): void;
  onRemove(): void;
}

const texts = [
  ['tool', 'bash_exec'],
  ['pattern', 'bash_exec(ls *)'],
  ['path', 'notes/*'],
] as const;

function Rule({ row, number, fault, change, onRemove }: RuleOf) {
  const faultId = `rule-fault-${row.key}`;
  return (
    <>
      <tr>
        <td>
          <select
            aria-label={t('tools.verdictOf', { n: number })}
            value={row.action}
            onChange={(event) => change({ ...row, action: event.target.value as RuleRow['action'] })}
          >
            <option value="allow">{t('tools.allow')}</option>
            <option value="ask">{t('tools.asks')}</option>
            <option value="deny">{t('tools.deny')}</option>
          </select>
        </td>
        {texts.map(([name, example]) => (
          <td key={name}>
            <input
              aria-label={t(`tools.${name}Of`, { n: number })}
              aria-invalid={fault !== null && (name === 'pattern' || row.pattern === '')}
              aria-describedby={fault === null ? undefined : faultId}
              spellCheck={false}
              placeholder={example}
              value={row[name]}
              onChange={(event) => change({ ...row, [name]: event.target.value })}
            />
          </td>
        ))}
        <td>
          <select
            aria-label={t('tools.riskOf', { n: number })}
            value={row.risk}
            onChange={(event) => change({ ...row, risk: event.target.value as RuleRow['risk'] })}
          >
            <option value="">{t('tools.anyRisk')}</option>
            <option value="low">{t('tools.low')}</option>
            <option value="medium">{t('tools.medium')}</option>
            <option value="high">{t('tools.high')}</option>
          </select>
        </td>
        <td>
          <IconButton
            icon="close"
            label={t('tools.removeRule', { n: number })}
            title={t('tools.remove')}
            onPress={onRemove}
          />
        </td>
      </tr>
      {fault !== null && (
        <tr className="rule-fault">
          <td colSpan={6} id={faultId}>
            {fault}
          </td>
        </tr>
      )}
    </>
  );
}
