/**
 * Standing answers: session grants in memory, the others in the store. A revoked grant is invalid at once.
 */
import type { Grant } from '../../contract/approvals.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { readShare, shareTool } from '../policy/audience.ts';
import type { GrantRule } from '../policy/policy-call.ts';
import type { ShareRule } from '../policy/source.ts';
import type { ConsentStore, GrantRow } from './approval-ports.ts';

const newestFirst = (a: GrantRow, b: GrantRow): number => b.grant.createdAt - a.grant.createdAt;

export class GrantBook {
  readonly #store: ConsentStore;
  readonly #session = new Map<string, GrantRow>();
  /** By agent; cleared on every change. */
  readonly #cache = new Map<string, readonly GrantRow[]>();

  constructor(store: ConsentStore) {
    this.#store = store;
  }

  rulesOf(agentId: string): readonly GrantRule[] {
    return this.#of(agentId).map(({ grant, digest, pattern }) => ({
      id: grant.id,
      tool: grant.tool,
      scope: grant.scope,
      digest,
      pattern,
    }));
  }

  sharesOf(agentId: string): readonly ShareRule[] {
    return this.#of(agentId).flatMap(({ grant, pattern }) =>
      grant.tool === shareTool ? (readShare(pattern) ?? []) : [],
    );
  }

  /** The agent's share grant that fits; `null` if none does. */
  shareThat(agentId: string, fits: (share: ShareRule) => boolean): Grant | null {
    const found = this.#of(agentId).find(({ grant, pattern }) => {
      const share = grant.tool === shareTool ? readShare(pattern) : null;
      return share !== null && fits(share);
    });
    return found?.grant ?? null;
  }

  /** Adds a grant that the operator gives without a question. Throws `StoreError`. */
  add(row: GrantRow): void {
    this.#store.addGrant(row);
    this.#cache.clear();
  }

  list(agentId: string | null): readonly GrantRow[] {
    const session = [...this.#session.values()].filter(
      ({ grant }) => agentId === null || grant.agentId === agentId,
    );
    return [...session, ...this.#store.grants(agentId)].sort(newestFirst);
  }

  /** Registers a new grant: session grants stay here, the others are in the store already. */
  added(row: GrantRow): void {
    if (row.grant.scope === 'session') this.#session.set(row.grant.id, row);
    this.#cache.clear();
  }

  used(id: string, at: number): void {
    const row = this.#session.get(id);
    if (!row) this.#store.grantUsed(id, at);
    else this.#session.set(id, { ...row, grant: { ...row.grant, lastUsedAt: at, uses: row.grant.uses + 1 } });
  }

  revoke(id: string, at: number): Result<GrantRow> {
    const found = this.list(null).find(({ grant }) => grant.id === id);
    if (!found) return err(fail('not_found', 'approvals.unknownStandingAnswer'));
    if (!this.#session.delete(id)) this.#store.revoke(id, at);
    this.#cache.clear();
    return ok(found);
  }

  #of(agentId: string): readonly GrantRow[] {
    const known = this.#cache.get(agentId) ?? this.list(agentId);
    this.#cache.set(agentId, known);
    return known;
  }
}
