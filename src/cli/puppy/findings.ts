import { checkSource, lineOfText } from '../../library/puppy/check-source.ts';
import { formOf, type WorkflowSource } from '../../library/puppy/read-source.ts';
import { copy } from '../copy.ts';
import { printable, printableJson, visibleText } from '../visible-text.ts';

// Findings of a check, for people and programs.

const fileOf = (source: WorkflowSource): string => {
  const form = formOf(source);
  return 'file' in form && typeof form.file === 'string' ? form.file : 'pipeline';
};

/** Exit code 1 if the workflow cannot start. */
export function printFindings(source: WorkflowSource, json: boolean): number {
  const { findings, errors, text } = findingsText(source);
  const all = json ? printableJson(JSON.stringify({ ok: errors === 0, findings }, null, 2)) : printable(text);
  process.stdout.write(`${all}\n`);
  return errors === 0 ? 0 : 1;
}

/** For people: each finding with its source line, and the totals. */
export function findingsText(source: WorkflowSource) {
  const { findings, text } = checkSource(source, process.cwd());
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const lines = findings.map(({ severity, rule, message, hint, line, column }) => {
    const place = line > 0 ? `${fileOf(source)}:${line}:${column}` : fileOf(source);
    const said = `${place}: ${copy(`cliPuppy.severity_${severity}`)}: ${message}${hint === undefined ? '' : ` ${hint}`} [${rule}]`;
    const written = lineOfText(text, line);
    return visibleText(written === '' ? said : `${said}\n  ${String(line).padStart(4)} | ${written}`);
  });
  const warnings = findings.length - errors;
  const sum =
    findings.length === 0
      ? copy('cliPuppy.noFindings', { file: fileOf(source) })
      : copy('cliPuppy.findings', { errors, warnings });
  return { findings, errors, text: [...lines, sum].join('\n') };
}
