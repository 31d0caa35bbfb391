/** An audience without outsiders, where only the operator reads the agent, and an in-memory read log. */
import type { AudiencePort, ReadLog, ReadRecord } from '../../src/core/policy/audience-ports.ts';

export const ownAudience: AudiencePort = {
  of: async (roomId) => ({ roomId, outsiders: [] }),
  isOwnRoom: () => true,
  shares: () => [],
  roomName: (roomId) => roomId,
};

export function createMemoryReadLog(): ReadLog & { readonly records: Map<string, ReadRecord> } {
  const records = new Map<string, ReadRecord>();
  return {
    records,
    of: (threadKey) => records.get(threadKey) ?? null,
    keep: (threadKey, record) => void records.set(threadKey, record),
  };
}
