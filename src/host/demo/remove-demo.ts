import { fail } from '../../contract/fail.ts';
import { err, type Result } from '../../contract/result.ts';
import type { Operator } from '../identity/operator.ts';
import type { EmbeddedRelay } from '../relay/embedded-relay.ts';
import type { RecordFile } from '../stores/record-file.ts';
import type { DemoRecord } from './demo-file.ts';

export interface RemoveDemoDeps {
  readonly file: RecordFile<DemoRecord>;
  removeAgents(): Promise<Result<void>>;
  readonly operator: Pick<Operator, 'erase'>;
  /** Called before the relay is erased, to close the connections to it. */
  onOperatorErased(): void;
  readonly relay: Pick<EmbeddedRelay, 'erase'>;
  /** Removes what the relay left here; returns what had to stay, or an empty text. */
  removeKeys(isDemoVault: boolean): Promise<Result<string>>;
}

/**
 * Deletes everything the demo created, its own record last, so that an interrupted removal can be repeated.
 * Returns what had to stay, or an empty text.
 */
export async function removeDemo(deps: RemoveDemoDeps): Promise<Result<string>> {
  const { file, operator, relay } = deps;
  const record = file.read();
  if (!record.ok) return record;
  if (!record.value) return err(fail('not_found', 'identity.noDemo'));
  const agents = await deps.removeAgents();
  if (!agents.ok) return agents;
  const gone = await operator.erase();
  if (!gone.ok) return gone;
  deps.onOperatorErased();
  const erased = await relay.erase();
  if (!erased.ok) return erased;
  const kept = await deps.removeKeys(record.value.ownVault);
  if (!kept.ok) return kept;
  const removed = file.remove();
  return removed.ok ? kept : removed;
}
