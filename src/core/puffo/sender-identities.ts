/** Port of the registry of identities, as far as received messages need it. */
import type { AppError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import type { VerifiedIdentity } from './registry.ts';

/** `unavailable`: ask again later. The others are verdicts on the server's data. */
export type DistrustKind = 'unavailable' | 'unknown' | 'root_changed' | 'unverifiable';

export interface Distrust {
  readonly kind: DistrustKind;
  readonly error: AppError;
}

export interface SenderIdentities {
  /** `maxAgeMs` is the maximum age of the last sync; 0 queries the server now, Infinity accepts the cache. */
  verified(slug: string, maxAgeMs: number): Promise<Result<VerifiedIdentity, Distrust>>;
}
