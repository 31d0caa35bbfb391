/** What the check of a file has to say, with its place. Errors keep a file from starting; warnings do not. */
import { type AppError, appError } from '../../../contract/errors.ts';

export type Severity = 'error' | 'warning';

export interface Finding {
  readonly severity: Severity;
  /** A stable name for one kind of finding: `unknown-field`, `forward-reference` … */
  readonly rule: string;
  readonly message: string;
  /** What to write instead. */
  readonly hint?: string;
  /** The stable path of the step, or empty for the file itself. */
  readonly path: string;
  /** From 1; 0 when the workflow was no text. */
  readonly line: number;
  /** From 1, in UTF-16 code units; 0 when the workflow was no text. */
  readonly column: number;
}

export type Position = Pick<Finding, 'line' | 'column'>;

/** Where the step of a path stands in its text, or a field of it; the empty path is the file. */
export type Locate = (path: string, field?: string) => Position;

export const nowhere: Position = { line: 0, column: 0 };

export const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some((finding) => finding.severity === 'error');

/** The first error in the shape that crosses borders. */
export function findingError(finding: Finding): AppError {
  const where = finding.line > 0 ? `line ${finding.line}, column ${finding.column}` : finding.path;
  return appError('invalid_input', finding.message, {
    ...(finding.hint === undefined ? {} : { hint: finding.hint }),
    ...(where === '' ? {} : { where }),
  });
}

/** `invalid_input`: the first error in full with its place, and how many there are. `name`: of the file, null: it lies nowhere. */
export function findingsError(findings: readonly Finding[], name: string | null): AppError {
  const wrong = findings.filter(({ severity }) => severity === 'error');
  const [first] = wrong;
  const place = first && first.line > 0 ? ` (${name === null ? '' : `${name}, `}line ${first.line})` : '';
  const more = wrong.length > 1 ? ` There are ${wrong.length} errors.` : '';
  const message = first ? `${first.message}${place}${more}` : 'The workflow cannot be read.';
  return appError('invalid_input', message, first?.hint === undefined ? {} : { hint: first.hint });
}
