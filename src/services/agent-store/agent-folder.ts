/** Paths of an agent's files, and the cheap signatures that reveal their changes. */
import { statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { type AgentRequest, agentRequests } from './agent-types.ts';

export const configFile = 'agent.yml';
export const requestFolder = '.puffo-agent';
/** Content of a request file; only its name counts. */
export const requestContent = 'requested';
export const maxConfigBytes = 256 * 1024;
export const maxProfileBytes = 1024 * 1024;

/** Differs whenever the file was written or replaced; empty if it does not exist. */
export function signatureOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.mtimeMs}:${found.size}:${found.ino}` : '';
}

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

/** Needs one stat in the usual case without any request. */
export function requestsOf(folder: string): readonly AgentRequest[] {
  if (!statSync(join(folder, requestFolder), { throwIfNoEntry: false })) return [];
  return agentRequests.filter((request) => signatureOf(requestPath(folder, request)) !== '');
}
