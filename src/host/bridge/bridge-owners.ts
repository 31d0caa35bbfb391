import type { DiskPort } from '../../core/ports.ts';
import type { BridgeHome } from '../../services/bridge/bridge-types.ts';
import type { Operator } from '../identity/operator.ts';
import { readPublicIdentity } from '../identity/public-certs.ts';
import type { Layout } from '../layout.ts';

export interface BridgeOwnersDeps {
  readonly disk: DiskPort;
  readonly layout: Pick<Layout, 'agentKeys' | 'operatorKeys'>;
  readonly operator: Pick<Operator, 'record'>;
}

/** The root keys of operators, from public certificates; they can be read while the vault is closed. */
export function createBridgeOwners({
  disk,
  layout,
  operator,
}: BridgeOwnersDeps): Pick<BridgeHome, 'ownerOf' | 'operatorRoot'> {
  return {
    ownerOf({ id, lastGood }) {
      const slug = lastGood?.puffo_core.slug ?? '';
      if (slug === '') return null;
      return readPublicIdentity(disk, layout.agentKeys(id), slug)?.operatorRootPublicKey ?? null;
    },
    operatorRoot() {
      const record = operator.record();
      if (!record.ok) return 'unknown';
      if (record.value === null) return null;
      return readPublicIdentity(disk, layout.operatorKeys, record.value.slug)?.rootPublicKey ?? 'unknown';
    },
  };
}
