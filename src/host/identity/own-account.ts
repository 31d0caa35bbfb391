import type { AppError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { OpenParts, OperatorSession } from './operator.ts';

export interface OwnAccountDeps {
  session(): OperatorSession | null;
  openParts(): Promise<Result<OpenParts>>;
}

/** The operator's session and the open vault. */
export interface OwnAccount {
  readonly parts: OpenParts;
  readonly session: OperatorSession;
}

/** `missing` is the error before the sign-up. */
export async function openOwnAccount(deps: OwnAccountDeps, missing: AppError): Promise<Result<OwnAccount>> {
  const session = deps.session();
  if (!session) return err(missing);
  const parts = await deps.openParts();
  return parts.ok ? ok({ parts: parts.value, session }) : parts;
}
