import { ok, type Result } from '../../contract/result.ts';
import type { DiskPort } from '../../core/ports.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { Layout } from '../layout.ts';
import type { Problems } from '../problems.ts';
import { recordFile } from '../stores/record-file.ts';
import { sealedSchema } from './sealed-file.ts';

export type Registering = Promise<Result<LoadedAgent>>;

export interface PendingRegistrationsDeps {
  readonly disk: DiskPort;
  readonly layout: Pick<Layout, 'agentDraft'>;
  readonly problems: Problems;
}

export const registrationProblem = (agentId: string): string => `register-${agentId}`;

/** Agents that wait for an identity; survives restarts. */
export interface PendingRegistrations {
  isWanted(id: string): boolean;
  /** Durable: from now on the registration is retried whenever the operator is online. */
  want(id: string): Result<void>;
  forget(id: string): Result<void>;
  /** Attempts for one agent never overlap. */
  once(id: string, run: () => Registering): Registering;
}

export function createPendingRegistrations({
  disk,
  layout,
  problems,
}: PendingRegistrationsDeps): PendingRegistrations {
  const running = new Map<string, Registering>();
  const fileOf = (id: string) => recordFile(disk, layout.agentDraft(id), sealedSchema);
  const isWanted = (id: string): boolean => {
    const note = fileOf(id).read();
    return note.ok && note.value !== null;
  };
  return {
    isWanted,
    want: (id) => (isWanted(id) ? ok(undefined) : fileOf(id).write({ sealed: null })),
    forget(id) {
      problems.clear(registrationProblem(id));
      return fileOf(id).remove();
    },
    once(id, run) {
      const present = running.get(id);
      if (present) return present;
      const next = run().finally(() => running.delete(id));
      running.set(id, next);
      return next;
    },
  };
}
