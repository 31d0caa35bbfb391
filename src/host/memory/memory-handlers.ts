import { ok, type Result } from '../../contract/result.ts';
import { memorySnapshot } from '../../core/agents/memory.ts';
import type { MemoryPort } from '../../core/agents/memory-port.ts';
import { utf8 } from '../../core/lib/bytes.ts';
import type { Clock, DiskPort } from '../../core/ports.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Handlers } from '../dispatch.ts';
import { checkVersion } from '../edit-version.ts';
import { memoryOf } from './agent-memory.ts';

type MemoryMethods = Pick<
  Handlers,
  | 'memory.list'
  | 'memory.read'
  | 'memory.write'
  | 'memory.forget'
  | 'memory.restore'
  | 'memory.confirm'
  | 'memory.dropUnconfirmed'
>;

export interface MemoryHandlerDeps {
  readonly agents: AgentStore;
  readonly disk: DiskPort;
  readonly clock: Clock;
}

function checkNewest(memory: MemoryPort, name: string, loaded: number | undefined): Result<void> {
  if (loaded === undefined) return ok(undefined);
  const versions = memory.history(name);
  if (!versions.ok) return versions;
  const newest = Math.max(0, ...versions.value.map(({ version }) => version));
  return checkVersion(String(loaded), String(newest));
}

export function createMemoryHandlers({ agents, disk, clock }: MemoryHandlerDeps): MemoryMethods {
  const open = (ref: string): Result<{ readonly id: string; readonly memory: MemoryPort }> => {
    const found = findAgent(agents, ref);
    return found.ok ? ok({ id: found.value.id, memory: memoryOf(disk, clock, found.value) }) : found;
  };
  const change = (ref: string, work: (memory: MemoryPort) => Result<void>): Result<Record<string, never>> => {
    const opened = open(ref);
    if (!opened.ok) return opened;
    const done = work(opened.value.memory);
    return done.ok ? ok({}) : done;
  };
  return {
    'memory.list': ({ agent }) => {
      const opened = open(agent);
      if (!opened.ok) return opened;
      const notes = opened.value.memory.notes();
      if (!notes.ok) return notes;
      const all = agents.readMemory(opened.value.id);
      if (!all.ok) return all;
      return ok({ notes: [...notes.value], promptBytes: utf8(memorySnapshot(all.value)).length });
    },
    'memory.read': ({ agent, name }) => {
      const opened = open(agent);
      if (!opened.ok) return opened;
      // A forgotten note has only its history, from which it can be restored.
      const versions = opened.value.memory.history(name);
      if (!versions.ok) return versions;
      const text = opened.value.memory.read(name);
      if (!text.ok && text.error.code !== 'not_found') return text;
      const lines = text.ok ? opened.value.memory.unconfirmed(name) : ok(null);
      if (!lines.ok) return lines;
      const unconfirmed = lines.value && {
        text: lines.value.text,
        at: lines.value.origin.at,
        threadKey: lines.value.origin.threadKey,
      };
      return ok({ text: text.ok ? text.value : '', versions: [...versions.value], unconfirmed });
    },
    'memory.write': ({ agent, name, text, version }) =>
      change(agent, (memory) => {
        const current = checkNewest(memory, name, version);
        return current.ok ? memory.write(name, text, 'operator') : current;
      }),
    'memory.forget': ({ agent, name }) => change(agent, (memory) => memory.forget(name, 'operator')),
    'memory.restore': ({ agent, name, version }) =>
      change(agent, (memory) => memory.restore(name, version, 'operator')),
    'memory.confirm': ({ agent, name, version }) => change(agent, (memory) => memory.confirm(name, version)),
    'memory.dropUnconfirmed': ({ agent, name, version }) =>
      change(agent, (memory) => memory.dropUnconfirmed(name, version)),
  };
}
