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
}

export const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some((finding) => finding.severity === 'error');

/** The first error in the shape that crosses borders. */
export function findingError(finding: Finding): AppError {
  const where = finding.line > 0 ? `line ${finding.line}` : finding.path;
  return appError('invalid_input', finding.message, {
    ...(finding.hint === undefined ? {} : { hint: finding.hint }),
    ...(where === '' ? {} : { where }),
  });
}
