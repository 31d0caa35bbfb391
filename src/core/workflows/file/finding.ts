/**
 * Findings of the checks of a file, with their positions. Errors keep a file from starting; warnings do not.
 */
import { type AppError, textError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import type { HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';

export type Severity = 'error' | 'warning';

export interface Finding {
  readonly severity: Severity;
  /** Stable name of one kind of finding: `unknown-field`, `forward-reference` … */
  readonly rule: string;
  readonly message: HostText;
  readonly hint?: HostText;
  /** Stable path of the step, or empty for the file itself. */
  readonly path: string;
  /** From 1; 0 if the workflow was not read from text. */
  readonly line: number;
  /** From 1, in UTF-16 code units; 0 if the workflow was not read from text. */
  readonly column: number;
}

export type Position = Pick<Finding, 'line' | 'column'>;

/** Position of a step, or of a field of it, in the text; the empty path is the file. */
export type Locate = (path: string, field?: string) => Position;

export const nowhere: Position = { line: 0, column: 0 };

export const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some((finding) => finding.severity === 'error');

export function findingError(finding: Finding): AppError {
  const where = finding.line > 0 ? `line ${finding.line}, column ${finding.column}` : finding.path;
  return textError('invalid_input', finding.message, {
    ...(finding.hint === undefined ? {} : { hint: finding.hint }),
    ...(where === '' ? {} : { where }),
  });
}

function placedFinding({ message: finding, line }: Finding, file: string | null): HostText {
  if (line === 0) return finding;
  return file === null
    ? say('workflowFiles.findingInLine', { finding, line })
    : say('workflowFiles.findingInFile', { finding, file, line });
}

/**
 * `invalid_input`: the first error in full with its position, and the number of errors. `name`: the file
 * name, `null` if it has no file.
 */
export function findingsError(findings: readonly Finding[], name: string | null): AppError {
  const wrong = findings.filter(({ severity }) => severity === 'error');
  const [first] = wrong;
  if (!first) return fail('invalid_input', 'workflowFiles.workflowUnreadable');
  const placed = placedFinding(first, name);
  const message =
    wrong.length > 1
      ? say('host.twoSentences', {
          first: placed,
          second: say('workflowFiles.errorCount', { n: wrong.length }),
        })
      : placed;
  return textError('invalid_input', message, { hint: first.hint });
}
