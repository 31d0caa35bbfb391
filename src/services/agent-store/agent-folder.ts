/** Paths of an agent's files, and the cheap signatures that reveal their changes. */
import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { type AgentRequest, agentRequests } from './agent-types.ts';

export const configFile = 'agent.yml';
export const requestFolder = '.puffo-agent';
/** Content of a request file; only its name counts. */
export const requestContent = 'requested';
export const maxConfigBytes = 256 * 1024;
export const maxProfileBytes = 1024 * 1024;

/** Differs whenever the file was written or replaced. Numbers, because a host keeps two for each agent. */
export interface FileState {
  readonly changedMs: number;
  readonly bytes: number;
  readonly inode: number;
}

const ifThere = { throwIfNoEntry: false } as const;

/** `null` if the file does not exist. */
export function fileState(path: string): FileState | null {
  const found = statSync(path, ifThere);
  return found ? { changedMs: found.mtimeMs, bytes: found.size, inode: found.ino } : null;
}

export const isSameState = (a: FileState | null, b: FileState | null): boolean =>
  a === b ||
  (a !== null && b !== null && a.changedMs === b.changedMs && a.bytes === b.bytes && a.inode === b.inode);

/** Empty if the file does not exist. */
export const signatureOf = (path: string): string => signatureText(fileState(path));

export const signatureText = (state: FileState | null): string =>
  state === null ? '' : `${state.changedMs}:${state.bytes}:${state.inode}`;

/** Relative to the agent's folder, or absolute (spec §5). */
export const within = (folder: string, path: string): string =>
  isAbsolute(path) ? path : join(folder, path);

export const profilePath = (folder: string, config: AgentConfig | null): string =>
  within(folder, config?.profile ?? 'profile.md');

export const memoryFolder = (folder: string, config: AgentConfig | null): string =>
  within(folder, config?.memory_dir ?? 'memory');

/** ms since the epoch; 0 if the file does not exist. */
export const changedAt = (path: string): number =>
  Math.floor(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);

export const requestPath = (folder: string, request: AgentRequest): string =>
  join(folder, requestFolder, `${request}.flag`);

const noRequests: readonly AgentRequest[] = [];

/** Needs one system call in the usual case without any request. */
export function requestsOf(folder: string): readonly AgentRequest[] {
  if (!existsSync(join(folder, requestFolder))) return noRequests;
  return agentRequests.filter((request) => existsSync(requestPath(folder, request)));
}
