import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type AppError, withHint } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { MethodOutput, MethodParsed } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { maxTransferBytes } from '../../contract/transfer-methods.ts';
import { say } from '../../language/say.ts';
import type { Handlers } from '../dispatch.ts';
import type { ExportDeps } from './export-agent.ts';
import type { ImportDeps } from './import-all.ts';
import type { ReviewDeps } from './review-import.ts';
import type { Transfers } from './transfers.ts';

type TransferMethods = Pick<
  Handlers,
  | 'bundles.hold'
  | 'bundles.pack'
  | 'bundles.piece'
  | 'bundles.bring'
  | 'bundles.bringPiece'
  | 'bundles.reviewBrought'
  | 'bundles.importBrought'
  | 'bundles.forget'
>;

const extensions = { bundle: 'puffoagent', zip: 'zip' } as const;

/** A page must not learn paths of this computer. */
const withoutPlace = ({ where: _, ...error }: AppError): AppError => error;

/** Replaces a hint that names a command-line flag. */
const wantsPassphrase = (error: AppError): AppError =>
  error.code === 'locked' ? withHint(error, say('moving.enterPassphrase')) : error;

const shown = <T>(result: Result<T>): Result<T> =>
  result.ok ? result : err(wantsPassphrase(withoutPlace(result.error)));

export interface TransferHandlerDeps {
  readonly transfers: Transfers;
  readonly exports: ExportDeps;
  readonly imports: ImportDeps;
  readonly review: ReviewDeps;
}

async function pack(
  { transfers, exports }: TransferHandlerDeps,
  { agent, kind, passphrase }: MethodParsed<'bundles.pack'>,
): Promise<Result<MethodOutput<'bundles.pack'>>> {
  const at = transfers.place();
  if (!at.ok) return at;
  const { transferId, path } = at.value;
  const { exportAgent } = await import('./export-agent.ts');
  const more = passphrase === undefined ? {} : { passphrase };
  const done = await exportAgent(exports, { agent, kind, path, replace: false, ...more });
  if (!done.ok) return done;
  const { size } = statSync(path);
  transfers.packed(transferId, path, size);
  if (size > maxTransferBytes) {
    transfers.forget(transferId);
    return err(fail('too_large', 'moving.packedAgentTooLarge', {}, { help: 'moving.runAgentExport' }));
  }
  const { files, left } = done.value;
  return ok({ transferId, filename: `${agent}.${extensions[kind]}`, size, files, left });
}

/** Export and import for callers that cannot name a path. */
export function createTransferHandlers(deps: TransferHandlerDeps): TransferMethods {
  const { transfers, imports, review } = deps;
  return {
    'bundles.pack': async (input) => shown(await pack(deps, input)),
    'bundles.piece': async ({ transferId, offset }) => {
      const piece = await transfers.take(transferId, offset);
      if (!piece.ok) return piece;
      const { bytes, done } = piece.value;
      return ok({ base64: Buffer.from(bytes).toString('base64'), done });
    },
    'bundles.hold': ({ path }) => {
      if (!isAbsolute(path))
        return err(fail('invalid_input', 'moving.pathNotAbsolute', {}, { where: 'path' }));
      const held = transfers.hold(path);
      return held.ok ? ok({ transferId: held.value }) : held;
    },
    'bundles.bring': async ({ size }) => {
      const begun = await transfers.begin(size);
      return begun.ok ? ok({ transferId: begun.value }) : begun;
    },
    'bundles.bringPiece': async ({ transferId, offset, base64 }) => {
      const put = await transfers.put(transferId, offset, Buffer.from(base64, 'base64'));
      return put.ok ? ok({ received: put.value }) : put;
    },
    'bundles.reviewBrought': async ({ transferId, passphrase }) => {
      const path = transfers.whole(transferId);
      if (!path.ok) return path;
      const { withSource } = await import('./with-source.ts');
      const { reviewSource } = await import('./review-import.ts');
      const reviewed = await withSource(imports.source, { path: path.value, passphrase }, (opened) =>
        reviewSource(review, opened),
      );
      return shown(reviewed);
    },
    'bundles.importBrought': async ({ transferId, ...input }) => {
      const path = transfers.whole(transferId);
      if (!path.ok) return path;
      const { withSource } = await import('./with-source.ts');
      const { importAll } = await import('./import-all.ts');
      const whole = { path: path.value, ...input };
      const imported = await withSource(imports.source, whole, (opened) => importAll(imports, opened, whole));
      const { agents = [] } = imported.ok ? imported.value : {};
      if (imported.ok && (agents.length === 0 || agents.some((one) => one.imported)))
        transfers.forget(transferId);
      return shown(imported);
    },
    'bundles.forget': ({ transferId }) => {
      transfers.forget(transferId);
      return ok({});
    },
  };
}
