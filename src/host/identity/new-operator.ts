import { ok, type Result } from '../../contract/result.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { Secrets } from '../vault/secrets.ts';
import type { OpenParts, Operator } from './operator.ts';

export interface NewOperatorDeps {
  readonly operator: Pick<Operator, 'record' | 'adopt'>;
  readonly secrets: Pick<Secrets, 'state' | 'openForReal'>;
  openParts(): Promise<Result<OpenParts>>;
  /** Starts the agents. */
  startAgents(parts: OpenParts): void;
  /** Reloads everything that shows the operator. */
  onAdopted(): void;
}

/** The steps that a sign-up, a new device and an import of keys share: a folder gets its operator. */
export interface NewOperator {
  /** The slug of the operator that the folder has already, or `null`. */
  present(): Result<string | null>;
  vaultState(): ReturnType<Secrets['state']>;
  /** Opens the vault, or creates it if `creates`. */
  openVault(creates: boolean): Promise<Result<OpenParts>>;
  adopt(parts: OpenParts, identity: Identity, displayName: string): Promise<Result<void>>;
}

export function createNewOperator(deps: NewOperatorDeps): NewOperator {
  const { operator, secrets } = deps;
  return {
    present() {
      const record = operator.record();
      return record.ok ? ok(record.value?.slug ?? null) : record;
    },
    vaultState: () => secrets.state(),
    async openVault(creates) {
      const vault = creates ? await secrets.openForReal() : ok(undefined);
      return vault.ok ? deps.openParts() : vault;
    },
    async adopt(parts, identity, displayName) {
      const adopted = await operator.adopt(parts, identity, displayName);
      if (!adopted.ok) return adopted;
      deps.startAgents(parts);
      deps.onAdopted();
      return ok(undefined);
    },
  };
}
